"""The AST of declarations: frozen dataclasses, one per construct; both surfaces build exactly these."""

from dataclasses import dataclass
from typing import Literal, TypeAlias

from promptc.syntax.bodies_ast import BodySource, Template
from promptc.syntax.expressions import Expr, Ident, Node, TextLiteral
from promptc.syntax.traffic_nodes import TrafficDecl

# -- types ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class NamedType(Node):
    """`text`, `bool`, `int`, `json`, or the name of a record."""

    name: str


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RangeType(Node):
    """`int 1..5`: a bounded integer, both ends included."""

    low: int
    high: int


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class EnumType(Node):
    """`"a" | "b"`: one of a closed set of texts."""

    members: tuple[TextLiteral, ...]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ListType(Node):
    """`list[item]`."""

    item: "TypeExpr"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class OptionalType(Node):
    """`item?`."""

    item: "TypeExpr"


TypeExpr: TypeAlias = NamedType | RangeType | EnumType | ListType | OptionalType

# -- small parts ---------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Duration(Node):
    """`5m`, `1h`, `30s`, `24h`."""

    seconds: int


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Pin(Node):
    """`pin "reason"`: this section may stand where its class falls."""

    reason: TextLiteral


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Allow(Node):
    """`allow PC431 "reason"` (or the slug): this finding is accepted here."""

    code: Ident
    reason: TextLiteral


# -- declarations --------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Language(Node):
    """`language 1`."""

    version: int


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Use(Node):
    """`use "./types.promptc"`: all declarations of that module become visible here."""

    path: TextLiteral


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class StabilityDecl(Node):
    """`stability static < org < session < turn`: replaces the default chain."""

    classes: tuple[Ident, ...]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class FieldDecl(Node):
    """`name : type [untrusted] [= default]` in a record."""

    name: Ident
    type: TypeExpr
    untrusted: bool
    default: Expr | None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RecordDecl(Node):
    """`record Tool { ... }`."""

    name: Ident
    fields: tuple[FieldDecl, ...]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ScopeDecl(Node):
    """`scope global holds static ttl 1h`."""

    name: Ident
    holds: Ident
    ttl: Duration | None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class EnvelopeDecl(Node):
    """`envelope reminder { open "..." close "..." }`."""

    name: Ident
    open: Template
    close: Template


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class MaxClause(Node):
    """`max 2_000 chars [cut "marker"]`: with a marker the value is cut and marked, without one it is refused."""

    chars: int
    cut: TextLiteral | None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class InputDecl(Node):
    """`input name : type @class [untrusted] [max N chars [cut "..."]] [= default]`.

    Attributes:
        cls: The declared class; None where it is missing (an error that `semantics` reports).
    """

    name: Ident
    type: TypeExpr
    cls: Ident | None
    untrusted: bool
    max: MaxClause | None
    default: Expr | None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class GateDecl(Node):
    """`gate name = condition`."""

    name: Ident
    condition: Expr


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RequireDecl(Node):
    """`require condition "reason"`: combinations that do not satisfy it do not exist."""

    condition: Expr
    reason: TextLiteral


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class DeltaBody(Node):
    """`deliver delta { first ... changed ... gone ... }`.

    Attributes:
        first_when: Condition under which there is something to say the first time; None: always.
        first, changed, gone: The renderers; None where missing (an error that `semantics` reports).
    """

    first_when: Expr | None
    first: BodySource | None
    changed: BodySource | None
    gone: BodySource | None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Deliver(Node):
    """`deliver inline|frozen|ephemeral` or `deliver frozen key EXPR`; delta stands in `content`."""

    mode: Literal["inline", "frozen", "delta", "ephemeral"]
    key: Expr | None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SectionDecl(Node):
    """`section name @class [when COND] [deliver ...] [pin "..."] [allow ...] BODY`.

    At top level a library section, placed by `include`; inside a lane, a placed section.
    """

    name: Ident
    cls: Ident | None
    when: Expr | None
    deliver: Deliver | None
    pin: Pin | None
    allows: tuple[Allow, ...]
    content: BodySource | DeltaBody


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class IncludeItem(Node):
    """`include name [when COND] [pin "..."]`: place a library section in a lane."""

    name: Ident
    when: Expr | None
    pin: Pin | None


LaneSection: TypeAlias = SectionDecl | IncludeItem


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Block(Node):
    """`cache SCOPE [ttl T] [fallback SCOPE] { ... }` or `uncached { ... }` in the system lane.

    Attributes:
        scope: None for `uncached`.
    """

    scope: Ident | None
    ttl: Duration | None
    fallback: Ident | None
    items: tuple[LaneSection, ...]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ToolGroup(Node):
    """`group name @class from EXPR order by f, g [when COND] [defer when COND] [policy fixed|mask]`.

    Attributes:
        order: Fields of the record to sort by; empty where missing (an error that `semantics` reports).
        defer: Condition over `tool` (the element); None: never deferred.
        policy: `fixed` (default): what is listed is what may be called; `mask`: everything stays listed, and what may
            not be called now is masked elsewhere (tool choice, or a reminder in the tail), so that the prefix survives.
    """

    name: Ident
    cls: Ident | None
    source: Expr
    order: tuple[Ident, ...]
    when: Expr | None
    defer: Expr | None
    policy: Literal["fixed", "mask"] | None
    pin: Pin | None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ToolDecl(Node):
    """`tool name @class [when COND] { description BODY  schema JSON-BODY }`: one tool written in the spec."""

    name: Ident
    cls: Ident | None
    when: Expr | None
    description: BodySource | None
    schema: BodySource | None
    pin: Pin | None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CacheMark(Node):
    """`cache last [ttl T]` at the end of the tools lane, or `cache last message [ttl T]` in the conversation lane."""

    ttl: Duration | None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class History(Node):
    """`history transcript`: where the conversation stands."""

    name: Ident


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Separator(Node):
    """`separator "\\n\\n"`: what stands between two sections of this lane that are both present and not empty."""

    text: TextLiteral


LaneItem: TypeAlias = SectionDecl | IncludeItem | Block | ToolGroup | ToolDecl | CacheMark | History | Separator
LaneKind: TypeAlias = Literal["tools", "system", "preamble", "conversation", "tail"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Lane(Node):
    """`system { ... }`, `preamble in reminder { ... }` and the like.

    Attributes:
        envelope: Name of the envelope; only for `preamble` and `tail`.
    """

    kind: LaneKind
    envelope: Ident | None
    items: tuple[LaneItem, ...]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Target(Node):
    """`target anthropic`."""

    name: Ident


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Model(Node):
    """`model EXPR`: what goes into the request's `model` field; `max_tokens N` beside it."""

    value: Expr


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class MaxTokens(Node):
    """`max_tokens 8_192`."""

    value: int


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CacheAuto(Node):
    """`cache auto`: the planner places all markers of the prompt."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CacheKey(Node):
    """`cache key EXPR`: requests of one key are sent to where their prefix is kept."""

    value: Expr


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Edit(Node):
    """`replace X with section ...`, `remove X`, `insert before X section ...`, `insert after X ...` under `extends`."""

    kind: Literal["replace", "remove", "before", "after"]
    target: Ident
    item: LaneSection | ToolGroup | ToolDecl | None


PromptItem: TypeAlias = Target | Model | MaxTokens | CacheAuto | CacheKey | Lane | Edit


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PromptDecl(Node):
    """`prompt name [extends base] { ... }`."""

    name: Ident
    extends: Ident | None
    items: tuple[PromptItem, ...]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Binding(Node):
    """`name = value` in a sample."""

    name: Ident
    value: Expr


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SampleMessage(Node):
    """`user "text"` or `assistant "text"` in a sample."""

    role: Literal["user", "assistant"]
    text: TextLiteral


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SampleDecl(Node):
    """`sample name for prompt { input = value ...  user "text" }`."""

    name: Ident
    prompt: Ident
    bindings: tuple[Binding, ...]
    messages: tuple[SampleMessage, ...]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class LimitDecl(Node):
    """`limit variants(global) <= 8`, `limit tokens(system) <= 20_000`, `limit bytes(section_name) <= 4_096`."""

    metric: Literal["variants", "tokens", "bytes"]
    subject: Ident
    bound: int


Item: TypeAlias = (
    Language
    | Use
    | StabilityDecl
    | RecordDecl
    | ScopeDecl
    | EnvelopeDecl
    | InputDecl
    | GateDecl
    | RequireDecl
    | SectionDecl
    | PromptDecl
    | SampleDecl
    | LimitDecl
    | TrafficDecl
    | Allow
)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Comment(Node):
    """A `# ...` comment; kept beside the AST for the formatter."""

    text: str


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Module(Node):
    """One file.

    Attributes:
        path: Project-relative POSIX path.
        items: Declarations in source order.
        comments: All comments in source order.
        broken: True when it had a syntax error; items that could not be read are missing.
    """

    path: str
    items: tuple[Item, ...]
    comments: tuple[Comment, ...]
    broken: bool = False
