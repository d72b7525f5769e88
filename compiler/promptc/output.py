"""Write what a build made: all files or none, each replaced in one step."""

import contextlib
import os
import tempfile
from collections.abc import Sequence
from pathlib import Path

from promptc.artifact import Artifact


class WriteError(Exception):
    """An output could not be written; nothing was changed.

    Attributes:
        path: The output, as it was to be named.
        reason: The system's reason, lower case.
    """

    def __init__(self, path: str, reason: str) -> None:
        super().__init__(f"`{path}` cannot be written: {reason}")
        self.path = path
        self.reason = reason


def write_all(folder: Path, artifacts: Sequence[Artifact]) -> tuple[str, ...]:
    """Write the artifacts below a folder.

    Everything is written beside its goal first, so a full disk or a missing right shows before anything is replaced.

    Returns:
        Paths of the files that changed, in order.

    Raises:
        WriteError: Nothing was changed.
    """
    changed = [a for a in artifacts if _on_disk(folder / a.path) != a.data]
    staged: list[tuple[str, Path]] = []
    current = ""
    made: list[Path] = []
    try:
        for artifact in changed:
            goal = folder / artifact.path
            current = goal.parent.as_posix()
            _make_folder(goal.parent, made)
            current = artifact.path
            handle, name = tempfile.mkstemp(prefix=".promptc-", dir=goal.parent)
            staged.append((name, goal))
            with os.fdopen(handle, "wb") as stream:
                stream.write(artifact.data)
                stream.flush()
                os.fsync(stream.fileno())
            # mkstemp makes files for the owner alone; an output is as readable as any other file.
            Path(name).chmod(0o644)
    except OSError as fault:
        _clean(staged, made)
        raise WriteError(current, _reason(fault)) from fault
    _replace(staged, made)
    return tuple(a.path for a in changed)


def _replace(staged: Sequence[tuple[str, Path]], made: Sequence[Path]) -> None:
    replaced: list[tuple[Path, bytes | None]] = []
    for name, goal in staged:
        before = _on_disk(goal)
        try:
            Path(name).replace(goal)
        except OSError as fault:
            for done, data in reversed(replaced):
                with contextlib.suppress(OSError):
                    if data is None:
                        done.unlink()
                    else:
                        done.write_bytes(data)
            _clean(staged, made)
            raise WriteError(goal.name, _reason(fault)) from fault
        replaced.append((goal, before))


def _make_folder(folder: Path, made: list[Path]) -> None:
    missing: list[Path] = []
    current = folder
    while not current.exists():
        missing.append(current)
        current = current.parent
    folder.mkdir(parents=True, exist_ok=True)
    made.extend(reversed(missing))


def _clean(staged: Sequence[tuple[str, Path]], made: Sequence[Path]) -> None:
    for name, _ in staged:
        with contextlib.suppress(OSError):
            Path(name).unlink()
    for folder in reversed(made):
        with contextlib.suppress(OSError):
            folder.rmdir()


def _reason(fault: OSError) -> str:
    return (fault.strerror or "unknown reason").lower()


def _on_disk(path: Path) -> bytes | None:
    try:
        return path.read_bytes()
    except OSError:
        return None


def stale(folder: Path, artifacts: Sequence[Artifact]) -> tuple[str, ...]:
    """Paths of the artifacts that differ from what is on disk, or are missing there."""
    return tuple(a.path for a in artifacts if _on_disk(folder / a.path) != a.data)
