"""The residual program as values: an emitter prints it without deciding anything.

Every name is resolved, every operation is typed and comes from the closed catalogue in `ir.ops`, every local has a
name of its own, and constant parts are folded. Spans are kept so that an assembler can say which line wrote a byte.
"""

from dataclasses import dataclass
from typing import Literal, TypeAlias

from promptc.ir.form import PLAIN_FORM, WireForm
from promptc.source import Span
from promptc.types import Type

# -- values --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Const:
    """A known value."""

    value: str | int | bool | None


@dataclass(frozen=True, slots=True)
class InputRef:
    """The value of an input."""

    name: str


@dataclass(frozen=True, slots=True)
class GateRef:
    """The value of a gate (bool); computed once at the gate's own stage."""

    name: str


@dataclass(frozen=True, slots=True)
class Local:
    """A loop element or a `set` variable; unique within its section."""

    name: str


@dataclass(frozen=True, slots=True)
class LoopProperty:
    """`loop.index` and the like of the innermost or an outer loop.

    Attributes:
        loop: The loop's element local.
    """

    loop: str
    property: Literal["index", "index0", "revindex", "revindex0", "first", "last", "length"]


@dataclass(frozen=True, slots=True)
class Get:
    """A field of a record."""

    record: "Value"
    field: str


@dataclass(frozen=True, slots=True)
class Apply:
    """An operation of the catalogue."""

    op: str
    args: tuple["Value", ...]


@dataclass(frozen=True, slots=True)
class Choose:
    """`then if test else orelse`; `test` is bool."""

    test: "Value"
    then: "Value"
    orelse: "Value"


@dataclass(frozen=True, slots=True)
class ListOf:
    """A list of known length."""

    items: tuple["Value", ...]


Value: TypeAlias = Const | InputRef | GateRef | Local | LoopProperty | Get | Apply | Choose | ListOf

# -- text ----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Lit:
    """Text known at build time; never empty."""

    text: str
    span: Span


@dataclass(frozen=True, slots=True)
class Put:
    """Insert a value literally.

    Attributes:
        value: Of type text, or int (written in decimal).
        is_int: Whether it is an int.
    """

    value: Value
    is_int: bool
    span: Span


@dataclass(frozen=True, slots=True)
class Arm:
    """One condition (bool) and what it writes."""

    test: Value
    body: tuple["TextOp", ...]


@dataclass(frozen=True, slots=True)
class Branch:
    """The first arm whose test holds, else `orelse`."""

    arms: tuple[Arm, ...]
    orelse: tuple["TextOp", ...]


@dataclass(frozen=True, slots=True)
class Each:
    """Write `body` for every element that passes `test`; `orelse` when there is none.

    Attributes:
        local: Name of the element; `LoopProperty.loop` refers to it.
        test: Over the element, applied before counting (as Jinja2 does); None: all.
        uses_loop: Whether any `LoopProperty` of this loop occurs.
    """

    local: str
    items: Value
    test: Value | None
    body: tuple["TextOp", ...]
    orelse: tuple["TextOp", ...]
    uses_loop: bool


@dataclass(frozen=True, slots=True)
class Bind:
    """Give a local its value; a later Bind of the same local replaces it."""

    local: str
    value: Value


TextOp: TypeAlias = Lit | Put | Branch | Each | Bind

# -- declarations --------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Field:
    """A field of a record. `default` only when `has_default`."""

    name: str
    type: Type
    has_default: bool
    default: object


@dataclass(frozen=True, slots=True)
class RecordType:
    """A declared record."""

    name: str
    fields: tuple[Field, ...]


@dataclass(frozen=True, slots=True)
class Input:
    """An input of the prompt.

    Attributes:
        cls: Its stability class: the stage at which it is bound.
        max_chars: Longest value in code points; None: any.
        cut: Marker put in place of what is beyond `max_chars` (the result, marker included, has `max_chars` code
            points plus the marker's); None: a longer value is refused.
        default: JSON-like value; only when `has_default`. An optional input has the default None.
    """

    name: str
    type: Type
    cls: str
    max_chars: int | None
    cut: str | None
    has_default: bool
    default: object
    span: Span


@dataclass(frozen=True, slots=True)
class Gate:
    """A named condition (bool) and the stage at which all that it reads is bound."""

    name: str
    value: Value
    cls: str


@dataclass(frozen=True, slots=True)
class Require:
    """A condition on inputs that every caller must satisfy, checked at the stage `cls`."""

    value: Value
    reason: str
    cls: str


# -- the request ---------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Delta:
    """The three renderers of a section that is delivered as differences.

    State per section is absent, or present with the text of `first` as last rendered. With P = section gate and
    `first_when`: absent and P writes `first`; present, P and another `first` text writes `changed`; present and not P
    writes `gone` and becomes absent; otherwise nothing is written.
    """

    first_when: Value | None
    first: tuple[TextOp, ...]
    changed: tuple[TextOp, ...]
    gone: tuple[TextOp, ...]


@dataclass(frozen=True, slots=True)
class Section:
    """A placed section.

    Attributes:
        name: Unique within the prompt.
        cls: Effective class: the first stage at which its text can be rendered.
        declared: Declared class.
        when: Gate (bool); None: always there.
        when_cls: First stage at which the gate is known.
        deliver: How the text reaches the model.
        key: For `frozen`: text that identifies the frozen rendering; None: one per session.
        body: What it writes; empty for `delta`.
        delta: Only for `deliver == "delta"`.
        span: The declaration's name.
    """

    name: str
    cls: str
    declared: str
    when: Value | None
    when_cls: str
    deliver: Literal["inline", "frozen", "delta", "ephemeral"]
    key: Value | None
    body: tuple[TextOp, ...]
    delta: Delta | None
    span: Span


@dataclass(frozen=True, slots=True)
class ScopeChoice:
    """Which scope a block gets in which variants; the first whose test holds counts.

    Attributes:
        when: bool; None: always.
        scope: Name of the scope, or None for an uncached block.
        ttl: Seconds, or None for the provider's default lifetime.
    """

    when: Value | None
    scope: str | None
    ttl: int | None


@dataclass(frozen=True, slots=True)
class SystemBlock:
    """One block of the system lane; omitted, marker included, when all its sections are absent or empty.

    Attributes:
        marked: Whether it carries a cache marker.
        scopes: In order; the last has no condition. For an uncached block one choice with scope None.
    """

    marked: bool
    scopes: tuple[ScopeChoice, ...]
    sections: tuple[Section, ...]


@dataclass(frozen=True, slots=True)
class ToolGroup:
    """Tools taken from an input.

    Attributes:
        source: A list of records with the fields `name`, `description` and `input_schema`.
        order: Fields to sort by (code points, ascending; stable).
        element: Name of the local that `defer` reads.
        defer: bool over the element; None: never.
    """

    name: str
    cls: str
    source: Value
    order: tuple[str, ...]
    when: Value | None
    when_cls: str
    element: str
    defer: Value | None
    span: Span


@dataclass(frozen=True, slots=True)
class ToolLiteral:
    """A tool written in the spec; `schema` is compact JSON text, checked at build time."""

    name: str
    cls: str
    when: Value | None
    when_cls: str
    description: tuple[TextOp, ...]
    schema: str
    span: Span


@dataclass(frozen=True, slots=True)
class Marker:
    """A cache marker at the end of a lane. `ttl` in seconds, or None for the provider's default."""

    ttl: int | None


@dataclass(frozen=True, slots=True)
class EnvelopeLane:
    """Sections that stand in a user message: the first one (preamble) or behind everything sent (tail)."""

    open: str
    close: str
    separator: str
    sections: tuple[Section, ...]


@dataclass(frozen=True, slots=True)
class Program:
    """One prompt, ready to be interpreted or printed as an assembler.

    Attributes:
        wire: Name of the request format, from the provider's facts.
        classes: The stability chain, lowest first.
        stages: The classes that have at least one input, lowest first; the last is where a request is made.
        model: text; None: the caller passes it.
        separator: Between the sections of a system block.
        lagging: Whether the message marker stands a second time, where the request before had it.
        form: How this target spells the format.
        cache_key: text; what sends requests of one prefix to one place. None: nothing is said about it.
    """

    name: str
    target: str
    wire: str
    classes: tuple[str, ...]
    stages: tuple[str, ...]
    records: tuple[RecordType, ...]
    inputs: tuple[Input, ...]
    gates: tuple[Gate, ...]
    requires: tuple[Require, ...]
    model: Value | None
    max_tokens: int
    tools: tuple[ToolGroup | ToolLiteral, ...]
    tools_marker: Marker | None
    separator: str
    system: tuple[SystemBlock, ...]
    preamble: EnvelopeLane | None
    tail: EnvelopeLane | None
    message_marker: Marker | None
    lagging: bool = False
    form: WireForm = PLAIN_FORM
    cache_key: Value | None = None
