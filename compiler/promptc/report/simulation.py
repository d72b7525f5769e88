"""What a simulation says, as values that the renderers take."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from promptc.providers.cache_model.values import Counts


@dataclass(frozen=True, slots=True)
class Loss:
    """Why a request did not read all that the one before it had left in the cache.

    Attributes:
        kind: `changed`, `appeared`, `gone`, `rewritten`, `model`, `parameter`, `expired`, `lookback`, `minimum` or
            `cache`.
        reason: A sentence without a final period.
        tokens: How many tokens were there and were not read.
        section: The section that did it; empty where no section did.
        place: `path:line:column` in the spec; empty where there is none.
        was, now: What stands at the first byte that differs, in both requests; empty where no text changed.
    """

    kind: str
    reason: str
    tokens: int
    section: str = ""
    place: str = ""
    was: str = ""
    now: str = ""


@dataclass(frozen=True, slots=True)
class Played:
    """One request of a simulation.

    Attributes:
        turn: Number of its turn, from 1.
        step: 0 for the request with the user's message, n for the one with the results of the n-th tool round.
        fork: Whether it is a side request.
        at: Seconds since the first request.
        model: Model that it names.
        events: What happened since the request before, in words.
        best: Counts with every read that can happen.
        certain: Counts with only the reads that the provider promises.
        best_cost, certain_cost: Prices in tokens of uncached input.
        left: Tokens that the request before left in the cache.
        loss: Why not all of them were read; None when all were.
    """

    turn: int
    step: int
    fork: bool
    at: int
    model: str
    events: tuple[str, ...]
    best: Counts
    certain: Counts
    best_cost: float
    certain_cost: float
    left: int
    loss: Loss | None


@dataclass(frozen=True, slots=True)
class Sums:
    """Several requests together.

    Attributes:
        requests: How many.
        read, written, input: Tokens by what is paid for them; written by lifetime.
        cost: Price in tokens of uncached input.
    """

    requests: int
    read: int
    written: Mapping[str, int]
    input: int
    cost: float

    @property
    def total(self) -> int:
        """Tokens of all prompts."""
        return self.read + sum(self.written.values()) + self.input

    @property
    def hit_rate(self) -> float:
        """Share of all prompt tokens that were read from the cache."""
        return self.read / self.total if self.total else 0.0

    @property
    def saved(self) -> float:
        """Share of the price without a cache that is saved; negative where the cache costs more than it gives."""
        return 1 - self.cost / self.total if self.total else 0.0


@dataclass(frozen=True, slots=True)
class TurnSums:
    """The requests of one turn, side requests included.

    Attributes:
        turn: Its number.
        at: Seconds from the first request of all to the first of the turn.
        best, certain: Sums with every read that can happen, and with promised ones only.
        left: Tokens that were in the cache for its requests.
        kept: Share of those that was read: the hit rate of what was there to be hit. None where nothing was.
    """

    turn: int
    at: int
    best: Sums
    certain: Sums
    left: int
    kept: float | None


@dataclass(frozen=True, slots=True)
class Simulation:
    """One layout played through one scenario.

    Attributes:
        name: The spec, and the prompt in it.
        target: Provider whose rules were played.
        method: How tokens were counted.
        error: Measured mean error of that method, as a share.
        exact: Whether a tokenizer counted.
        promised: Whether the provider promises reads, so that both bounds are the same.
        requests: In the order they were sent.
        turns: In order.
        best, certain: Everything together.
        kept: As for a turn.
        notes: What a reader should know besides, one sentence each.
    """

    name: str
    target: str
    method: str
    error: float
    exact: bool
    promised: bool
    requests: Sequence[Played]
    turns: Sequence[TurnSums]
    best: Sums
    certain: Sums
    kept: float | None
    notes: Sequence[str] = ()

    @property
    def lifetimes(self) -> tuple[str, ...]:
        """Names of the lifetimes that anything was written with, in the order of first use."""
        return tuple(dict.fromkeys(name for played in self.requests for name in played.best.written))
