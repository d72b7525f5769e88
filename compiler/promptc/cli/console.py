"""What a command says and where: the product on stdout, everything else on stderr."""

import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn

import typer

from promptc.artifact import Artifact
from promptc.cli import exits
from promptc.diagnostics.model import Diagnostic, Severity
from promptc.diagnostics.render.dispatch import render_diagnostics
from promptc.diagnostics.render.display import visible
from promptc.diagnostics.render.text import summary
from promptc.diagnostics.sink import severity_of
from promptc.output import WriteError, write_all
from promptc.source import SourceSet

# Faults of files and configuration: nothing could be compiled, so they are not findings about a spec.
_USAGE_CODES = frozenset({"PC001", "PC003", "PC005", "PC007", "PC008", "PC010", "PC011", "PC012"})
# A fault of configuration that has a place.
_CONFIGURATION_CODES = frozenset({"PC677"})


def product(text: str) -> None:
    """Write what was asked for to stdout, as UTF-8 whatever the locale, ending in one newline."""
    raw(text.encode("utf-8", "backslashreplace") + (b"" if text.endswith("\n") or not text else b"\n"))


def raw(data: bytes) -> None:
    """Write bytes to stdout as they are. Ends the command with exit code 2 where they cannot be written."""
    try:
        sys.stdout.flush()
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
    except BrokenPipeError:
        # Whoever reads has read enough, as `head` does: the rest goes nowhere, and the exit code stays the command's.
        _let_go_of_stdout()
    except OSError as fault:
        _let_go_of_stdout()
        stop(f"standard output cannot be written: {(fault.strerror or 'unknown reason').lower()}")


def _let_go_of_stdout() -> None:
    # The end of the interpreter flushes what is left, and would fail once more.
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)


def say(text: str) -> None:
    """Write a remark of one line to stderr; names of files and members in it may be hostile."""
    _remark(visible(text))


def _remark(text: str) -> None:
    data = (text + "\n").encode("utf-8", "backslashreplace")
    sys.stderr.flush()
    sys.stderr.buffer.write(data)
    sys.stderr.buffer.flush()


def deliver(text: str, output: Path | None) -> None:
    """Write a product to a file, or to stdout where none is named."""
    if output is None:
        product(text)
        return
    try:
        write_all(output.parent, [Artifact(output.name, text.encode())])
    except WriteError as fault:
        stop(str(fault))
    say(f"written: {output.as_posix()}")


def wants_colour(stream_is_terminal: bool) -> bool:
    """Whether to colour: never with NO_COLOR, always with FORCE_COLOR, else on a terminal that can."""
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return True
    return stream_is_terminal and os.environ.get("TERM") != "dumb"


def show(diagnostics: Sequence[Diagnostic], sources: SourceSet, format: str, are_product: bool = False) -> None:
    """Show findings.

    Args:
        are_product: Whether the findings are what was asked for. If not, their text accompanies a product and goes to
            stderr; every other format is a product in any case.
    """
    if format == "text":
        if diagnostics and are_product:
            colour = wants_colour(sys.stdout.isatty())
            product(render_diagnostics("text", diagnostics, sources, colour).rstrip("\n"))
            say(summary(diagnostics))
        elif diagnostics:
            _remark(render_diagnostics("text", diagnostics, sources, wants_colour(sys.stderr.isatty())).rstrip("\n"))
            say(summary(diagnostics))
        return
    product(render_diagnostics(format, diagnostics, sources, False))


def exit_code(diagnostics: Sequence[Diagnostic]) -> int:
    """The exit code that findings ask for."""
    errors = [d for d in diagnostics if severity_of(d) is Severity.ERROR]
    if not errors:
        return exits.CLEAN
    if all(d.code in _CONFIGURATION_CODES or (d.code in _USAGE_CODES and d.primary is None) for d in errors):
        return exits.USAGE
    return exits.FINDINGS


def stop(message: str, help: str | None = None, code: int = exits.USAGE, finding: str | None = None) -> NoReturn:
    """End with a message that concerns no source: a wrong argument, a file that cannot be written.

    Args:
        finding: The diagnostic code, for what has one.
    """
    say(f"error[{finding}]: {message}" if finding is not None else f"error: {message}")
    if help is not None:
        say(f"  = help: {help}")
    raise typer.Exit(code)
