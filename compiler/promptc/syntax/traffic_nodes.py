"""The AST of a `traffic` block: how often sessions begin, how they go, and how large is what a spec cannot measure."""

from dataclasses import dataclass
from typing import Literal, TypeAlias

from promptc.syntax.expressions import Ident, Node


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Share(Node):
    """`80% within 5m` or `90% within 6`: so many of a hundred are at most so large.

    Attributes:
        within: Seconds in `gaps`, content blocks in `blocks`.
    """

    percent: int
    within: int


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Sessions(Node):
    """`sessions 40 per hour [per org]`: sessions that begin, of all callers or within one of a class."""

    count: int
    per: Literal["hour", "day"]
    cls: Ident | None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Turns(Node):
    """`turns 25 per session`: requests of one session."""

    count: int


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Gaps(Node):
    """`gaps 80% within 1m, 20% within 1h`: from the start of one request to the start of the next."""

    shares: tuple[Share, ...]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Blocks(Node):
    """`blocks 90% within 6, 10% within 30 per turn`: content blocks that one turn adds."""

    shares: tuple[Share, ...]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class TurnTokens(Node):
    """`tokens 1_500 per turn`: what one turn adds to the conversation."""

    count: int


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SizeOf(Node):
    """`tokens 9_000 in connected`: what an element holds beside the text that stands in the spec."""

    tokens: int
    name: Ident


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Present(Node):
    """`present 30% connected`: in how many sessions a gated element is there."""

    percent: int
    name: Ident


TrafficItem: TypeAlias = Sessions | Turns | Gaps | Blocks | TurnTokens | SizeOf | Present
ORDER: tuple[type[TrafficItem], ...] = (Sessions, Turns, Gaps, Blocks, TurnTokens, SizeOf, Present)
"""Between clauses of different kinds order means nothing; YAML groups by kind."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class TrafficDecl(Node):
    """`traffic { ... }`."""

    items: tuple[TrafficItem, ...]
