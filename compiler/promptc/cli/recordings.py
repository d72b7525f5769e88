"""Open the recordings that a command names, and pick requests out of them."""

import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, NoReturn

import typer

from promptc.cli import exits
from promptc.cli.console import say, show, stop
from promptc.diagnostics.model import Diagnostic, Severity
from promptc.diagnostics.sink import severity_of
from promptc.source import SourceSet
from promptc.streams.sources.model import Capture
from promptc.streams.sources.read import Recording, open_recording

_NUMBERED = re.compile(r"(.+)#(\d{1,9})", re.DOTALL)


def numbered(path: Path) -> tuple[Path, int | None]:
    """A path and the number of a request behind `#`; a file that is named like that is meant itself."""
    match = _NUMBERED.fullmatch(str(path))
    return (path, None) if match is None or path.exists() else (Path(match[1]), int(match[2]))


@contextmanager
def opened(path: Path) -> Iterator[tuple[Recording | None, tuple[Diagnostic, ...]]]:
    """A recording and what was found on the way; `-` is stdin. Ends with exit code 2 where the file cannot be read."""
    if str(path) == "-":
        yield open_recording(sys.stdin.buffer, "stdin")
        return
    with open_file(path) as raw:
        yield open_recording(raw, path.name)


def open_file(path: Path) -> BinaryIO:
    """A file for reading. Ends the command with exit code 2 where that cannot be done."""
    try:
        if path.is_dir():
            stop(f"`{path.as_posix()}` is a folder")
        return path.open("rb")
    except FileNotFoundError:
        stop(f"`{path.as_posix()}` does not exist")
    except OSError as fault:
        stop(f"`{path.as_posix()}` cannot be read: {(fault.strerror or 'unknown reason').lower()}")


def the_request(recording: Recording, number: int | None) -> Capture:
    """One request of a recording; the only one where no number is given. Ends with exit code 2 where there is none."""
    found: Capture | None = None
    for capture in recording:
        if number is None and found is not None:
            stop(
                f"`{recording.name}` holds several requests ({recording.title})",
                help=f"say which two, such as `{recording.name}#1 {recording.name}#2`, or give it alone to compare "
                "each request with the one before it",
            )
        if number is None or capture.index == number:
            found = capture
            if number is not None:
                break
    if found is None:
        diagnostics = recording.diagnostics()
        if number is not None and recording.tally.requests:
            count = recording.tally.requests
            message = f"`{recording.name}` has no request {number}"
            notes = (f"its requests are 1 to {count}",)
            diagnostics = (*diagnostics, Diagnostic("PC856", message, None, notes=notes))
        refuse(diagnostics)
    return found


def announce(recording: Recording) -> None:
    """Say what a recording was read as, and what such recordings lose."""
    say(f"{recording.name}: {recording.title}")
    if recording.format.loses is not None:
        say(f"  = note: {recording.format.loses}")


def refuse(diagnostics: tuple[Diagnostic, ...]) -> NoReturn:
    """End with exit code 2: nothing could be compared or checked."""
    show(diagnostics, SourceSet(), "text")
    raise typer.Exit(exits.USAGE)


def fails(diagnostics: tuple[Diagnostic, ...]) -> bool:
    """Whether something keeps a recording from being used at all."""
    return any(severity_of(found) is Severity.ERROR for found in diagnostics)
