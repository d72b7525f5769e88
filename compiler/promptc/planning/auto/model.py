"""What the planner of `cache auto` is given, and what it answers: numbers only, no syntax and no provider's name."""

from dataclasses import dataclass
from fractions import Fraction
from typing import Literal


@dataclass(frozen=True, slots=True)
class Share:
    """So many of a hundred cases lie within a bound."""

    percent: int
    bound: int


@dataclass(frozen=True, slots=True)
class Load:
    """How sessions go.

    Attributes:
        turns: Requests of one session; each tool round is one.
        gaps: Seconds from the start of one request to the start of the next; a gap counts as long as its bound.
        blocks: Content blocks that one turn adds.
        turn_tokens: Tokens that one turn adds to the conversation.
    """

    turns: int
    gaps: tuple[Share, ...]
    blocks: tuple[Share, ...]
    turn_tokens: int


@dataclass(frozen=True, slots=True)
class Lifetime:
    """One that an entry can have; `write` is the price of a written token in uncached ones."""

    name: str
    seconds: int
    write: Fraction


@dataclass(frozen=True, slots=True)
class Rules:
    """What the provider takes, and at which price.

    Attributes:
        limit: Most markers of one request.
        minimum: Least tokens in front of a marker that is to have an effect.
        lookback: Positions searched from a marker, itself included; None where no distance is too long.
        lifetimes: Longest first.
        read: Price of a read token in uncached ones.
        tail: Who marks the end of the conversation: a marker of ours, the provider by itself, or nobody.
    """

    limit: int
    minimum: int
    lookback: int | None
    lifetimes: tuple[Lifetime, ...]
    read: Fraction
    tail: Literal["marker", "provider", "nobody"]


@dataclass(frozen=True, slots=True)
class Segment:
    """A stretch of the prefix in front of the conversation, in cache order.

    Attributes:
        name: The element that ends it.
        tokens: Its length.
        markable: Whether a marker may stand behind it.
    """

    name: str
    tokens: int
    markable: bool


@dataclass(frozen=True, slots=True)
class Sharing:
    """Who shares the prefix, in some of all sessions.

    Attributes:
        weight: The share of sessions that this holds for.
        rates: Per segment, the sessions per second that send the same bytes up to its end, this one aside: 0 for
            none, None where not even the next request of the same session does. They never rise along the prefix.
    """

    weight: Fraction
    rates: tuple[Fraction | None, ...]


@dataclass(frozen=True, slots=True)
class Problem:
    """One prompt to be planned."""

    segments: tuple[Segment, ...]
    sharings: tuple[Sharing, ...]
    load: Load
    rules: Rules


@dataclass(frozen=True, slots=True)
class Mark:
    """A marker behind a segment.

    Attributes:
        after: Index of the segment.
        lifetime: Index into `Rules.lifetimes`.
    """

    after: int
    lifetime: int


@dataclass(frozen=True, slots=True)
class Choice:
    """An answer.

    Attributes:
        marks: In cache order; a later one never lives longer.
        tail: Lifetime of the marker at the end of the conversation, as an index; None where none stands.
        lagging: Whether that marker stands a second time, where the request before had it.
        cost: What the prompts of one session are expected to cost, in uncached tokens.
    """

    marks: tuple[Mark, ...]
    tail: int | None
    lagging: bool
    cost: Fraction
