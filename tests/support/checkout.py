"""The checkout that the tests run in, and the command line as a child process."""

import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True)
class Finished:
    """A child process that ended."""

    code: int
    stdout: bytes
    stderr: str


def promptc(
    arguments: Sequence[str], cwd: Path, environment: Mapping[str, str] | None = None, stdin: bytes = b""
) -> Finished:
    """Run the command line in a child process."""
    done = subprocess.run(
        [sys.executable, "-m", "promptc", *arguments],
        cwd=cwd,
        env={**os.environ, "NO_COLOR": "1", **(environment or {})},
        input=stdin,
        capture_output=True,
        timeout=120,
        check=False,
    )
    return Finished(done.returncode, done.stdout, done.stderr.decode("utf-8", "replace"))
