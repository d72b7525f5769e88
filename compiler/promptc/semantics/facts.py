"""What the passes learnt, keyed by AST node: side tables, the AST is never changed."""

from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from promptc.semantics.symbols import Symbols
from promptc.source import Span
from promptc.syntax import bodies_ast, expressions, nodes
from promptc.syntax.traffic_nodes import TrafficDecl
from promptc.types import Type


@dataclass(frozen=True, slots=True)
class Resolution:
    """What a name in an expression stands for.

    Attributes:
        name: Name of the input or gate; for a local, its name made unique within the section.
    """

    kind: Literal["input", "gate", "local", "loop"]
    name: str


class Step(NamedTuple):
    """One step from a reader to what it reads.

    Attributes:
        leaves: Whether the step leaves the reader's own text: a gate, an included section. A loop does not.
    """

    span: Span
    text: str
    leaves: bool


@dataclass(frozen=True, slots=True)
class Read:
    """One input on which something depends.

    Attributes:
        input: Name of the input.
        at: Where it is read.
        via: The steps from the reader to `at`, outermost first: a gate, an included section, a loop.
    """

    input: str
    at: Span
    via: tuple[Step, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Placed:
    """A section at its place in a lane.

    Attributes:
        name: Unique within the prompt.
        decl: Its declaration, in the lane or in the library.
        conditions: All gates that must hold: the declaration's own and the include's.
        at: The name where it is placed.
    """

    name: str
    decl: nodes.SectionDecl
    conditions: tuple[expressions.Expr, ...]
    pin: nodes.Pin | None
    at: Span


@dataclass(frozen=True, slots=True, eq=False)
class PlacedBlock:
    """A block of the system lane; `node` is None for sections that stand in no block."""

    node: nodes.Block | None
    sections: tuple[Placed, ...]


@dataclass(frozen=True, slots=True, eq=False)
class PlacedLane:
    """Preamble or tail."""

    node: nodes.Lane
    envelope: nodes.EnvelopeDecl | None
    separator: str
    sections: tuple[Placed, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Layout:
    """A prompt with `extends` and `include` resolved: everything in the order of its lanes.

    Attributes:
        history: Whether a conversation lane stands between preamble and tail.
        auto: Where `cache auto` stands; until it is planned, no marker does.
        lagging: Whether the message marker stands a second time, where the request before had it.
    """

    prompt: nodes.PromptDecl
    target: nodes.Target
    model: nodes.Model | None
    max_tokens: int
    tools: tuple[nodes.ToolGroup | nodes.ToolDecl, ...]
    tools_mark: nodes.CacheMark | None
    separator: str
    system: tuple[PlacedBlock, ...]
    preamble: PlacedLane | None
    tail: PlacedLane | None
    history: nodes.History | None
    message_mark: nodes.CacheMark | None
    auto: nodes.CacheAuto | None = None
    key: nodes.CacheKey | None = None
    lagging: bool = False

    @property
    def sections(self) -> tuple[Placed, ...]:
        """All placed sections in lane order."""
        out = [s for block in self.system for s in block.sections]
        for lane in (self.preamble, self.tail):
            if lane is not None:
                out.extend(lane.sections)
        return tuple(out)


@dataclass(frozen=True, slots=True, eq=False)
class Traffic:
    """A traffic block that says everything and nothing twice.

    Attributes:
        sessions: By class, how many sessions begin within one of it, and in how many seconds; never more for a higher
            class. A class that is not named has at least as many as the next higher one that is.
        gaps: Percent and seconds, rising.
        blocks: Percent and content blocks, rising.
        sizes: Tokens beside literal text, by element.
        present: Percent of sessions in which a gated element is there.
    """

    node: TrafficDecl
    sessions: dict[str, tuple[int, int]]
    turns: int
    gaps: tuple[tuple[int, int], ...]
    blocks: tuple[tuple[int, int], ...]
    turn_tokens: int
    sizes: dict[str, int]
    present: dict[str, int]


@dataclass(slots=True)
class Facts:
    """Side tables.

    Attributes:
        bodies: Parsed bodies by the place that names them.
        types: Type of an expression; missing where it could not be told.
        names: What a name stands for.
        locals: Unique name that a `for` or `set` introduces.
        narrowed: Names and attributes whose optional was tested; their `types` entry is the inner type.
        layouts: By prompt name.
        reads: Inputs that a body, condition or declaration depends on; by node.
        effective: Effective class; by section declaration or tool.
        traffic: What `cache auto` plans for; None where it is missing or faulty.
        misplaced: Names, where they are placed or declared, of elements that are reported for standing there or for
            what they read; what follows from that is no finding of its own.
    """

    symbols: Symbols
    bodies: dict[bodies_ast.BodySource, bodies_ast.Body] = field(default_factory=dict)
    types: dict[expressions.Expr, Type] = field(default_factory=dict)
    names: dict[expressions.Name, Resolution] = field(default_factory=dict)
    locals: dict[bodies_ast.For | bodies_ast.Set, str] = field(default_factory=dict)
    layouts: dict[str, Layout] = field(default_factory=dict)
    reads: dict[expressions.Node, tuple[Read, ...]] = field(default_factory=dict)
    effective: dict[nodes.SectionDecl | nodes.ToolGroup | nodes.ToolDecl, str] = field(default_factory=dict)
    traffic: Traffic | None = None
    misplaced: set[Span] = field(default_factory=set)
