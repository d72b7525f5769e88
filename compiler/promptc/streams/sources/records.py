"""Splits a recording into records: lines, one JSON value, or the items of an array that is too large for memory."""

from collections.abc import Iterator
from dataclasses import dataclass
from io import BufferedReader

from promptc.diagnostics.model import Diagnostic
from promptc.streams.json_decode import decode_json
from promptc.streams.sources.members import is_messages
from promptc.streams.sources.model import Record, Where
from promptc.streams.sources.slices import Cut, items
from promptc.streams.sources.tally import Tally

_DOUBTFUL = {"PC804": "an object has a key twice", "PC674": "a text holds half a surrogate pair"}
# Lines looked at to tell a damaged first line from one value that is spread over many.
_TRIED_LINES = 50
_BLANK = b" \t\r\n"


@dataclass(frozen=True, slots=True)
class Limits:
    """What is held in memory at most.

    Attributes:
        record: Bytes of the longest record; a longer one is counted and passed over. A request with many large images
            is some 30 MB.
        whole: Bytes of the largest file of one JSON value that is decoded at once; of a larger one, item by item.
    """

    record: int = 128 * 1024 * 1024
    whole: int = 64 * 1024 * 1024


class NotJson(Exception):
    """A file is neither lines of JSON nor one JSON value."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


def records(stream: BufferedReader, tally: Tally, limits: Limits) -> Iterator[Record]:
    """The records of a JSON file, however it is laid out.

    Args:
        stream: The file at its start.
        tally: Counts what cannot be read.
        limits: Bounds of memory.

    Raises:
        NotJson: There is nothing else to read it as.
    """
    head, are_lines = _layout(stream, limits)
    if are_lines:
        yield from _of_lines(stream, head, tally, limits.record)
        return
    rest = _Joined(b"".join(head), stream)
    data = rest.read(limits.whole + 1)
    if len(data) <= limits.whole:
        yield from _of_value(data, tally)
    else:
        yield from _of_items(_Joined(data, rest), tally, limits.record)


def reason_of(found: tuple[Diagnostic, ...]) -> str:
    """Why a text named `record` is no JSON, without its name, which the place says better."""
    return found[0].message.removeprefix("`record` is ") if found else "it is `null`"


class _Joined:
    """Bytes that were read already, and the stream that they are from."""

    def __init__(self, head: bytes, stream: "BufferedReader | _Joined") -> None:
        self._head = head
        self._stream = stream

    def read(self, size: int) -> bytes:
        if not self._head:
            return self._stream.read(size)
        out, self._head = self._head[:size], self._head[size:]
        return out + self._stream.read(size - len(out)) if len(out) < size else out


def _layout(stream: BufferedReader, limits: Limits) -> tuple[list[bytes], bool]:
    """What was read to find out, and whether each line is a value by itself."""
    head: list[bytes] = []
    while (line := stream.readline(limits.record + 1)) and not line.strip(_BLANK):
        head.append(line)
    head.append(line)
    if len(line) > limits.record and not line.endswith(b"\n"):
        # No file is laid out otherwise with a first line of that length than on one line or on many such.
        return head, limits.record < limits.whole
    stripped = line.strip(_BLANK)
    if decode_json(stripped, "record")[0] is not None:
        while (line := stream.readline(limits.record + 1)) and not line.strip(_BLANK):
            head.append(line)
        head.append(line)
        return head, bool(line)
    return head, _lines_follow(stream, head, limits)


def _lines_follow(stream: BufferedReader, head: list[bytes], limits: Limits) -> bool:
    """Whether lines behind a first one that is no value are values by themselves; they are added to `head`."""
    is_value = False
    for _ in range(_TRIED_LINES):
        line = stream.readline(limits.record + 1)
        head.append(line)
        stripped = line.strip(_BLANK)
        # The last item of an array that is spread over lines is a value too, but what follows closes the array.
        if is_value and not stripped.startswith((b"]", b"}")):
            return True
        if not line or sum(map(len, head)) > limits.whole:
            break
        if stripped:
            is_value = stripped.startswith(b"{") and decode_json(stripped, "record")[0] is not None
    return False


def _of_lines(stream: BufferedReader, head: list[bytes], tally: Tally, limit: int) -> Iterator[Record]:
    number = 0
    waiting = iter(head)
    while line := next(waiting, b"") or stream.readline(limit + 1):
        number += 1
        where = Where(number)
        if len(line) > limit and not line.endswith(b"\n"):
            tally.records += 1
            tally.unreadable.add(where, f"it is longer than {limit:,} bytes")
            while (rest := stream.readline(1 << 20)) and not rest.endswith(b"\n"):
                pass
        elif stripped := line.strip(_BLANK):
            yield from decoded(stripped, where, tally)


def _of_value(data: bytes, tally: Tally) -> Iterator[Record]:
    value, found = decode_json(data, "record")
    if value is None:
        raise NotJson(reason_of(found))
    if not isinstance(value, list) or is_messages(value):
        yield from decoded(data, Where(None), tally)
        return
    doubt = _doubt(found)
    for index, item in enumerate(value):
        tally.records += 1
        yield Record(item, Where(None, f"/{index}"))
    if doubt is not None:
        tally.doubtful.add(Where(None), doubt)


def _of_items(stream: _Joined, tally: Tally, limit: int) -> Iterator[Record]:
    place = ""
    try:
        for place, data in items(stream, limit):
            if data is None:
                tally.records += 1
                tally.unreadable.add(Where(None, place), f"it is longer than {limit:,} bytes")
            else:
                yield from decoded(data, Where(None, place), tally)
    except Cut as fault:
        tally.cut = f"{fault}, behind `{place or '/'}`"


def decoded(data: bytes, where: Where, tally: Tally) -> Iterator[Record]:
    """The record in some bytes; nothing where they cannot be decoded, which is counted."""
    tally.records += 1
    value, found = decode_json(data, "record")
    if value is None:
        tally.unreadable.add(where, reason_of(found))
        return
    doubt = _doubt(found)
    if doubt is not None:
        tally.doubtful.add(where, doubt)
    yield Record(value, where)


def _doubt(found: tuple[Diagnostic, ...]) -> str | None:
    return next((f"{_DOUBTFUL[d.code]}, at `{d.pointer or '/'}`" for d in found), None)
