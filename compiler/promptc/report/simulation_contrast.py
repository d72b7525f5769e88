"""Two simulations of one scenario beside each other: what the second one saves or loses, since when, and why."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from promptc.report.simulation import Played, Simulation


@dataclass(frozen=True, slots=True)
class Reason:
    """Cached tokens that one layout did not read and the other did not lose.

    Attributes:
        reason: Why, as a sentence without a final period.
        place: The line of the spec; empty where there is none.
        tokens: How many.
    """

    reason: str
    place: str
    tokens: int


@dataclass(frozen=True, slots=True)
class TurnContrast:
    """One turn of both: what B reads and costs beyond A, as tokens."""

    turn: int
    read: int
    cost: float


@dataclass(frozen=True, slots=True)
class Contrast:
    """B beside A, by the reads that can happen.

    Attributes:
        read: Tokens that B reads beyond A.
        cost: What B costs beyond A, in tokens of uncached input; negative where B is cheaper.
        share: The same as a share of what A costs; None where A costs nothing.
        apart: The first turn whose requests fare differently; None where all fare alike.
        turns: Turn by turn.
        only_a, only_b: What only one of them loses, the most first.
    """

    read: int
    cost: float
    share: float | None
    apart: int | None
    turns: tuple[TurnContrast, ...]
    only_a: tuple[Reason, ...]
    only_b: tuple[Reason, ...]


def contrast(a: Simulation, b: Simulation) -> Contrast:
    """Compare two simulations of one scenario."""
    turns = tuple(
        TurnContrast(left.turn, right.best.read - left.best.read, right.best.cost - left.best.cost)
        for left, right in zip(a.turns, b.turns, strict=True)
    )
    cost = b.best.cost - a.best.cost
    # The texts of two layouts differ by the few tokens that frame a block; they part where one loses what it had.
    pairs = zip(a.turns, b.turns, strict=True)
    apart = next((left.turn for left, right in pairs if left.kept != right.kept), None)
    mine, theirs = _losses(a.requests), _losses(b.requests)
    return Contrast(
        b.best.read - a.best.read,
        cost,
        cost / a.best.cost if a.best.cost else None,
        apart,
        turns,
        _only(mine, theirs),
        _only(theirs, mine),
    )


def _losses(requests: Sequence[Played]) -> dict[str, Reason]:
    out: dict[str, Reason] = {}
    for loss in (played.loss for played in requests if played.loss is not None):
        known = out.get(loss.reason)
        out[loss.reason] = Reason(loss.reason, loss.place, loss.tokens + (known.tokens if known else 0))
    return out


def _only(mine: dict[str, Reason], theirs: dict[str, Reason]) -> tuple[Reason, ...]:
    return tuple(sorted((r for name, r in mine.items() if name not in theirs), key=lambda r: (-r.tokens, r.reason)))


def verdict(found: Contrast) -> str:
    """The whole comparison in a sentence without a final period."""
    share = "" if found.share is None else f" ({abs(found.share):.1%})"
    dearer = f"B costs {abs(found.cost):,.0f} {'less' if found.cost < 0 else 'more'} than A{share}"
    if round(found.cost) == 0:
        dearer = "B costs as much as A"
    read = f"reads {abs(found.read):,} {'more' if found.read > 0 else 'fewer'}" if found.read else "reads as many"
    apart = f"they part in turn {found.apart}" if found.apart is not None else "no turn loses what the other keeps"
    return f"{dearer} and {read} cached tokens; {apart}"


def only_lines(found: Contrast) -> Iterator[tuple[str, Reason]]:
    """What only one of them loses, with its letter."""
    for letter, reasons in (("A", found.only_a), ("B", found.only_b)):
        for reason in reasons:
            yield letter, reason
