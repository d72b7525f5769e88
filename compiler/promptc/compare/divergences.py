"""Every independent divergence of two element lists: edits, insertions, removals and moves, first one first."""

from bisect import bisect_right
from collections import Counter, defaultdict, deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from promptc.compare.align import align
from promptc.compare.pairing import Run, pair_up
from promptc.streams.json_value import JsonValue
from promptc.streams.model import LANES, Element, Lane
from promptc.streams.result import ChangeClass


@dataclass(frozen=True, slots=True)
class Divergence:
    """One independent divergence.

    Attributes:
        at_a: Element of the first stream where it shows; its length when behind the last one.
        at_b: The same in the second.
        change_class: What happened; `edit` where the two elements are one that changed.
        old: Elements of the first stream that took part.
        new: Elements of the second.
    """

    at_a: int
    at_b: int
    change_class: ChangeClass
    old: tuple[int, ...]
    new: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class _Gap:
    a_low: int
    a_high: int
    b_low: int
    b_high: int


@dataclass(frozen=True, slots=True)
class _Move:
    from_a: int
    to_b: int


def divergences(
    a: Sequence[Element], b: Sequence[Element], common: int, order: tuple[Lane, ...] = LANES
) -> list[Divergence]:
    """All divergences behind a common prefix.

    Args:
        a: Elements of the first stream.
        b: Elements of the second.
        common: Number of leading elements that are the same.
        order: Lanes in cache order.

    Returns:
        In stream order. Empty when one stream continues the other: growth at the end is no divergence.
    """
    if common in (len(a), len(b)):
        return []
    tail = _same_at_end(a, b, common)
    end_a, end_b = len(a) - tail, len(b) - tail
    keys_a, keys_b = _keys(a[common:end_a]), _keys(b[common:end_b])
    matched = [(i + common, j + common) for i, j in align(keys_a, keys_b)]
    matched += [(end_a + i, end_b + i) for i in range(tail)]
    gaps = _gaps(matched, common, len(a), len(b))
    moves = _moves(gaps, keys_a, keys_b, common)
    found = [*_moved(moves, gaps, matched, a, b)]
    from_a = {move.from_a for move in moves}
    to_b = {move.to_b for move in moves}
    for gap in gaps:
        left = [i for i in range(gap.a_low, gap.a_high) if i not in from_a]
        right = [j for j in range(gap.b_low, gap.b_high) if j not in to_b]
        runs = list(pair_up(a, b, left, right, (gap.a_low, gap.b_low), order))
        last = gap.a_high == len(a) and gap.b_high == len(b)
        found.extend(_of_runs(runs, last))
    return sorted(found, key=lambda entry: (entry.at_a, entry.at_b))


def _same_at_end(a: Sequence[Element], b: Sequence[Element], common: int) -> int:
    """Number of elements at the end that are the same, behind the common prefix."""
    most = min(len(a), len(b)) - common
    return next((i for i in range(most) if not a[-1 - i].same_as(b[-1 - i])), most)


class _Key:
    """An element as a key: two are equal exactly when the elements are the same."""

    __slots__ = ("_element", "_hash")

    def __init__(self, element: Element) -> None:
        self._element = element
        self._hash = hash((element.kind, element.role, _hash(element.value)))

    def __hash__(self) -> int:
        return self._hash

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Key) and self._hash == other._hash and self._element.same_as(other._element)


def _hash(value: JsonValue) -> int:
    # A list cannot be hashed by itself; equal hashes are compared, so they need not tell types apart.
    if isinstance(value, tuple):
        return hash(tuple([(key, _hash(item)) for key, item in value]))
    if isinstance(value, list):
        return hash(tuple([_hash(item) for item in value]))
    return hash(value)


def _keys(elements: Sequence[Element]) -> list[_Key]:
    return [_Key(element) for element in elements]


def _gaps(matched: list[tuple[int, int]], start: int, end_a: int, end_b: int) -> list[_Gap]:
    gaps: list[_Gap] = []
    i = j = start
    for next_i, next_j in [*matched, (end_a, end_b)]:
        if next_i > i or next_j > j:
            gaps.append(_Gap(i, next_i, j, next_j))
        i, j = next_i + 1, next_j + 1
    return gaps


def _moves(gaps: list[_Gap], keys_a: list[_Key], keys_b: list[_Key], start: int) -> list[_Move]:
    """Elements that are on both sides, but not in the order of the rest."""
    places: defaultdict[_Key, deque[int]] = defaultdict(deque)
    for gap in gaps:
        for j in range(gap.b_low, gap.b_high):
            places[keys_b[j - start]].append(j)
    moves: list[_Move] = []
    for gap in gaps:
        for i in range(gap.a_low, gap.a_high):
            waiting = places.get(keys_a[i - start])
            if waiting:
                moves.append(_Move(i, waiting.popleft()))
    return moves


def _moved(
    moves: list[_Move], gaps: list[_Gap], matched: list[tuple[int, int]], a: Sequence[Element], b: Sequence[Element]
) -> Iterator[Divergence]:
    if not moves:
        return
    links: defaultdict[str, set[str]] = defaultdict(set)
    for i, j in matched:
        links[a[i].container].add(b[j].container)
    size_a = Counter(element.container for element in a)
    size_b = Counter(element.container for element in b)
    together = Counter((a[move.from_a].container, b[move.to_b].container) for move in moves)
    groups: defaultdict[tuple[str, str], list[_Move]] = defaultdict(list)
    for move in moves:
        pair = (a[move.from_a].container, b[move.to_b].container)
        inside = pair[1] in links[pair[0]] if pair[0] in links else pair[0] == pair[1]
        if together[pair] == size_a[pair[0]] == size_b[pair[1]]:
            # Whole messages changed places; none of what holds them stayed.
            groups[a[move.from_a].kind, ""].append(move)
        elif inside:
            groups[pair].append(move)
        else:
            yield _move_finding([move], gaps, "mixed")
    for group in groups.values():
        yield _move_finding(group, gaps, "reorder")


def _move_finding(group: list[_Move], gaps: list[_Gap], change_class: ChangeClass) -> Divergence:
    """One finding for a group of moves, at the first place where either stream shows one of them."""
    places = []
    for move in group:
        index = bisect_right(gaps, move.from_a, key=lambda gap: gap.a_low) - 1
        gap = gaps[index]
        step = move.from_a - gap.a_low
        places.append((index, step, move.from_a, min(gap.b_low + step, gap.b_high)))
        index = bisect_right(gaps, move.to_b, key=lambda gap: gap.b_low) - 1
        gap = gaps[index]
        step = move.to_b - gap.b_low
        places.append((index, step, min(gap.a_low + step, gap.a_high), move.to_b))
    _, _, at_a, at_b = min(places)
    old, new = tuple(move.from_a for move in group), tuple(move.to_b for move in group)
    return Divergence(at_a, at_b, change_class, old, new)


def _of_runs(runs: list[Run], last: bool) -> Iterator[Divergence]:
    if last and runs and (not runs[-1].old or not runs[-1].new):
        # What only one side has at its very end is growth or a rewind.
        runs = runs[:-1]
    for run in runs:
        yield from _of_run(run)


def _of_run(run: Run) -> Iterator[Divergence]:
    if len(run.old) == len(run.new):
        for i, j in zip(run.old, run.new, strict=True):
            yield Divergence(i, j, "edit", (i,), (j,))
    else:
        change: ChangeClass = "mixed" if run.old and run.new else "remove" if run.old else "insert"
        yield Divergence(run.at_a, run.at_b, change, run.old, run.new)
