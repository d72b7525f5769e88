"""The YAML surface as pydantic models: prompts, lanes, and what stands in them.

The reader asks the models for the keys of each construct, so that a key exists in one place; it reads the values
itself, from nodes, because a model knows no spans.
"""

from collections.abc import Mapping
from functools import cache
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Discriminator, Field, Tag, model_validator
from typing_extensions import TypeAliasType

_SHAPE = ConfigDict(extra="forbid", strict=True, use_attribute_docstrings=True, frozen=True)

Expression = Annotated[str | bool | int, Field(description="An expression, as the DSL writes it.")]
TypeText = Annotated[str, Field(description="A type, as the DSL writes it: `text?`, `list[Tool]`, `int 1..5`.")]
Duration = Annotated[str, Field(pattern=r"^[0-9]+(s|m|h|d)$", description="`30s`, `5m`, `1h`.")]
Count = Annotated[int, Field(ge=0, le=2**53 - 1)]
Data = TypeAliasType("Data", "str | bool | int | list[Data] | dict[str, Data] | None")


class Shape(BaseModel):
    """A closed mapping. A key without a value is a mistake, not an absent key."""

    model_config = _SHAPE

    @model_validator(mode="before")
    @classmethod
    def _has_values(cls, value: object) -> object:
        if isinstance(value, Mapping):
            for key, item in value.items():
                if item is None and key != "default":
                    raise ValueError(f"`{key}` has no value")
        return value


@cache
def keys_of(shape: type[Shape]) -> dict[str, bool]:
    """The keys of a shape in their order, and whether each is required."""
    return {info.alias or name: info.is_required() for name, info in shape.model_fields.items()}


class TextBody(Shape):
    text: str
    """The template."""


class FileBody(Shape):
    file: str
    """Path of a file that holds the template."""


def _body_kind(value: object) -> str:
    if isinstance(value, Mapping):
        return "file" if "file" in value else "text_key"
    return "text"


Body = Annotated[
    Annotated[str, Tag("text")] | Annotated[TextBody, Tag("text_key")] | Annotated[FileBody, Tag("file")],
    Discriminator(_body_kind),
]


class FirstBody(Shape):
    when: Expression | None = None
    """Whether there is something to say the first time; without it, always."""
    text: str | None = None
    """The template."""
    file: str | None = None
    """Path of a file that holds the template."""


class Accepted(Shape):
    code: str
    """`PCnnn`, or the slug."""
    because: str
    """Why it is accepted."""


class LibrarySection(Shape):
    """A section; exactly one of `text`, `file` and `deliver: delta` gives its body."""

    cls: str | None = Field(None, alias="class")
    """Its stability class."""
    when: Expression | None = None
    """The gate."""
    deliver: Literal["inline", "frozen", "delta", "ephemeral"] | None = None
    """How a value that changes reaches the model."""
    key: Expression | None = None
    """With `deliver: frozen`: rendered anew where this value changes."""
    pin: str | None = None
    """Why the section may stand where its class falls."""
    allow: list[Accepted] | None = None
    """Findings that are accepted here."""
    text: str | None = None
    """The template."""
    file: str | None = None
    """Path of a file that holds the template."""
    first: str | FirstBody | None = None
    """With `deliver: delta`: what is said the first time."""
    changed: Body | None = None
    """With `deliver: delta`: what is said after a change."""
    gone: Body | None = None
    """With `deliver: delta`: what is said when there is nothing left to say."""


class Section(LibrarySection):
    section: str
    """Its name."""


class Include(Shape):
    include: str
    """Name of a library section."""
    when: Expression | None = None
    """The gate."""
    pin: str | None = None
    """Why the section may stand where its class falls."""


class Group(Shape):
    group: str
    """Its name."""
    cls: str | None = Field(None, alias="class")
    """Its stability class."""
    source: Expression = Field(alias="from")
    """The list of tools."""
    order_by: list[str] | None = None
    """Fields of a tool to sort by."""
    when: Expression | None = None
    """The gate."""
    defer_when: Expression | None = None
    """Which tools are deferred; `tool` is the element."""
    policy: Literal["fixed", "mask"] | None = None
    """How the set may change within its class."""
    pin: str | None = None
    """Why the group may stand where its class falls."""


class ToolItem(Shape):
    tool: str
    """Its name."""
    cls: str | None = Field(None, alias="class")
    """Its stability class."""
    when: Expression | None = None
    """The gate."""
    description: Body | None = None
    """What the model is told about it."""
    schema_: Body | None = Field(None, alias="schema")
    """JSON Schema of its arguments, as JSON."""
    pin: str | None = None
    """Why the tool may stand where its class falls."""


class CacheBlock(Shape):
    cache: str
    """The scope whose prefix ends with this block."""
    ttl: Duration | None = None
    """How long it lives."""
    fallback: str | None = None
    """The scope to fall back to."""
    items: list["BlockItem"]
    """Its sections, in order."""


class UncachedBlock(Shape):
    uncached: list["BlockItem"]
    """Its sections, in order."""


class CacheLast(Shape):
    cache: Literal["last"]
    """A breakpoint behind the last tool."""
    ttl: Duration | None = None
    """How long it lives."""


class CacheLastMessage(Shape):
    cache: Literal["last message"]
    """A breakpoint behind the last message."""
    ttl: Duration | None = None
    """How long it lives."""


class History(Shape):
    history: str
    """Where the conversation stands."""


class Separator(Shape):
    separator: str
    """What stands between two sections of this lane."""


BLOCK_SHAPES: dict[str, type[Shape]] = {"section": Section, "include": Include}
"""What stands in a block, by the key that names the construct."""

LANE_SHAPES: dict[str, dict[str, type[Shape]]] = {
    "tools": {"group": Group, "tool": ToolItem, "cache": CacheLast, "separator": Separator},
    "system": {"cache": CacheBlock, "uncached": UncachedBlock, **BLOCK_SHAPES, "separator": Separator},
    "preamble": {**BLOCK_SHAPES, "separator": Separator},
    "conversation": {"history": History, "cache": CacheLastMessage},
    "tail": {**BLOCK_SHAPES, "separator": Separator},
}
"""What stands in each lane, by the key that names the construct."""

NEW_ITEM_SHAPES: dict[str, type[Shape]] = {**BLOCK_SHAPES, "group": Group, "tool": ToolItem}
"""What an edit puts in, by the key that names the construct."""

CONSTRUCT_KEYS: tuple[str, ...] = tuple(dict.fromkeys(key for shapes in LANE_SHAPES.values() for key in shapes))


def _construct(value: object) -> str | None:
    return next((key for key in CONSTRUCT_KEYS if key in value), None) if isinstance(value, Mapping) else None


_BY_CONSTRUCT = Discriminator(_construct)
_SectionItem = Annotated[Section, Tag("section")]
_IncludeItem = Annotated[Include, Tag("include")]
_GroupItem = Annotated[Group, Tag("group")]
_ToolItem = Annotated[ToolItem, Tag("tool")]
_SeparatorItem = Annotated[Separator, Tag("separator")]

BlockItem = Annotated[_SectionItem | _IncludeItem, _BY_CONSTRUCT]
NewItem = Annotated[_SectionItem | _IncludeItem | _GroupItem | _ToolItem, _BY_CONSTRUCT]
TextLaneItem = Annotated[_SectionItem | _IncludeItem | _SeparatorItem, _BY_CONSTRUCT]
ToolsLaneItem = Annotated[_GroupItem | _ToolItem | Annotated[CacheLast, Tag("cache")] | _SeparatorItem, _BY_CONSTRUCT]
SystemLaneItem = Annotated[
    Annotated[CacheBlock, Tag("cache")]
    | Annotated[UncachedBlock, Tag("uncached")]
    | _SectionItem
    | _IncludeItem
    | _SeparatorItem,
    _BY_CONSTRUCT,
]
ConversationLaneItem = Annotated[
    Annotated[History, Tag("history")] | Annotated[CacheLastMessage, Tag("cache")], _BY_CONSTRUCT
]


class EnvelopedLane(Shape):
    envelope: str = Field(alias="in")
    """Name of the envelope."""
    items: list[TextLaneItem]
    """What stands in the lane, in order."""


class Replace(Shape):
    replace: str
    """Name of what is replaced."""
    item: NewItem = Field(alias="with")
    """What replaces it."""


class Remove(Shape):
    remove: str
    """Name of what is removed."""


class Before(Shape):
    before: str
    """Name of what the new item stands before."""
    insert: NewItem
    """The new item."""


class After(Shape):
    after: str
    """Name of what the new item stands behind."""
    insert: NewItem
    """The new item."""


EDIT_SHAPES: dict[str, type[Shape]] = {"replace": Replace, "remove": Remove, "before": Before, "after": After}


def _edit_kind(value: object) -> str | None:
    return next((key for key in EDIT_SHAPES if key in value), None) if isinstance(value, Mapping) else None


AnyEdit = Annotated[
    Annotated[Replace, Tag("replace")]
    | Annotated[Remove, Tag("remove")]
    | Annotated[Before, Tag("before")]
    | Annotated[After, Tag("after")],
    Discriminator(_edit_kind),
]


class Prompt(Shape):
    extends: str | None = None
    """The prompt that this one edits."""
    target: str | None = None
    """The provider."""
    model: Expression | None = None
    """What goes into the request's `model`."""
    max_tokens: Count | None = None
    """What goes into the request's `max_tokens`."""
    cache: Literal["auto"] | None = None
    """The planner places all markers."""
    cache_key: Expression | None = None
    """Requests of one key are sent to where their prefix is kept."""
    tools: list[ToolsLaneItem] | None = None
    """The tools lane."""
    system: list[SystemLaneItem] | None = None
    """The system lane."""
    preamble: list[TextLaneItem] | EnvelopedLane | None = None
    """What goes into the first user message."""
    conversation: list[ConversationLaneItem] | None = None
    """The conversation lane."""
    tail: list[TextLaneItem] | EnvelopedLane | None = None
    """What is appended behind everything that was sent."""
    edits: list[AnyEdit] | None = None
    """Changes to the prompt named by `extends`."""
