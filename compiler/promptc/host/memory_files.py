"""Notes for the model that lie in files, by level (A-07)."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeAlias

Level: TypeAlias = Literal["user", "project", "hidden", "folder"]


@dataclass(frozen=True, slots=True)
class MemoryFile:
    """One file of notes.

    Attributes:
        level: Whose notes they are: the person's, the project's, the project's hidden ones, or those of a folder below.
        path: As it was named.
        text: Its content; a byte order mark and CRLF are normalised.
    """

    level: Level
    path: str
    text: str


def memory_files(places: Sequence[tuple[Level, Path]], most: int = 2**20) -> tuple[MemoryFile, ...]:
    """The files that are there, in the order of the places; what is not there or cannot be read is left out.

    Args:
        most: Bytes of a file; of a longer one the head counts.
    """
    found = []
    for level, path in places:
        try:
            with path.open("rb") as file:
                data = file.read(most)
        except OSError:
            continue
        text = data.decode("utf-8", "ignore").removeprefix("\ufeff").replace("\r\n", "\n")
        if text.strip():
            found.append(MemoryFile(level, path.as_posix(), text))
    return tuple(found)


def folders_on_the_way(root: Path, to: Path) -> tuple[Path, ...]:
    """The folders below a root that lead to a path, outermost first; none where it is not below the root."""
    try:
        parts = to.resolve().relative_to(root.resolve()).parts
    except ValueError:
        return ()
    folders = [root]
    for part in parts:
        folders.append(folders[-1] / part)
    return tuple(folder for folder in folders[1:] if folder.is_dir())
