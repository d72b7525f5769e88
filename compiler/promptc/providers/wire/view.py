"""What rules see of a request body: turns, blocks in cache order, calls, results, markers; each with its pointer."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from promptc.providers.model import Lane

Json = Any


@dataclass(frozen=True, slots=True)
class Mark:
    """One cache marker.

    Attributes:
        pointer: Where the marked block stands; what a finding points at.
        at: Where the marker itself stands.
        value: The marker as sent.
        lane: Lane of the marked block.
        kind: Type of the marked block, as the format names it.
        nested: Whether it sits on a part inside a block (a result's content, a citation).
        last_inner: Whether it sits on the last part inside a block.
    """

    pointer: str
    at: str
    value: Json
    lane: Lane
    kind: str
    nested: bool = False
    last_inner: bool = False

    @property
    def ttl(self) -> str | None:
        """Lifetime that the marker asks for; None for the default."""
        found = self.value.get("ttl") if isinstance(self.value, Mapping) else None
        return found if isinstance(found, str) else None


@dataclass(frozen=True, slots=True)
class Block:
    """One block of the prefix.

    Attributes:
        pointer: JSON pointer of the block.
        lane: Where it stands in the cache order.
        kind: Type as the format names it; `text` for a plain string, `tool` for a tool definition.
        role: Role of its turn; empty outside the conversation.
        raw: The block as decoded.
        text: Its text, or None where it has none.
        text_pointer: JSON pointer of that text.
        mark: Its marker, when it carries one.
    """

    pointer: str
    lane: Lane
    kind: str
    role: str
    raw: Json
    text: str | None = None
    text_pointer: str = ""
    mark: Mark | None = None


@dataclass(frozen=True, slots=True)
class Call:
    """A call of a tool by the model.

    Attributes:
        id: Its id; None where it has none.
        pointer: Where the call stands.
        id_pointer: Where its id stands.
    """

    id: str | None
    pointer: str
    id_pointer: str


@dataclass(frozen=True, slots=True)
class Result:
    """The answer to a call.

    Attributes:
        id: The id it names; None where it names none.
        pointer: Where the result stands.
    """

    id: str | None
    pointer: str


@dataclass(frozen=True, slots=True)
class Turn:
    """One message or item of the conversation.

    Attributes:
        pointer: JSON pointer of the message.
        content_pointer: JSON pointer of its content.
        role: Role as sent; `tool` for the results of formats that have such messages.
        blocks: Its blocks in order.
        calls: Calls it makes.
        results: Results it brings.
        raw: The message as decoded.
    """

    pointer: str
    content_pointer: str
    role: str
    blocks: tuple[Block, ...]
    calls: tuple[Call, ...] = ()
    results: tuple[Result, ...] = ()
    raw: Json = None


@dataclass(frozen=True, slots=True)
class View:
    """A request body, read.

    Attributes:
        body: The body as decoded.
        model: Model id; empty where the body has none.
        tools: Tool definitions.
        system: Blocks of the system field; empty where system text is a message.
        turns: The conversation.
        marks: Every marker in cache order, nested ones included, the request-level one not.
        request_mark: The marker of the request itself.
        foreign: Pointers of markers that belong to another format, with the field's name.
    """

    body: Mapping[str, Json]
    model: str
    tools: tuple[Block, ...]
    system: tuple[Block, ...]
    turns: tuple[Turn, ...]
    marks: tuple[Mark, ...]
    request_mark: Mark | None
    foreign: tuple[tuple[str, str], ...]

    def blocks(self, order: tuple[Lane, ...]) -> tuple[Block, ...]:
        """All blocks in cache order; a lane that the order leaves out is no part of the prefix."""
        spoken = (block for turn in self.turns for block in turn.blocks)
        everything = (*self.tools, *self.system, *spoken)
        return tuple(block for lane in order for block in everything if block.lane == lane)


def escaped(key: str) -> str:
    """One step of a JSON pointer (RFC 6901)."""
    return key.replace("~", "~0").replace("/", "~1")


def as_list(value: Json) -> list[Json]:
    """The value when it is a list, else an empty one."""
    return value if isinstance(value, list) else []


def as_mapping(value: Json) -> Mapping[str, Json]:
    """The value when it is an object, else an empty one."""
    return value if isinstance(value, Mapping) else {}


def as_text(value: Json) -> str | None:
    """The value when it is a string."""
    return value if isinstance(value, str) else None


def cites(view: View) -> str | None:
    """Pointer of the first block of the conversation with citations switched on; None where there is none."""
    for turn in view.turns:
        for block in turn.blocks:
            if as_mapping(as_mapping(block.raw).get("citations")).get("enabled") is True:
                return block.pointer
    return None


def without(value: Json, key: str) -> Json:
    """The value with every occurrence of a key removed, key order kept."""
    if isinstance(value, Mapping):
        return {name: without(item, key) for name, item in value.items() if name != key}
    if isinstance(value, list):
        return [without(item, key) for item in value]
    return value


def at_path(body: Json, path: str) -> Json:
    """The value at a dotted path of keys, None where the path ends early."""
    value = body
    for key in path.split("."):
        value = value.get(key) if isinstance(value, Mapping) else None
    return value


# Strings that are handed through and not read as text: signatures, sealed reasoning, encoded media.
_SEALED = frozenset({"signature", "encrypted_content"})
_MEDIA_SIBLINGS = ("media_type", "mimeType", "mime_type")


def text_of(value: Json) -> str:
    """All strings of a JSON value that a model reads, in order; what a block weighs in tokens."""
    if isinstance(value, str):
        return value
    if isinstance(value, Mapping):
        media = value.get("type") == "redacted_thinking" or any(name in value for name in _MEDIA_SIBLINGS)
        read = (key for key in value if key not in _SEALED and not (media and key in ("data", "bytes")))
        return " ".join(f"{key} {text_of(value[key])}" for key in read)
    if isinstance(value, list):
        return " ".join(text_of(item) for item in value)
    return "" if value is None else str(value)
