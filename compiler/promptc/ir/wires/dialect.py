"""What a format has to say to the reference interpreter, and what its functions share."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from promptc.ir.form import PLAIN_FORM, TTL_TEXT, MarkerForm, WireForm
from promptc.ir.interpret_json import RawJson
from promptc.ir.interpret_state import Decision
from promptc.ir.model import Program
from promptc.runtime.errors import InputError

Part = dict[str, Any]
UNMARKABLE = ("thinking", "redacted_thinking")


@dataclass(slots=True)
class Turn:
    """One message of a conversation, in promptc's own form.

    Attributes:
        role: `user`, `assistant`, `system`, or `native` for one that is in the wire's own shape.
        blocks: What it says; each with where it came from.
        native: The message itself, markers taken off, where it is native.
        passing: Texts behind it that are in this request only.
    """

    role: str
    blocks: list[Part]
    native: Part | None = None
    places: list[str] = field(default_factory=list)
    passing: list[Part] = field(default_factory=list)

    @property
    def is_answer(self) -> bool:
        """Whether it is the model's."""
        return (self.role if self.native is None else self.native.get("role")) in ("assistant", "model")

    def each(self) -> Iterable[tuple[Part, str, bool]]:
        """Every block, where the caller put it, and whether it stays."""
        places = self.places
        for block, place in zip(self.blocks, places, strict=True):
            yield block, place, True
        for block in self.passing:
            yield block, "", False


@dataclass(slots=True)
class Talk:
    """What the messages of one request share while they are lowered.

    Attributes:
        slots: Where a marker may stand, in order: the list of parts, the index in it, and the number of the message.
        number: The message that is being lowered.
        called: Names of the tools that were called so far, by id.
    """

    target: str
    form: WireForm
    decisions: list[Decision]
    slots: list[tuple[list[Part], int, int]] = field(default_factory=list)
    number: int = 0
    called: dict[str, str] = field(default_factory=dict)

    def put(self, parts: list[Part], part: Part, lasting: bool) -> None:
        """Append a part and note whether a marker may stand on it."""
        parts.append(part)
        if lasting and may_carry(part, self.form.marker):
            self.slots.append((parts, len(parts) - 1, self.number))

    def put_native(self, message: Part) -> list[Part]:
        """Note where markers may stand in a message that is in the wire's own shape; returns it alone."""
        for name, parts in message.items():
            if name in ("content", "output") and isinstance(parts, list):
                found = [at for at, p in enumerate(parts) if isinstance(p, dict) and may_carry(p, self.form.marker)]
                self.slots += [(parts, at, self.number) for at in found]
        return [message]


@dataclass(frozen=True, slots=True)
class Envelope:
    """The parts of a request before a format puts them together."""

    form: WireForm
    model: str
    key: str | None
    max_tokens: int
    tools: list[Part]
    system: list[Part]
    messages: list[Part]


@dataclass(frozen=True, slots=True)
class Dialect:
    """How one format is written.

    Attributes:
        tool: A tool from its name, description and schema, and whether it is deferred.
        text: A part of the system text.
        lower: The messages on the wire that say what one message says.
        whole: The request.
    """

    tool: Callable[[str, str, RawJson, bool], Part]
    text: Callable[[str], Part]
    lower: Callable[[Turn, Talk], list[Part]]
    whole: Callable[[Envelope], Part]


def names_model(program: Program) -> bool:
    """Whether a caller has to name the model."""
    return program.model is None and program.form.model_in_body


def name_of_target(program: Program) -> str:
    """What errors call the target; the format, where the assembler carries no description of its target."""
    return program.wire if program.form == PLAIN_FORM else program.target


def kind_of(part: Part) -> str:
    """The kind of a part: its `type`, or the one key that it has."""
    return str(part["type"]) if isinstance(part.get("type"), str) else next(iter(part), "")


def may_carry(part: Part, marker: MarkerForm | None) -> bool:
    """Whether a marker may stand on a part."""
    if part.get("text") == "" or marker is None:
        return False
    kind = kind_of(part)
    return kind in marker.carriers if marker.carriers else kind not in UNMARKABLE


def mark(parts: list[Part], at: int, form: MarkerForm, ttl: int | None) -> None:
    """Put a marker on a part, or behind it."""
    value: dict[str, str] = {form.key: form.kind}
    if ttl is not None:
        value["ttl"] = TTL_TEXT[ttl]
    if form.apart:
        parts.insert(at + 1, {form.field: value})
    else:
        parts[at][form.field] = value


def opened(envelope: Envelope) -> Part:
    """The beginning of every request: constant members, the model where the body names it, the key."""
    head: Part = {name: RawJson(text) for name, text in envelope.form.constants}
    if envelope.form.model_in_body:
        head["model"] = envelope.model
    return head if envelope.key is None else {**head, envelope.form.key_field: envelope.key}


# -- reading blocks ---------------------------------------------------------------------------------


def only(block: Mapping[str, object], names: Sequence[str], place: str, target: str) -> None:
    """Refuse members that the wire has no place for."""
    for name in block:
        if name not in names:
            raise InputError(f"{place}.{name}", f"has no place in a request to `{target}`")


def text_in(block: Mapping[str, object], name: str, place: str) -> str:
    """A member that must be a text."""
    value = block.get(name)
    if not isinstance(value, str):
        raise InputError(f"{place}.{name}", "expected a text")
    return value


def refuse(block: Mapping[str, object], place: str, target: str) -> InputError:
    """The error for a block that the wire cannot say."""
    return InputError(
        place, f"`{block['type']}` cannot be said to `{target}`; leave it out, or pass a `Native` message"
    )


def call_of(block: Mapping[str, object], place: str, target: str) -> tuple[str, str, object]:
    """Id, name and arguments of a call."""
    only(block, ("type", "id", "name", "input"), place, target)
    if "input" not in block:
        raise InputError(f"{place}.input", "is missing")
    return text_in(block, "id", place), text_in(block, "name", place), block["input"]


def image_source(block: Mapping[str, object], place: str, target: str) -> tuple[str, str]:
    """Media type and base64 data of an image; an empty media type and the address for one that is only named."""
    only(block, ("type", "source"), place, target)
    source = block.get("source")
    if not isinstance(source, dict):
        raise InputError(f"{place}.source", "expected a mapping")
    kind = source.get("type")
    if kind == "base64":
        only(source, ("type", "media_type", "data"), f"{place}.source", target)
        return text_in(source, "media_type", f"{place}.source"), text_in(source, "data", f"{place}.source")
    if kind == "url":
        only(source, ("type", "url"), f"{place}.source", target)
        return "", text_in(source, "url", f"{place}.source")
    raise InputError(f"{place}.source.type", f"has no place in a request to `{target}`")


def image_address(block: Mapping[str, object], place: str, target: str) -> str:
    """An image as one address: as given, or with its data inside."""
    media, data = image_source(block, place, target)
    return f"data:{media};base64,{data}" if media else data


def result_blocks(block: Mapping[str, object], place: str, target: str) -> list[tuple[Part, str]]:
    """What a tool result says, with the place of each part."""
    only(block, ("type", "tool_use_id", "content", "is_error"), place, target)
    content = block.get("content")
    if content is None:
        return []
    if isinstance(content, str):
        return [({"type": "text", "text": content}, f"{place}.content")]
    if not isinstance(content, list | tuple):
        raise InputError(f"{place}.content", "expected a text or a list of blocks")
    found = []
    for at, part in enumerate(content):
        where = f"{place}.content[{at}]"
        if not isinstance(part, dict) or not isinstance(part.get("type"), str):
            raise InputError(where, "expected a mapping with a `type`")
        if part["type"] == "text":
            only(part, ("type", "text"), where, target)
            text_in(part, "text", where)
        found.append((part, where))
    return found


def flag_not_said(block: Mapping[str, object], place: str, talk: Talk) -> None:
    """Say that the wire has no word for a failed call; its text is sent all the same."""
    if block.get("is_error"):
        detail = f"{place}.is_error has no place in a request to `{talk.target}`; the text of the result is sent"
        talk.decisions.append(Decision("error-flag-not-sent", "", detail))
