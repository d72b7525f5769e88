"""Writing: all files or none, whatever fails in between."""

import errno
import os
from pathlib import Path
from typing import Any

import pytest

from promptc.artifact import Artifact
from promptc.output import WriteError, stale, write_all

OLD = [Artifact("a.txt", b"old a"), Artifact("deep/b.txt", b"old b")]
NEW = [Artifact("a.txt", b"new a"), Artifact("deep/b.txt", b"new b"), Artifact("c.txt", b"new c")]


def tree(folder: Path) -> dict[str, bytes]:
    """Every file below a folder."""
    return {p.relative_to(folder).as_posix(): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


def test_only_what_differs_is_written(tmp_path: Path) -> None:
    assert write_all(tmp_path, OLD) == ("a.txt", "deep/b.txt")
    assert write_all(tmp_path, OLD) == ()
    assert stale(tmp_path, NEW) == ("a.txt", "deep/b.txt", "c.txt")
    assert write_all(tmp_path, NEW) == ("a.txt", "deep/b.txt", "c.txt")
    assert tree(tmp_path) == {a.path: a.data for a in NEW}


def test_a_full_disk_leaves_everything_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_all(tmp_path, OLD)
    before = tree(tmp_path)
    written = 0

    def full(descriptor: int) -> None:
        nonlocal written
        written += 1
        if written == 2:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)

    with pytest.raises(WriteError, match="no space left"):
        write_all(tmp_path, NEW)
    assert before == tree(tmp_path)


def test_a_replacement_that_fails_halfway_is_undone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_all(tmp_path, OLD)
    before = tree(tmp_path)
    real = Path.replace
    replaced = 0

    def failing(self: Path, target: Any) -> Path:
        nonlocal replaced
        replaced += 1
        if replaced == 3:
            raise OSError(errno.EACCES, os.strerror(errno.EACCES))
        return real(self, target)

    monkeypatch.setattr(Path, "replace", failing)

    with pytest.raises(WriteError, match="permission denied"):
        write_all(tmp_path, NEW)
    assert before == tree(tmp_path)


def test_folders_made_for_a_failed_write_are_gone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(descriptor: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)

    with pytest.raises(WriteError):
        write_all(tmp_path / "gen", NEW)
    assert not (tmp_path / "gen").exists()
