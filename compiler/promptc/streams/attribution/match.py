"""Fits a text to a pattern: every step is tried at every place that can be reached, once, so nothing is tried twice.

Behind a hole every later place can be reached; that is kept as the hole's possible beginnings. Of several ways to fit,
the one with the most literal bytes counts. The work is at most the steps of the pattern times the length of the text,
and is given up above `MAX_PLACES` places.
"""

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from promptc.streams.attribution.model import Range
from promptc.streams.attribution.pattern import Pattern, Step
from promptc.streams.json_value import utf8_length

# A text of a megabyte with a space behind every hole reaches fewer.
MAX_PLACES = 400_000


@dataclass(frozen=True, slots=True)
class _Hole:
    """A hole that is open: where it begins, and the literal characters in front of it."""

    start: int
    score: int
    step: int


@dataclass(slots=True)
class _Reached:
    """The places of a text that a step can begin at.

    Attributes:
        places: Each with the literal characters in front of it, the literal that ends there, and where that begins.
        holes: Open holes; a later beginning only with more literal characters in front of it.
    """

    places: dict[int, tuple[int, int, int]] = field(default_factory=dict)
    holes: list[_Hole] = field(default_factory=list)

    def add(self, place: int, entry: tuple[int, int, int]) -> None:
        known = self.places.get(place)
        if known is None or entry[0] > known[0]:
            self.places[place] = entry

    def merge(self, other: "_Reached") -> None:
        for place, entry in other.places.items():
            self.add(place, entry)
        if other.holes:
            self.holes = list(_rising([*self.holes, *other.holes]))

    def hole_at(self, place: int) -> _Hole | None:
        """The open hole with the most in front of it that holds a place."""
        index = bisect_right(self.holes, place, key=lambda hole: hole.start) - 1
        return self.holes[index] if index >= 0 else None

    def score_at(self, place: int) -> int:
        known, hole = self.places.get(place), self.hole_at(place)
        return max(known[0] if known is not None else -1, hole.score if hole is not None else -1)


def _rising(holes: Iterable[_Hole]) -> Iterator[_Hole]:
    best = -1
    for hole in sorted(holes, key=lambda h: (h.start, -h.score)):
        if hole.score > best:
            best = hole.score
            yield hole


def fit(pattern: Pattern, text: str) -> tuple[Range, ...] | None:
    """The ranges of a text that fits a pattern, in bytes; None when it does not."""
    if pattern.anchor not in text:
        return None
    steps = pattern.steps
    reached = [_Reached() for _ in range(len(steps) + 1)]
    reached[0].places[0] = (0, -1, 0)
    count = 0
    for index, step in enumerate(steps):
        here = reached[index]
        if step.kind == "fork":
            for target in step.targets:
                reached[target].merge(here)
        elif step.kind == "hole":
            begun = [_Hole(place, entry[0], index) for place, entry in here.places.items()]
            begun += [_Hole(hole.start, hole.score, index) for hole in here.holes]
            reached[index + 1].merge(_Reached({}, begun))
        else:
            count += _literal(steps, index, text, reached)
        if count > MAX_PLACES:
            return None
    return _ranges(steps, reached, text) if reached[-1].score_at(len(text)) >= 0 else None


def _literal(steps: Sequence[Step], index: int, text: str, reached: list[_Reached]) -> int:
    """Go over a literal from wherever it can begin; the number of places tried."""
    here, there = reached[index], reached[index + 1]
    wanted = steps[index].text
    size = len(wanted)
    tried = 0
    for place in _beginnings(steps, index, text, here):
        tried += 1
        if tried > MAX_PLACES:
            break
        if text.startswith(wanted, place):
            there.add(place + size, (here.score_at(place) + size, index, place))
    return tried


def _beginnings(steps: Sequence[Step], index: int, text: str, here: _Reached) -> Iterator[int]:
    yield from here.places
    if not here.holes:
        return
    wanted = steps[index].text
    if index + 1 == len(steps):
        # Nothing follows, so only the end of the text counts.
        yield max(len(text) - len(wanted), here.holes[0].start)
    elif steps[index + 1].kind == "hole":
        # Behind the first of equals, every later one can be reached too.
        yield from (at for hole in here.holes if (at := text.find(wanted, hole.start)) >= 0)
    else:
        at = text.find(wanted, here.holes[0].start)
        while at >= 0:
            yield at
            at = text.find(wanted, at + 1)


def _ranges(steps: Sequence[Step], reached: list[_Reached], text: str) -> tuple[Range, ...]:
    """The way back from the end, as ranges in order; empty ones left out."""
    spans: list[tuple[int, int, int]] = []
    index, place = len(steps), len(text)
    while True:
        entry, hole = reached[index].places.get(place), reached[index].hole_at(place)
        if entry is not None and (hole is None or entry[0] >= hole.score):
            if entry[1] < 0:
                break
            spans.append((entry[2], place, entry[1]))
            _, index, place = entry
        else:
            assert hole is not None
            spans.append((hole.start, place, hole.step))
            index, place = hole.step, hole.start
    out: list[Range] = []
    at = 0
    for start, end, number in reversed(spans):
        if end > start:
            size = utf8_length(text[start:end])
            out.append(_range(at, at + size, steps[number]))
            at += size
    return tuple(out)


def _range(start: int, end: int, step: Step) -> Range:
    owner = step.owner
    if owner is None:
        return Range(start, end, None, "pattern", True)
    return Range(start, end, owner, "digest" if owner.whole else "pattern", step.kind == "text")
