"""Sums over the requests of a simulation: by turn, and over all."""

from collections.abc import Sequence
from itertools import groupby

from promptc.providers.tokens import TokenCount
from promptc.report.simulation import Played, Simulation, Sums, TurnSums


def summarised(
    played: Sequence[Played],
    name: str,
    target: str,
    counted: TokenCount,
    promised: bool,
    notes: Sequence[str] = (),
) -> Simulation:
    """A whole simulation.

    Args:
        played: At least one request, in order.
        name, target, promised, notes: As in `Simulation`.
        counted: Any count, for the method of them all.
    """
    turns = tuple(_turn(number, tuple(group)) for number, group in groupby(played, key=lambda p: p.turn))
    return Simulation(
        name,
        target,
        counted.method,
        counted.error,
        counted.exact,
        promised,
        tuple(played),
        turns,
        sums(played),
        sums(played, certain=True),
        kept(played),
        notes,
    )


def sums(played: Sequence[Played], certain: bool = False) -> Sums:
    """Some requests together.

    Args:
        certain: Whether only reads that the provider promises count.
    """
    counts = [p.certain if certain else p.best for p in played]
    written: dict[str, int] = {}
    for count in counts:
        for name, tokens in count.written.items():
            written[name] = written.get(name, 0) + tokens
    return Sums(
        len(played),
        sum(count.read for count in counts),
        written,
        sum(count.input for count in counts),
        sum(p.certain_cost if certain else p.best_cost for p in played),
    )


def kept(played: Sequence[Played]) -> float | None:
    """Share of what was in the cache for some requests that they read; None where nothing was."""
    left = sum(p.left for p in played)
    return sum(min(p.best.read, p.left) for p in played) / left if left else None


def _turn(number: int, played: Sequence[Played]) -> TurnSums:
    return TurnSums(
        number, played[0].at, sums(played), sums(played, certain=True), sum(p.left for p in played), kept(played)
    )
