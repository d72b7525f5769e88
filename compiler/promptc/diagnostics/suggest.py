"""Suggest the name that was probably meant."""

from collections.abc import Iterable


def suggest(name: str, candidates: Iterable[str]) -> str | None:
    """Return the one candidate nearest to `name`, or None when none is near.

    Near is an edit distance (insert, delete, replace, swap of neighbours) of at most a third of the name's length, at
    least one. Case does not count. Of equally near candidates the first in alphabetical order wins.

    Args:
        name: What was written.
        candidates: What could have been written; `name` itself is never suggested.
    """
    limit = max(len(name) // 3, 1)
    lowered = name.lower()
    best: tuple[int, str] | None = None
    for candidate in candidates:
        if candidate == name or abs(len(candidate) - len(name)) > limit:
            continue
        distance = _distance(lowered, candidate.lower(), limit)
        # One letter for another is no likeness between names of one or two letters.
        if distance > limit or (len(name) < 3 and distance):
            continue
        if best is None or (distance, candidate) < best:
            best = (distance, candidate)
    return best[1] if best is not None else None


def _distance(left: str, right: str, limit: int) -> int:
    """The Damerau-Levenshtein distance (restricted), or anything above `limit` when it is larger."""
    before_last: list[int] = []
    last = list(range(len(right) + 1))
    for i, a in enumerate(left, 1):
        row = [i]
        for j, b in enumerate(right, 1):
            cost = min(last[j] + 1, row[j - 1] + 1, last[j - 1] + (a != b))
            if i > 1 and j > 1 and a == right[j - 2] and left[i - 2] == b:
                cost = min(cost, before_last[j - 2] + 1)
            row.append(cost)
        if min(row) > limit:
            return limit + 1
        before_last, last = last, row
    return last[-1]
