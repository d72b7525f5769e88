"""Beginnings of conversations whose bytes were seen: a line that repeats one is decoded without it.

In the log of an agent nearly all of a line is the history that the line before had. Where the array of the conversation
begins with bytes that were decoded before, they are cut out of the line and a mark is put in their place. If the mark is
the first item of the conversation of what is decoded then, the bytes stood where they were taken to stand.
"""

import re
from collections import OrderedDict
from dataclasses import dataclass, field
from typing import Any

from promptc.compare.lineage import Digest

# No request has such an item; it only has to be told from one that a line has.
MARK = b'"\\u0000promptc history"'
_PROBES = (16384, 4096, 1024, 256, 64)
_OPENING = re.compile(rb'"(?:messages|contents|input)"\s*:\s*\[\s*')
_NAMES = (b'"messages"', b'"contents"', b'"input"')
_SEPARATORS = b", \t\r\n"
_BETWEEN = 8
_GUESSES = 6
# Bytes of histories that are held; the one that was not needed for longest goes first.
_HELD_BYTES = 128 * 1024 * 1024
_HELD = 2048


@dataclass(slots=True)
class History:
    """The conversation of one request.

    Attributes:
        region: Its bytes, from the first item to the last.
        stops: Where each item ends in them.
        own: A digest for each element.
        roles: A letter for the role of each element.
        ends: How many elements the items up to each have.
        sums: How many bytes the elements of the items up to each have.
        front: What else the request holds, and the raw members that it was read from.
        neutral: Whether no item tells the shape of a body.
        probed: How much of the region it is found by.
    """

    region: bytearray
    stops: list[int]
    own: tuple[Digest, ...]
    roles: str
    ends: list[int]
    sums: list[int]
    front: Any
    front_raws: tuple[Any, ...]
    neutral: bool
    probed: int = 0
    _keys: list[tuple[int, int]] = field(default_factory=list)
    _bytes: int = 0

    def cut(self, items: int) -> None:
        """Keep so many items."""
        elements = self.ends[items - 1]
        del self.stops[items:], self.ends[items:], self.sums[items:]
        del self.region[self.stops[-1] :]
        self.probed = min(self.probed, len(self.region))
        self.own, self.roles = self.own[:elements], self.roles[:elements]


@dataclass(frozen=True, slots=True)
class Found:
    """A history that a line begins with.

    Attributes:
        items: How many items of it.
        start: Where the first one is in the line.
        stop: Where the last one ends.
    """

    history: History
    items: int
    start: int
    stop: int


class Histories:
    """The histories that are held."""

    def __init__(self) -> None:
        self._held: OrderedDict[int, History] = OrderedDict()
        self._by_start: dict[tuple[int, int], History] = {}
        self._bytes = 0
        self._openings: list[int] = []

    def find(self, line: bytes) -> Found | None:
        """The history that a line begins with, as far as it does; None where none is known."""
        start = self._opening(line)
        if start is None:
            return None
        for size in _PROBES:
            head = line[start : start + size]
            known = self._by_start.get((size, hash(head))) if len(head) == size else None
            if known is not None:
                items = _shared(known, line, start)
                if items:
                    return Found(known, items, start, start + known.stops[items - 1])
        return None

    def _opening(self, line: bytes) -> int | None:
        # Requests of one agent have the same in front; a wrong guess is found out by the mark.
        for place in self._openings:
            match = _OPENING.match(line, place)
            if match is not None:
                return match.end()
        found = opening(line)
        if found is None:
            return None
        self._openings = [found[0], *self._openings[: _GUESSES - 1]]
        return found[1]

    def keep(self, history: History, extra: int) -> None:
        """Hold a history, or hold it longer.

        Args:
            history: A new one, or one that has grown.
            extra: Bytes that it keeps alive besides its own.
        """
        self._held.pop(id(history), None)
        self._held[id(history)] = history
        self._bytes += len(history.region) + extra - history._bytes
        history._bytes = len(history.region) + extra
        if history.probed < _PROBES[0]:
            keys = [(size, hash(bytes(history.region[:size]))) for size in _PROBES if len(history.region) >= size]
            self._forget(history)
            history._keys = keys
            history.probed = len(history.region)
        for key in history._keys:
            self._by_start[key] = history
        while (self._bytes > _HELD_BYTES or len(self._held) > _HELD) and len(self._held) > 1:
            _, oldest = self._held.popitem(last=False)
            self._bytes -= oldest._bytes
            self._forget(oldest)

    def _forget(self, history: History) -> None:
        for key in history._keys:
            if self._by_start.get(key) is history:
                del self._by_start[key]


def opening(line: bytes) -> tuple[int, int] | None:
    """Where the member of a conversation and its first item seem to be; None where there is no array of one."""
    for name in _NAMES:
        at = line.find(name)
        while at >= 0:
            match = _OPENING.match(line, at)
            if match is not None:
                return at, match.end()
            at = line.find(name, at + 1)
    return None


def stops_of(line: bytes, start: int, raws: list[Any]) -> list[int] | None:
    """Where items end, counted from the first; None where they do not stand there one behind the other.

    Args:
        line: The line.
        start: Where the first of them begins, or what separates it from the one before.
        raws: The items, in order.
    """
    stops: list[int] = []
    at = start
    for raw in raws:
        data = bytes(raw)
        begin = line.find(data, at, at + len(data) + _BETWEEN)
        if begin < 0 or line[at:begin].strip(_SEPARATORS):
            return None
        at = begin + len(data)
        stops.append(at - start)
    return stops


def _shared(known: History, line: bytes, start: int) -> int:
    """How many items of a history a line begins with."""
    stops, region = known.stops, known.region

    view = memoryview(line)

    def begins(items: int, low: int = 0) -> bool:
        first = stops[low - 1] if low else 0
        return region.startswith(view[start + first : start + stops[items - 1]], first) and start + stops[
            items - 1
        ] < len(line)

    # A marker that has moved on leaves the last item another one; all before it is as it was.
    most = max(len(stops) - 2, 1)
    if begins(most):
        while most < len(stops) and begins(most + 1, most):
            most += 1
        return most
    low, high = 0, most
    while high - low > 1:
        middle = (low + high) // 2
        if begins(middle, low):
            low = middle
        else:
            high = middle
    return low
