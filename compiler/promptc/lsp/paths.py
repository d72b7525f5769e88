"""Paths that may be completed: below the project root, as seen from the file that names them."""

import os
from pathlib import Path, PurePosixPath

from promptc.project import SUFFIXES

_MOST = 500


def paths_beside(root: Path, path: str, written: str, is_module: bool) -> list[str]:
    """Names that go on with what is written of a relative path; folders end in `/`.

    Args:
        root: The project.
        path: The file that names the path.
        written: What is written of it.
        is_module: Whether only modules count.
    """
    folder = os.path.normpath((PurePosixPath(path).parent / written.rpartition("/")[0]).as_posix())
    if folder.startswith("..") or "\x00" in written or written.startswith("/"):
        return []
    place = Path(os.path.realpath(root / folder))
    if not place.is_relative_to(root):
        return []
    try:
        entries = sorted(place.iterdir(), key=lambda p: p.name)[:_MOST]
    except OSError:
        return []
    found = [f"{entry.name}/" for entry in entries if entry.is_dir() and not entry.name.startswith(".")]
    for entry in entries:
        if entry.is_file() and entry.name.endswith(SUFFIXES) == is_module and entry.name != PurePosixPath(path).name:
            found.append(entry.name)
    return found
