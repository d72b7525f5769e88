"""What is known of the files that a conversation has seen: one table for file tools and for reminders (E-01, E-02)."""

import os
from collections import OrderedDict
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Literal, TypeAlias

Source: TypeAlias = Literal["read", "write", "seeded", "surfaced"]


@dataclass(frozen=True, slots=True)
class Seen:
    """What is known of one file.

    Attributes:
        path: Normalised.
        source: How it came into the conversation: read, written by a tool, a memory file put in at the start, or a
            memory that was surfaced.
        mtime: Nanoseconds, as it was then.
        digest: SHA-256 of the content, in hex.
        size: Bytes of the content.
        content: The content; None where only its digest is kept.
        whole: Whether all of the file was seen; a part proves nothing about the rest.
    """

    path: str
    source: Source
    mtime: int
    digest: str
    size: int
    content: bytes | None
    whole: bool

    def same(self, content: bytes) -> bool:
        """Whether a content is the one that was seen."""
        return len(content) == self.size and digest_of(content) == self.digest


def digest_of(content: bytes) -> str:
    """The digest by which contents are compared."""
    return sha256(content).hexdigest()


def normalised(path: str) -> str:
    """A path in the one form under which it is kept: absolute, without `.` and `..`; links are not followed."""
    return os.path.normpath(Path(path).absolute())


class FileState:
    """The table; the record that was used longest ago goes first where there are too many.

    Args:
        entries: Most records.
        bytes: Most bytes of all contents kept.
        inline: Longest content that is kept as it is; of longer ones digest and size are.
    """

    def __init__(self, entries: int = 5_000, bytes: int = 25 * 2**20, inline: int = 4_096) -> None:
        self._entries = entries
        self._bytes = bytes
        self._inline = inline
        self._held = 0
        self._table: OrderedDict[str, Seen] = OrderedDict()

    def __len__(self) -> int:
        return len(self._table)

    def __iter__(self) -> Iterator[Seen]:
        """All records, the one used longest ago first."""
        return iter(tuple(self._table.values()))

    def get(self, path: str) -> Seen | None:
        """The record of a path, which counts as used now."""
        found = self._table.get(normalised(path))
        if found is not None:
            self._table.move_to_end(found.path)
        return found

    def saw(
        self,
        path: str,
        content: bytes,
        mtime: int,
        source: Source = "read",
        whole: bool = True,
        keep_content: bool = False,
    ) -> Seen:
        """Record what was seen of a file.

        Args:
            keep_content: Whether the content is kept however long it is.
        """
        name = normalised(path)
        kept = content if keep_content or len(content) <= self._inline else None
        seen = Seen(name, source, mtime, digest_of(content), len(content), kept, whole)
        self.forget(name)
        self._table[name] = seen
        self._held += len(kept or b"")
        while self._table and (len(self._table) > self._entries or self._held > self._bytes):
            _, oldest = self._table.popitem(last=False)
            self._held -= len(oldest.content or b"")
        return seen

    def forget(self, path: str) -> None:
        """Drop the record of a path."""
        gone = self._table.pop(normalised(path), None)
        if gone is not None:
            self._held -= len(gone.content or b"")

    def cleared(self) -> tuple[Seen, ...]:
        """Empty the table after a compaction; what was in it, the most recently used first (F-01)."""
        records = tuple(reversed(self._table.values()))
        self._table.clear()
        self._held = 0
        return records

    def is_stale(self, path: str, content: bytes) -> bool:
        """Whether an edit has to be refused: the file was not seen whole, or is not what was seen (E-04)."""
        seen = self.get(path)
        return seen is None or not seen.whole or not seen.same(content)
