"""The items of the one large array of a JSON text, one at a time: what cannot be held in memory whole."""

import re
from collections.abc import Iterator
from typing import Protocol

# Where formats keep the array of their records.
ARRAYS: tuple[tuple[str, ...], ...] = ((), ("requests",), ("log", "entries"), ("observations",), ("data",))
_CHUNK = 1024 * 1024
_IN_STRING = re.compile(rb'["\\]')
_OUTSIDE = re.compile(rb'["{}\[\],]')
_BLANK = re.compile(rb"[ \t\r\n]*")


class Readable(Protocol):
    """What bytes are read from."""

    def read(self, size: int, /) -> bytes:
        """Up to `size` bytes; empty at the end."""
        ...


class Cut(ValueError):
    """The text ends, or is no JSON, before the end of the array."""


def items(stream: Readable, limit: int) -> Iterator[tuple[str, bytes | None]]:
    """The items of the first array that stands where formats keep their records.

    Args:
        stream: The JSON text at its start.
        limit: Bytes of an item that is handed out; of a larger one only that it is there.

    Yields:
        The JSON pointer of an item and its bytes; None for its bytes where it is too large. Nothing where the text has
        no such array.

    Raises:
        Cut: The text ends before the array does.
    """
    scanner = _Scanner(stream)
    path = scanner.find_array()
    if path is None:
        return
    base = "".join(f"/{part}" for part in path)
    index = 0
    while scanner.peek() != b"]":
        yield f"{base}/{index}", scanner.value(limit)
        index += 1
        if scanner.peek() == b",":
            scanner.skip()
        elif scanner.peek() != b"]":
            raise Cut("there is no comma between two items of an array")


class _Scanner:
    def __init__(self, stream: Readable) -> None:
        self._stream = stream
        self._data = b""
        self._at = 0

    def _more(self) -> bool:
        """Read on; what is behind the place is let go."""
        chunk = self._stream.read(_CHUNK)
        self._data, self._at = self._data[self._at :] + chunk, 0
        return bool(chunk)

    def peek(self) -> bytes:
        """The next byte that is not blank, which becomes the place."""
        while True:
            blank = _BLANK.match(self._data, self._at)
            self._at = blank.end() if blank else self._at
            if self._at < len(self._data):
                return self._data[self._at : self._at + 1]
            if not self._more():
                raise Cut("the text ends before its value does")

    def skip(self) -> None:
        """Step over the byte at the place."""
        self._at += 1

    def find_array(self, path: tuple[str, ...] = ()) -> tuple[str, ...] | None:
        """Step into the first array of `ARRAYS`; its path, or None where there is none."""
        opening = self.peek()
        if opening == b"[":
            self.skip()
            return path
        self.skip()
        while opening == b"{" and self.peek() == b'"':
            key = (self.value(_CHUNK) or b"")[1:-1].decode("utf-8", "replace")
            if self.peek() != b":":
                raise Cut("there is no colon behind a key")
            self.skip()
            inner = (*path, key)
            leads = any(known[: len(inner)] == inner for known in ARRAYS)
            if leads and self.peek() == (b"[" if inner in ARRAYS else b"{"):
                found = self.find_array(inner)
                if found is not None:
                    return found
            else:
                self.value(0)
            if self.peek() == b",":
                self.skip()
        if opening == b"{" and self.peek() == b"}":
            self.skip()
        return None

    def value(self, limit: int) -> bytes | None:
        """The bytes of the value at the place, None where they are more than `limit`; the place is behind it then."""
        self.peek()
        held: bytearray | None = bytearray()
        depth, in_string = 0, False
        while True:
            end, depth, in_string = self._scan(depth, in_string)
            if held is not None:
                held += self._data[self._at : end or len(self._data)]
                if len(held) > limit:
                    held = None
            self._at = len(self._data) if end is None else end
            if end is not None:
                return None if held is None else bytes(held).rstrip()
            if not self._more():
                raise Cut("the text ends before its value does")

    def _scan(self, depth: int, in_string: bool) -> tuple[int | None, int, bool]:
        """Where the value ends in what is at hand, None where it goes on; depth and whether in a string at the end."""
        at = self._at
        while True:
            found = (_IN_STRING if in_string else _OUTSIDE).search(self._data, at)
            if found is None:
                return None, depth, in_string
            at = found.end()
            token = found[0]
            if token == b"\\":
                if at == len(self._data):
                    # The escaped byte has not been read: it must not end the string.
                    self._data += self._stream.read(1)
                at += 1
            elif token == b'"':
                in_string = not in_string
                if not in_string and depth == 0:
                    return at, depth, in_string
            elif token in b"{[":
                depth += 1
            elif token == b",":
                if depth == 0:
                    return at - 1, depth, in_string
            elif depth == 0:
                return at - 1, depth, in_string
            else:
                depth -= 1
                if depth == 0:
                    return at, depth, in_string
