"""Gives back the bodies of earlier requests: from the log, where it can be read at a place, else the latest from memory."""

import io
from collections import OrderedDict
from collections.abc import Callable
from pathlib import Path

from promptc.audit.captured import Knowledge
from promptc.audit.facts import Place
from promptc.streams.json_value import JsonObject
from promptc.streams.model import PrefixStream
from promptc.streams.read import stream_of_body
from promptc.streams.sources.formats import FORMATS
from promptc.streams.sources.model import Where
from promptc.streams.sources.read import LineCaptures
from promptc.streams.sources.tally import Tally

_STREAM_BYTES = 8 * 1024 * 1024
# Where a log cannot be read again (packed, from a pipe, of another format), its latest bodies are kept.
KEPT_BYTES = 256 * 1024 * 1024

Reader = Callable[[bytes, int], JsonObject | None]


class Bodies:
    """Streams of earlier requests by their numbers.

    Attributes:
        lost: Requests that were asked for and were no longer at hand.
    """

    def __init__(self, known: Knowledge) -> None:
        self.lost = 0
        self._known = known
        self._logs: dict[int, tuple[io.BufferedReader, Reader]] = {}
        self._kept: OrderedDict[int, tuple[bytes, int, Reader]] = OrderedDict()
        self._kept_bytes = 0
        self._streams: OrderedDict[int, tuple[PrefixStream, int]] = OrderedDict()
        self._stream_bytes = 0

    def open_log(self, input: int, path: Path, read: Reader) -> None:
        """Make a log readable at its places.

        Args:
            input: Which of the logs.
            path: Its file.
            read: The body of a request from the bytes of its line and its number in the line.
        """
        self._logs[input] = (path.open("rb"), read)

    def close(self) -> None:
        """Close every log."""
        for file, _ in self._logs.values():
            file.close()

    def keep(self, number: int, data: bytes, part: int, read: Reader) -> None:
        """Keep a request of a log that cannot be read again.

        Args:
            number: Its number.
            data: The bytes of its line, or of its body.
            part: Its number in the line.
            read: As in `open_log`.
        """
        self._kept[number] = (data, part, read)
        self._kept_bytes += len(data)
        while self._kept_bytes > KEPT_BYTES and len(self._kept) > 1:
            self._kept_bytes -= len(self._kept.popitem(last=False)[1][0])

    def remember(self, number: int, stream: PrefixStream, size: int) -> None:
        """Hold a stream that is at hand anyway."""
        self._streams[number] = (stream, size)
        self._stream_bytes += size
        while self._stream_bytes > _STREAM_BYTES and len(self._streams) > 1:
            self._stream_bytes -= self._streams.popitem(last=False)[1][1]

    def stream(self, number: int, place: Place | None) -> PrefixStream | None:
        """The stream of a request; None where it is no longer at hand.

        Args:
            number: Its number.
            place: Where it is.
        """
        if number in self._streams:
            self._streams.move_to_end(number)
            return self._streams[number][0]
        body = self._body(number, place)
        stream = None
        if body is not None:
            stream, _ = stream_of_body(body, f"#{number}", self._known.target, registry=self._known.registry)
        if stream is None:
            self.lost += 1
            return None
        self.remember(number, stream, place.length if place is not None else 0)
        return stream

    def _body(self, number: int, place: Place | None) -> JsonObject | None:
        if number in self._kept:
            data, part, read = self._kept[number]
            return read(data, part)
        if place is None or place.offset is None or place.input not in self._logs:
            return None
        file, read = self._logs[place.input]
        file.seek(place.offset)
        return read(file.read(place.length), place.part)


def body_reader(name: str) -> Reader:
    """How the body of a request is had from the bytes of its line.

    Args:
        name: Name of the format of the log.
    """
    format = next(known for known in FORMATS if known.name == name)

    def read(line: bytes, part: int) -> JsonObject | None:
        captures = LineCaptures(format, Tally()).take(line.strip(b" \t\r\n"), Where(None))
        return captures[part].body if part < len(captures) else None

    return read
