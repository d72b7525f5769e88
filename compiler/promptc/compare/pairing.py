"""Pairs what is left between two aligned elements: which old element became which new one."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from promptc.compare.walk import text_in
from promptc.streams.common_prefix import common_prefix, common_suffix
from promptc.streams.json_value import encode, member
from promptc.streams.model import LANE_OF, LANES, Element, Kind, Lane

# Larger gaps are paired by label alone, from the front.
MAX_COMPARED = 40
_SAMPLE = 2000
# Sharing a label counts as much as sharing a third of the text.
_LABEL_WORTH = 1.0
_TEXT_WORTH = 3.0


@dataclass(frozen=True, slots=True)
class Run:
    """Neighbouring elements that changed together.

    Attributes:
        old: Elements of the first stream; as many as `new` when each became the one at its place.
        new: Elements of the second stream.
        at_a: Where the run begins in the first stream, also when it has nothing there.
        at_b: Where it begins in the second.
    """

    old: tuple[int, ...]
    new: tuple[int, ...]
    at_a: int
    at_b: int


def pair_up(
    a: Sequence[Element],
    b: Sequence[Element],
    left: list[int],
    right: list[int],
    start: tuple[int, int],
    order: tuple[Lane, ...],
) -> Iterator[Run]:
    """Runs of a gap in stream order.

    Args:
        a: Elements of the first stream.
        b: Elements of the second.
        left: Indices in `a` that have no equal in `b`.
        right: Indices in `b` that have no equal in `a`.
        start: Where the gap begins on both sides.
        order: Lanes in cache order.
    """
    at_a, at_b = start
    kinds: set[Kind] = {a[i].kind for i in left} | {b[j].kind for j in right}
    for kind in sorted(kinds, key=lambda kind: (*order, *LANES).index(LANE_OF[kind])):
        old = [i for i in left if a[i].kind == kind]
        new = [j for j in right if b[j].kind == kind]
        for run_old, run_new in _split(old, new, _pairs(a, b, old, new)):
            at_a, at_b = (run_old[0] if run_old else at_a), (run_new[0] if run_new else at_b)
            yield Run(tuple(run_old), tuple(run_new), at_a, at_b)
            at_a, at_b = (run_old[-1] + 1 if run_old else at_a), (run_new[-1] + 1 if run_new else at_b)


def _split(old: list[int], new: list[int], pairs: list[tuple[int, int]]) -> Iterator[tuple[list[int], list[int]]]:
    """Each pair as a run, and what lies between pairs as a run."""
    i = j = 0
    for next_i, next_j in [*pairs, (len(old), len(new))]:
        if next_i > i or next_j > j:
            yield old[i:next_i], new[j:next_j]
        if next_i < len(old):
            yield [old[next_i]], [new[next_j]]
        i, j = next_i + 1, next_j + 1


def label(element: Element) -> str:
    """What makes two elements candidates for being the same one, changed: the name of a tool, the type of a block."""
    value = element.value
    if element.kind == "tool":
        named = member(member(value, "function"), "name") or member(value, "name")
        return f"tool {named if isinstance(named, str) else ''}"
    kind = member(value, "type")
    if not isinstance(kind, str):
        kind = value[0][0] if isinstance(value, tuple) and value and element.role is None else "text"
    return f"{element.kind} {element.role} {kind}"


def _pairs(a: Sequence[Element], b: Sequence[Element], old: list[int], new: list[int]) -> list[tuple[int, int]]:
    labels_a, labels_b = [label(a[i]) for i in old], [label(b[j]) for j in new]
    if len(old) > MAX_COMPARED or len(new) > MAX_COMPARED:
        return _by_label(labels_a, labels_b)
    texts_a, texts_b = [_sample(a[i]) for i in old], [_sample(b[j]) for j in new]
    rows, columns = len(old), len(new)
    best = [[0.0] * (columns + 1) for _ in range(rows + 1)]
    score = [[0.0] * columns for _ in range(rows)]
    for i in range(rows - 1, -1, -1):
        for j in range(columns - 1, -1, -1):
            if labels_a[i] == labels_b[j]:
                score[i][j] = _LABEL_WORTH + _TEXT_WORTH * _likeness(texts_a[i], texts_b[j])
            paired = score[i][j] + best[i + 1][j + 1] if score[i][j] else 0.0
            best[i][j] = max(best[i + 1][j], best[i][j + 1], paired)
    pairs: list[tuple[int, int]] = []
    i = j = 0
    while i < rows and j < columns:
        if score[i][j] and best[i][j] == score[i][j] + best[i + 1][j + 1]:
            pairs.append((i, j))
            i, j = i + 1, j + 1
        elif best[i][j] == best[i + 1][j]:
            i += 1
        else:
            j += 1
    return pairs


def _by_label(labels_a: list[str], labels_b: list[str]) -> list[tuple[int, int]]:
    """Front to front: the n-th old element of a label is the n-th new one, as far as both keep their order."""
    pairs: list[tuple[int, int]] = []
    j = 0
    for i, name in enumerate(labels_a):
        if j < len(labels_b) and labels_b[j] == name:
            pairs.append((i, j))
            j += 1
    return pairs


def _sample(element: Element) -> str:
    """What likeness is judged by: what a message says where it says something, else all of it."""
    said = text_in(member(element.value, "content"))
    text = element.text if said is None else said[0]
    return encode(element.value) if text is None else text


def _likeness(a: str, b: str) -> float:
    """Share of the longer text that both have at their ends, from 0 to 1; looks at the ends of long texts only."""
    longest = min(max(len(a), len(b)), 2 * _SAMPLE)
    if longest == 0:
        return 1.0
    head = common_prefix(a[:_SAMPLE], b[:_SAMPLE])
    tail = common_suffix(a[-_SAMPLE:], b[-_SAMPLE:], 0)
    return min((head + tail) / longest, 1.0)
