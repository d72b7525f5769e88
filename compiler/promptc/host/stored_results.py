"""Keep the whole text of results that a request shows only the head of (G-02)."""

import os
import tempfile
from collections.abc import Iterable
from pathlib import Path


def store_results(folder: Path, results: Iterable[tuple[str, str]]) -> tuple[str, ...]:
    """Write texts below a folder, one file for each call; names of calls whose text could not be kept.

    A file is there whole or not at all, and one that is there is not written again: its words are final.
    """
    failed = []
    for name, text in results:
        if not name or Path(name).name != name or name in (".", ".."):
            failed.append(name)
            continue
        target = folder / name
        try:
            folder.mkdir(parents=True, exist_ok=True)
            if not target.exists():
                _write(folder, target, text)
        except OSError:
            failed.append(name)
    return tuple(failed)


def _write(folder: Path, target: Path, text: str) -> None:
    handle, name = tempfile.mkstemp(dir=folder)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(text.encode())
        Path(name).replace(target)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
