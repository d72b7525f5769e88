"""Run an emitted assembler against test vectors, in a process of its own."""

import json
import subprocess
import sys
from pathlib import Path

from promptc.diagnostics.model import Diagnostic
from promptc.runtime import verify as script

TIMEOUT_SECONDS = 60.0


def verify_module(module: Path, vectors: Path, timeout: float = TIMEOUT_SECONDS) -> tuple[Diagnostic, ...]:
    """What an assembler builds differently from its vectors; empty when nothing.

    The module is code and is run, in a child process: verify only what you would import.

    Args:
        module: An emitted Python module.
        vectors: A vectors file.
        timeout: Seconds after which the assembler counts as failed.
    """
    # -P keeps the module's own folder from shadowing the standard library.
    command = [sys.executable, "-P", script.__file__, str(module), str(vectors)]
    try:
        done = subprocess.run(command, capture_output=True, timeout=timeout, check=False)
    except subprocess.TimeoutExpired:
        return (Diagnostic("PC921", f"the assembler `{module.name}` did not finish in {timeout:g} seconds", None),)
    if done.returncode not in (0, 1) or (done.returncode == 1 and not done.stdout):
        last = done.stderr.decode(errors="replace").strip().rpartition("\n")[2]
        return (Diagnostic("PC921", f"the assembler `{module.name}` could not be run", None, notes=(last,)),)
    return tuple(_report(module.name, json.loads(line)) for line in done.stdout.splitlines())


def _report(module: str, row: dict[str, object]) -> Diagnostic:
    what = {"bytes": "length", "sha256": "content", "state_sha256": "state", "error": "outcome"}[str(row["what"])]
    message = f"request {row['request']} of sample `{row['sample']}`: `{module}` gives another {what}"
    return Diagnostic(
        "PC920",
        message,
        None,
        notes=(f"expected: {row['expected']}", f"found: {row['found']}"),
        help="build again, or find out what changed the file after the build",
    )
