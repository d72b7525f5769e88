"""Where a request stops being a continuation of the one before it, and which section did it."""

import re
from bisect import bisect_right
from dataclasses import dataclass

from promptc.runtime.request import Range, Request

_EXCERPT = 48
_BEFORE = 16
# What closes a request behind its last message.
_CLOSING = len(b"]}")


@dataclass(frozen=True, slots=True)
class Side:
    """One of two requests at the first byte that differs.

    Attributes:
        section: Section that wrote the byte, or what the byte introduces; empty for none.
        kind: As in the prefix map: `literal`, `interpolated`, `section`, `conversation`; empty at the end.
        place: `path:line:column` in the spec; empty for none.
        excerpt: The bytes around the place, as JSON has them.
    """

    section: str
    kind: str
    place: str
    excerpt: str


@dataclass(frozen=True, slots=True)
class Unmarked:
    """The body of a request without its cache markers, and which section wrote what."""

    data: bytes
    cuts: tuple[tuple[int, int], ...]
    ranges: tuple[Range, ...]

    @property
    def sections(self) -> frozenset[str]:
        """Names of the sections that wrote any of it."""
        return frozenset(r.section for r in self.ranges)

    def side(self, offset: int) -> Side:
        """What stands at an offset."""
        original = offset
        for at, length in self.cuts:
            if at <= original:
                original += length
        index = max(0, bisect_right([r.start for r in self.ranges], original) - 1)
        # The format's own bytes belong to what they introduce: a comma to the tool behind it.
        found = next((r for r in self.ranges[index:] if r.end > original and r.kind != "wire"), Range(0, 0, "", "", ""))
        excerpt = self.data[max(0, offset - _BEFORE) : offset + _EXCERPT - _BEFORE]
        return Side(found.section, found.kind, found.place, excerpt.decode("utf-8", "ignore"))


def unmarked(request: Request, field: str) -> Unmarked:
    """A request without its markers: they are no part of what is cached.

    Args:
        field: Name of the member that marks; empty for none.
    """
    ranges = request.prefix_map()
    if not field:
        return Unmarked(request.body, (), ranges)
    # A quote inside a JSON text is escaped, so this never matches in one.
    marker = re.compile(b',"' + re.escape(field.encode()) + rb'":\{[^{}]*\}')
    pieces: list[bytes] = []
    cuts: list[tuple[int, int]] = []
    end = 0
    for found in marker.finditer(request.body):
        pieces.append(request.body[end : found.start()])
        cuts.append((found.start(), found.end() - found.start()))
        end = found.end()
    pieces.append(request.body[end:])
    return Unmarked(b"".join(pieces), tuple(cuts), ranges)


def parting(before: Unmarked, after: Unmarked) -> tuple[Side, Side] | None:
    """What stands in both requests where the later one first differs; None where it only appends."""
    at = common_length(before.data, after.data)
    if at >= len(before.data) - _CLOSING:
        return None
    return before.side(at), after.side(at)


def common_length(a: bytes, b: bytes) -> int:
    """How many bytes two texts have in common at their head."""
    low, high = 0, min(len(a), len(b))
    while low < high:
        middle = (low + high + 1) // 2
        if a[low:middle] == b[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low
