"""Find the markers of least expected cost: dynamic programming over the places where one may stand, exact."""

from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache

from promptc.planning.auto.expect import can_outrun, cost_of_rest, ends_of, price_of_stretch
from promptc.planning.auto.model import Choice, Mark, Problem

# Cost first. Of equal costs the fewest markers, then the shortest lifetimes, then the earliest places.
_Key = tuple[Fraction, int, tuple[tuple[int, int], ...]]
_State = tuple[_Key, tuple[Mark, ...]]


def solve(problem: Problem) -> Choice:
    """The choice of least expected cost.

    One slot is kept for the end of the conversation, and a second one for the lagging marker where a turn can outrun
    the lookback. A marker never lives longer than one in front of it, on any provider.
    """
    found = min(_choices(problem), key=lambda pair: pair[0])
    return found[1]


def _choices(problem: Problem) -> Iterator[tuple[_Key, Choice]]:
    ends = ends_of(problem)
    whole = ends[-1] if ends else 0
    for tail, lagging, slots in tails(problem):
        # What stands behind the last marker of the prefix costs the same for each of its tokens.
        least = cost_of_rest(problem, 0, tail, lagging)
        each = cost_of_rest(problem, 1, tail, lagging) - least
        for (cost, count, order), marks in _prefixes(problem, slots):
            if tail is not None and marks and marks[-1].lifetime > tail:
                continue
            rest = whole - (ends[marks[-1].after] if marks else 0)
            total = cost + least + each * rest
            kept = count + (tail is not None and problem.rules.tail == "marker") + lagging
            yield (total, kept, (*order, _rank(problem, tail))), Choice(marks, tail, lagging, total)


def tails(problem: Problem) -> tuple[tuple[int | None, bool, int], ...]:
    """What may stand at the end of the conversation: lifetime, whether a lagging one too, and slots left in front."""
    rules = problem.rules
    lifetimes = range(len(rules.lifetimes))
    if rules.tail == "nobody":
        return ((None, False, rules.limit),)
    if rules.tail == "provider":
        return tuple((index, False, rules.limit) for index in lifetimes[-1:])
    lagging = can_outrun(problem) and problem.load.turns > 1 and rules.limit > 1
    marked = tuple((index, lagging, rules.limit - 1 - lagging) for index in lifetimes)
    return ((None, False, rules.limit - 1), *marked)


def _rank(problem: Problem, tail: int | None) -> tuple[int, int]:
    return (0, 0) if tail is None else (-tail, len(problem.segments))


@lru_cache(maxsize=8)
def _prefixes(problem: Problem, slots: int) -> tuple[_State, ...]:
    """The best row of markers for every place and lifetime of its last one, and the empty row."""
    rules = problem.rules
    ends = ends_of(problem)
    start: _State = ((Fraction(0), 0, ()), ())
    best: dict[tuple[int, int, int], _State] = {}
    for after, segment in enumerate(problem.segments):
        if not segment.markable or ends[after] < rules.minimum:
            continue
        for lifetime in range(len(rules.lifetimes)):
            mark = Mark(after, lifetime)
            price = price_of_stretch(problem, mark)
            for count in range(1, slots + 1):
                rows = [start] if count == 1 else []
                rows += [s for (_, before, c), s in best.items() if c == count - 1 and before <= lifetime]
                extended = [_with(ends, row, mark, price) for row in rows if not row[1] or row[1][-1].after < after]
                if extended:
                    best[after, lifetime, count] = min(extended, key=lambda state: state[0])
    return (start, *best.values())


def _with(ends: list[int], row: _State, mark: Mark, price: Fraction) -> _State:
    (cost, count, order), marks = row
    done = ends[marks[-1].after] if marks else 0
    total = cost + (ends[mark.after] - done) * price
    return (total, count + 1, (*order, (-mark.lifetime, mark.after))), (*marks, mark)
