"""Aligns two sequences of keys: which item of one is which item of the other.

Equal heads and tails are cut off, keys that occur once on both sides become anchors (the longest run of them that keeps
its order), and what is left between anchors is aligned the same way; small rests exactly, large ones without anchors
not at all. So the work is bounded by n log n, whatever the input.
"""

from bisect import bisect_left
from collections import Counter
from collections.abc import Hashable, Sequence

# Below this many cells the longest common subsequence is computed exactly.
EXACT_CELLS = 10_000
# Each round of anchors costs n log n; real texts need two or three.
MAX_ROUNDS = 16


def align(a: Sequence[Hashable], b: Sequence[Hashable]) -> list[tuple[int, int]]:
    """Pairs of indices of equal keys, rising on both sides."""
    pairs: list[tuple[int, int]] = []
    # A stack instead of recursion: a hostile input must not decide how deep calls nest.
    work = [(0, len(a), 0, len(b), 0)]
    while work:
        a_low, a_high, b_low, b_high, rounds = work.pop()
        while a_low < a_high and b_low < b_high and a[a_low] == b[b_low]:
            pairs.append((a_low, b_low))
            a_low, b_low = a_low + 1, b_low + 1
        while a_low < a_high and b_low < b_high and a[a_high - 1] == b[b_high - 1]:
            a_high, b_high = a_high - 1, b_high - 1
            pairs.append((a_high, b_high))
        if a_low == a_high or b_low == b_high:
            continue
        if rounds == MAX_ROUNDS:
            continue
        if (a_high - a_low) * (b_high - b_low) <= EXACT_CELLS:
            pairs.extend(_exact(a, b, a_low, a_high, b_low, b_high))
            continue
        anchors = _anchors(a, b, a_low, a_high, b_low, b_high)
        pairs.extend(anchors)
        if anchors:
            starts = [(a_low, b_low), *((i + 1, j + 1) for i, j in anchors)]
            ends = [*anchors, (a_high, b_high)]
            work.extend((s[0], e[0], s[1], e[1], rounds + 1) for s, e in zip(starts, ends, strict=True))
    return sorted(pairs)


def _anchors(
    a: Sequence[Hashable], b: Sequence[Hashable], a_low: int, a_high: int, b_low: int, b_high: int
) -> list[tuple[int, int]]:
    counts_a, counts_b = Counter(a[a_low:a_high]), Counter(b[b_low:b_high])
    place = {b[j]: j for j in range(b_low, b_high) if counts_b[b[j]] == 1}
    candidates = [(i, place[a[i]]) for i in range(a_low, a_high) if counts_a[a[i]] == 1 and a[i] in place]
    return _longest_rising(candidates)


def _longest_rising(pairs: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """The longest subsequence whose second members rise; the first members rise already."""
    tails: list[int] = []
    tail_at: list[int] = []
    before = [-1] * len(pairs)
    for index, (_, j) in enumerate(pairs):
        length = bisect_left(tails, j)
        if length == len(tails):
            tails.append(j)
            tail_at.append(index)
        else:
            tails[length] = j
            tail_at[length] = index
        before[index] = tail_at[length - 1] if length else -1
    chain: list[tuple[int, int]] = []
    index = tail_at[-1] if tail_at else -1
    while index >= 0:
        chain.append(pairs[index])
        index = before[index]
    return chain[::-1]


def _exact(
    a: Sequence[Hashable], b: Sequence[Hashable], a_low: int, a_high: int, b_low: int, b_high: int
) -> list[tuple[int, int]]:
    """Longest common subsequence; of equals the one that matches earliest."""
    rows, columns = a_high - a_low, b_high - b_low
    best = [[0] * (columns + 1) for _ in range(rows + 1)]
    for i in range(rows - 1, -1, -1):
        row, below, key = best[i], best[i + 1], a[a_low + i]
        for j in range(columns - 1, -1, -1):
            if key == b[b_low + j]:
                row[j] = below[j + 1] + 1
            else:
                row[j] = max(below[j], row[j + 1])
    pairs: list[tuple[int, int]] = []
    i = j = 0
    while i < rows and j < columns:
        if a[a_low + i] == b[b_low + j]:
            pairs.append((a_low + i, b_low + j))
            i, j = i + 1, j + 1
        elif best[i + 1][j] >= best[i][j + 1]:
            i += 1
        else:
            j += 1
    return pairs
