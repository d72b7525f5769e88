"""Inference engines in child processes, asked one prompt of tokens after the other."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

_HERE = Path(__file__).resolve().parent


def wanted() -> str | None:
    """Why the engine tests do not run; None where they are asked for."""
    return None if os.environ.get("PROMPTC_ENGINE") else "a real engine is asked for by `make test-engine`"


@dataclass(frozen=True, slots=True)
class Reported:
    """What an engine says about one prompt.

    Attributes:
        cached: Tokens that it took from its cache.
        computed: Tokens of the prompt that it computed.
        tokens: Its answer.
    """

    cached: int
    computed: int
    tokens: tuple[int, ...]


class Engine:
    """An engine that runs.

    Attributes:
        version: What it calls itself.
    """

    def __init__(self, child: "subprocess.Popen[str]") -> None:
        self._child = child
        self.version = str(self._read()["version"])

    def _read(self) -> dict[str, Any]:
        assert self._child.stdout is not None
        line = self._child.stdout.readline()
        if not line:
            raise RuntimeError(f"the engine ended with {self._child.wait()}")
        found: dict[str, Any] = json.loads(line)
        return found

    def _ask(self, **asked: Any) -> dict[str, Any]:
        assert self._child.stdin is not None
        self._child.stdin.write(json.dumps(asked) + "\n")
        self._child.stdin.flush()
        return self._read()

    def prompt(self, tokens: Sequence[int], answer: int = 0) -> Reported:
        """Send a prompt; the answer has so many tokens."""
        said = self._ask(tokens=list(tokens), answer=answer)
        return Reported(said["cached"], said["computed"], tuple(said["tokens"]))

    def tokenize(self, text: str) -> tuple[int, ...]:
        """The tokens of a text by the engine's own tokenizer."""
        return tuple(self._ask(text=text)["tokens"])


@contextmanager
def started(child: str, *arguments: object) -> Iterator[Engine]:
    """An engine, ended with the block.

    Args:
        child: Module of this folder that runs it.
        arguments: What that takes.
    """
    # What an engine writes to its log is for people who look for a fault in it.
    log = None if os.environ.get("PROMPTC_ENGINE") == "log" else subprocess.DEVNULL
    # -P: modules of this folder must not stand in for those that an engine imports.
    command = [sys.executable, "-P", str(_HERE / f"{child}.py"), *map(str, arguments)]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log, text=True, encoding="utf-8"
    ) as process:
        try:
            yield Engine(process)
        finally:
            assert process.stdin is not None
            process.stdin.close()
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                process.kill()
