"""The published form of a built manifest, `promptc.manifest/1`: what is written, and what is read back."""

from typing import Annotated, Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, Discriminator, Field, Tag

FORMAT: Literal["promptc.manifest/1"] = "promptc.manifest/1"

LaneName: TypeAlias = Literal["tools", "system", "preamble", "conversation", "tail"]
ExampleValue: TypeAlias = bool | int | str | tuple[()] | dict[str, str] | None


class _Value(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True)


# -- what an element writes ----------------------------------------------------------------------


class TextPiece(_Value):
    """Text that is known when the prompt is built."""

    text: str


class HolePiece(_Value):
    """A value that is inserted.

    Attributes:
        hole: The expression, in canonical spelling.
        cls: Class of what it reads.
    """

    hole: str
    cls: str = Field(alias="class")


class ArmPiece(_Value):
    """One condition, its class, and what it writes."""

    when: str
    cls: str = Field(alias="class")
    then: tuple["Piece", ...] = ()


class BranchPiece(_Value):
    """What the first arm whose condition holds writes, else `orelse`."""

    arms: tuple[ArmPiece, ...] = Field(alias="if")
    orelse: tuple["Piece", ...] = Field((), alias="else")


class LoopPiece(_Value):
    """What is written for every item.

    Attributes:
        each: The list.
        name: What an item is called in `body`.
        when: Condition that an item must satisfy.
        orelse: Written when there is no item.
    """

    each: str
    name: str = Field(alias="as")
    cls: str = Field(alias="class")
    when: str | None = None
    body: tuple["Piece", ...] = ()
    orelse: tuple["Piece", ...] = Field((), alias="else")


class LetPiece(_Value):
    """A name for a value, for the pieces behind it."""

    let: str
    be: str
    cls: str = Field(alias="class")


class PhasePiece(_Value):
    """One of the three texts of a section that is delivered as differences.

    Attributes:
        when: Condition of the first text; None: always.
    """

    phase: Literal["first", "changed", "gone"]
    when: str | None = None
    pieces: tuple["Piece", ...] = ()


_KEYS = ("text", "hole", "if", "each", "let", "phase")


def _key_of(value: object) -> str | None:
    """The member that tells what a piece is; trying every kind in turn would take time exponential in the nesting."""
    if isinstance(value, dict):
        return next((key for key in _KEYS if key in value), None)
    match value:
        case TextPiece():
            return "text"
        case HolePiece():
            return "hole"
        case BranchPiece():
            return "if"
        case LoopPiece():
            return "each"
        case LetPiece():
            return "let"
        case PhasePiece():
            return "phase"
        case _:
            return None


Piece: TypeAlias = Annotated[
    Annotated[TextPiece, Tag("text")]
    | Annotated[HolePiece, Tag("hole")]
    | Annotated[BranchPiece, Tag("if")]
    | Annotated[LoopPiece, Tag("each")]
    | Annotated[LetPiece, Tag("let")]
    | Annotated[PhasePiece, Tag("phase")],
    Discriminator(_key_of),
]

# -- elements ------------------------------------------------------------------------------------


class Place(_Value):
    """A place in a source; line and column count from 1."""

    path: str
    line: int
    column: int


class Bytes(_Value):
    """UTF-8 bytes of literal text, before any escaping; inserted values are not counted.

    Attributes:
        literal: All of it, every branch and loop body once.
        least: The shortest way through the branches, loops left out.
        most: The longest way; None where a loop repeats text.
    """

    literal: int
    least: int
    most: int | None = None


class ManifestElement(_Value):
    """One tool, tool group, section, or the conversation.

    Attributes:
        name: Unique among the tools, and among the sections.
        block: Index in `blocks`, for the system lane.
        declared: Class as declared.
        cls: Effective class.
        scope: Declared scope of its block.
        fallback: Scope that it gets in the variants that `blocks` names.
        gate: Condition of its presence, in canonical spelling; None: always there.
        gate_class: Class of what the gate reads.
        deliver: How its text reaches the model.
        key: For `frozen`: what identifies the rendering.
        order: Fields that a tool group is sorted by.
        defer: Condition under which a tool of the group stands outside the prefix.
        schema_text: Of a tool that the spec writes: compact JSON.
        pin: Reason why its class may stand where it does.
        digest: SHA-256 of the element in template form; of a literal section, of its very bytes.
        tokens: Estimate for the literal text, every branch counted once.
    """

    name: str
    kind: Literal["tool", "group", "section", "conversation"]
    lane: LaneName
    block: int | None = None
    declared: str
    cls: str = Field(alias="class")
    scope: str | None = None
    fallback: str | None = None
    gate: str | None = None
    gate_class: str | None = None
    deliver: Literal["inline", "frozen", "delta", "ephemeral"] = "inline"
    key: str | None = None
    order: tuple[str, ...] = ()
    defer: str | None = None
    pin: str | None = None
    span: Place
    bytes: Bytes
    tokens: int
    digest: str
    schema_text: str | None = Field(None, alias="schema")
    pieces: tuple[Piece, ...] = ()


class ManifestBlock(_Value):
    """One block of the system lane.

    Attributes:
        scope: None for a block that is not cached.
        ttl: Seconds; None for the provider's default.
        fallback_when: Condition of the fallback; `true` where it always counts.
        variants: Distinct prefixes that end here under the declared scope; None when uncached.
        elements: Names of its sections.
    """

    index: int
    scope: str | None = None
    ttl: int | None = None
    fallback: str | None = None
    fallback_ttl: int | None = None
    fallback_when: str | None = None
    variants: int | None = None
    elements: tuple[str, ...] = ()


class ManifestScope(_Value):
    """A scope that a block of the prompt names, and the highest class that its prefix may hold."""

    name: str
    holds: str


class ManifestBreakpoint(_Value):
    """A cache marker that the prompt places.

    Attributes:
        block: Index of the block that it closes, for the system lane.
        after: Last element in front of it.
        ttl: Seconds; None for the provider's default.
        lagging: Whether it stands where the request before had its last one.
    """

    lane: LaneName
    block: int | None = None
    after: str
    scope: str | None = None
    fallback: str | None = None
    ttl: int | None = None
    lagging: bool = False


class ManifestReason(_Value):
    """Why `cache auto` placed a marker, or passed a place over.

    Attributes:
        after: The element in front of the place.
        lifetime: As the provider names it; None where no marker stands.
        lagging: Whether the marker is the one that stands a second time in the conversation.
        saves: Tokens that a session saves by it; where none stands, what one more marker would save.
        why: In words.
    """

    lane: LaneName
    after: str
    lifetime: str | None = None
    lagging: bool = False
    saves: int = 0
    why: str


class ManifestAuto(_Value):
    """What `cache auto` decided.

    Attributes:
        traffic: The clauses that it planned for, as a spec writes them.
        uncached: What the prompts of one session cost without a marker, in tokens of input.
        cost: What they are expected to cost with those that were placed.
        reasons: In cache order; then the places that were passed over.
        notes: What was taken for granted.
    """

    traffic: tuple[str, ...] = ()
    uncached: int = 0
    cost: int = 0
    reasons: tuple[ManifestReason, ...] = ()
    notes: tuple[str, ...] = ()


class ManifestFork(_Value):
    """A condition that forks the prefix.

    Attributes:
        element: The element that it gates, or in whose text it stands.
        condition: In canonical spelling.
        inside: Whether it stands inside the text.
        least: Fewest literal bytes in front of it.
        most: Most literal bytes in front of it.
        before: Distinct prefixes in front of it.
        after: Distinct prefixes behind it.
    """

    element: str
    lane: LaneName
    condition: str
    inside: bool = False
    least: int
    most: int
    before: int
    after: int
    span: Place


class Boundary(_Value):
    """The end of an element in one variant: the digest of everything up to there, the element included."""

    lane: LaneName
    element: str
    digest: str


class ManifestVariant(_Value):
    """One way through the forks.

    Attributes:
        example: Inputs that lead here: `null` absent, `[]` empty, `{"any": "other"}` or `{"any": "filled"}` for a value
            that is none of those that the spec names. Inputs that are left out do not matter.
        holds: Per fork whether its condition holds; None where the fork is not reached.
        scopes: Per block the scope that it gets; None where it is not cached.
        prefix: Elements that are there, in cache order, with their prefix digests.
    """

    example: dict[str, ExampleValue]
    holds: tuple[bool | None, ...]
    scopes: tuple[str | None, ...]
    prefix: tuple[Boundary, ...]


class Variants(_Value):
    """How many shapes the prefix has; all of them while they are few.

    Attributes:
        listed: Every variant, or none when there are more than a manifest lists; the forks tell them all.
    """

    total: int
    listed: tuple[ManifestVariant, ...] = ()


# -- the rest ------------------------------------------------------------------------------------


class ManifestInput(_Value):
    """An input and what its values may be."""

    name: str
    type: str
    cls: str = Field(alias="class")
    max_chars: int | None = None
    cut: str | None = None


class ManifestGate(_Value):
    """A named condition."""

    name: str
    condition: str
    cls: str = Field(alias="class")


class ManifestRequire(_Value):
    """A condition that rules combinations out."""

    condition: str
    reason: str


class Seams(_Value):
    """What stands around and between the sections of a lane."""

    separator: str
    open: str = ""
    close: str = ""


class Tokens(_Value):
    """How tokens were counted, and the measured mean error of that as a share."""

    method: str
    error: float


class Manifest(_Value):
    """A built prompt: everything that decides its prefix, in cache order, without its sources.

    Attributes:
        wire: Request format.
        chain: Stability classes, lowest first.
        order: Lanes of the provider's cache, in order.
        model: The model expression; None where the caller passes it.
        digest: SHA-256 over seams, blocks and element digests: the same when no byte of the prompt can differ.
        seams: Per lane with sections.
        scopes: In the order in which blocks name them.
        auto: Only for a prompt whose markers the planner placed.
    """

    format: Literal["promptc.manifest/1"]
    prompt: str
    target: str
    wire: str
    chain: tuple[str, ...]
    order: tuple[str, ...]
    model: str | None = None
    max_tokens: int
    tokens: Tokens
    digest: str
    inputs: tuple[ManifestInput, ...] = ()
    gates: tuple[ManifestGate, ...] = ()
    requires: tuple[ManifestRequire, ...] = ()
    seams: dict[LaneName, Seams]
    scopes: tuple[ManifestScope, ...] = ()
    blocks: tuple[ManifestBlock, ...] = ()
    elements: tuple[ManifestElement, ...]
    breakpoints: tuple[ManifestBreakpoint, ...] = ()
    auto: ManifestAuto | None = None
    forks: tuple[ManifestFork, ...] = ()
    variants: Variants
