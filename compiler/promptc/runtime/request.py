"""A finished request, and which section wrote which of its bytes.

While a request is built it is a list in which every piece of bytes is followed by its mark: a number in the
assembler's table of marks, or the list of pieces that it was joined from.
"""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from promptc.runtime.state import Decision, State

# The first marks of every assembler: the format's own bytes, what the caller passed, and what joins sections.
WIRE = 0
CALLER = 1
SEAM = 2

Parts = list[Any]
Sealed = tuple[bytes, Parts]


class Range(NamedTuple):
    """A run of bytes in a request body.

    Attributes:
        start, end: Half-open byte range.
        section: Name of the section or tool group; empty for what belongs to none.
        kind: `literal` (text of the spec), `interpolated` (a value in it), `section` (a whole text of which only the
            section is known), `conversation` (what the caller passed) or `wire` (the format's own bytes).
        place: `path:line:column` in the spec, 1-based; empty where there is none.
    """

    start: int
    end: int
    section: str
    kind: str
    place: str


Mark = tuple[str, str, str]


def seal(parts: Parts) -> Sealed:
    """Join pieces into one; they stay at hand for the prefix map."""
    return b"".join(parts[::2]), parts


class Request:
    """One request.

    Attributes:
        body: The bytes for the wire.
        state: What the next request of this conversation needs.
        decisions: What was done differently from what the spec asks, and why.
        model: The model to name in the address; empty where the body names it, or only the caller knows it.
    """

    __slots__ = ("_marks", "_parts", "body", "decisions", "model", "state")

    def __init__(
        self, parts: Parts, marks: Sequence[Mark], state: State, decisions: tuple[Decision, ...], model: str = ""
    ) -> None:
        self.body: bytes = b"".join(parts[::2])
        self.model = model
        self.state = state
        self.decisions = decisions
        self._parts = parts
        self._marks = marks

    def prefix_map(self) -> tuple[Range, ...]:
        """Which section wrote which bytes of the body: without gaps, neighbours of the same origin as one."""
        ranges: list[Range] = []
        start = 0
        for size, mark in _flat(self._parts):
            if not size:
                continue
            section, kind, place = self._marks[mark]
            end = start + size
            if ranges and ranges[-1][2:] == (section, kind, place):
                ranges[-1] = ranges[-1]._replace(end=end)
            else:
                ranges.append(Range(start, end, section, kind, place))
            start = end
        return tuple(ranges)


def _flat(parts: Parts) -> Iterator[tuple[int, int]]:
    for at in range(0, len(parts), 2):
        mark = parts[at + 1]
        if isinstance(mark, int):
            yield len(parts[at]), mark
        else:
            yield from _flat(mark)
