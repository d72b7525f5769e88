"""Reads trees of git repositories: names, files and their bytes, without a checkout and without fetching."""

import os
import posixpath
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO

_REGULAR = frozenset({"100644", "100755"})
_LINK = "120000"
_HOPS = 8
_TIMEOUT = 60.0


@dataclass(frozen=True, slots=True)
class Blob:
    """A file of a tree.

    Attributes:
        size: In bytes.
        link: Whether its bytes are the path of another file.
    """

    id: str
    size: int
    link: bool = False


class Objects:
    """Objects of a repository, from one `git cat-file --batch` that answers as long as it is asked."""

    def __init__(self, asked: IO[bytes], answers: IO[bytes]) -> None:
        self._asked = asked
        self._answers = answers

    def read(self, name: str) -> bytes:
        """The bytes of a blob; empty for one that a partial clone does not have."""
        self._asked.write(name.encode() + b"\n")
        self._asked.flush()
        words = self._answers.readline().split()
        if len(words) != 3 or not words[2].isdigit():
            return b""
        data = self._answers.read(int(words[2]) + 1)
        return data[:-1]


def _environment() -> dict[str, str]:
    # Nothing is fetched, asked for or locked, and messages are not translated.
    quiet = {"GIT_TERMINAL_PROMPT": "0", "GIT_OPTIONAL_LOCKS": "0", "GIT_NO_LAZY_FETCH": "1", "LC_ALL": "C"}
    # A hook sets variables that name its own repository, which need not be the one that is asked for.
    kept = {
        k: v for k, v in os.environ.items() if k not in ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX")
    }
    return kept | quiet


def git(folder: Path, *arguments: str) -> bytes | None:
    """What git says; None where it fails."""
    command = ["git", "-C", str(folder), *arguments]
    try:
        done = subprocess.run(
            command, capture_output=True, env=_environment(), stdin=subprocess.DEVNULL, timeout=_TIMEOUT, check=False
        )
    except subprocess.TimeoutExpired:
        return None
    return done.stdout if done.returncode == 0 else None


@contextmanager
def objects_of(folder: Path) -> Iterator[Objects]:
    command = ["git", "-C", str(folder), "cat-file", "--batch"]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=_environment()
    ) as process:
        assert process.stdin is not None and process.stdout is not None
        try:
            yield Objects(process.stdin, process.stdout)
        finally:
            process.stdin.close()


def blobs_of(folder: Path, commit: str, subdir: str) -> dict[str, Blob] | None:
    """Files and links of a folder of a tree, by path from there; None where the folder is not in the tree."""
    found = git(folder, "ls-tree", "-r", "-z", "-l", "--full-tree", f"{commit}:{subdir}")
    if found is None:
        return None
    out: dict[str, Blob] = {}
    for entry in found.split(b"\0"):
        about, tab, path = entry.partition(b"\t")
        words = about.decode("ascii", "replace").split()
        if tab and len(words) == 4 and words[0] in (*_REGULAR, _LINK) and words[3].isdigit():
            # No spec can name a path that is not UTF-8.
            out[path.decode("utf-8", "replace")] = Blob(words[2], int(words[3]), words[0] == _LINK)
    return out


def followed(path: str, blobs: dict[str, Blob], objects: Objects) -> Blob | None:
    """The file at a path, links followed inside the tree; None where there is none, or a link leaves it."""
    for _ in range(_HOPS):
        blob = blobs.get(path)
        if blob is None or not blob.link:
            return blob
        target = objects.read(blob.id).decode("utf-8", "replace")
        path = posixpath.normpath(posixpath.join(posixpath.dirname(path), target))
    return None
