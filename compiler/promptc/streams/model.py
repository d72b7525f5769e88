"""A prefix stream: the elements of a request in cache order, its breakpoints and its other attributes."""

from bisect import bisect_right
from dataclasses import dataclass
from typing import Literal, TypeAlias

from promptc.streams.json_value import JsonObject, JsonValue, encode, encoded_length, member, utf8_length

Kind: TypeAlias = Literal["tool", "system", "content"]
Lane: TypeAlias = Literal["tools", "system", "messages"]

LANE_OF: dict[Kind, Lane] = {"tool": "tools", "system": "system", "content": "messages"}
LANES: tuple[Lane, ...] = ("tools", "system", "messages")


@dataclass(frozen=True, slots=True)
class Piece:
    """The part of an element that one section of a spec wrote.

    Attributes:
        start: First byte in the element's own text.
        section: Name of the section; empty for a part that none is known to have written.
        path: Spec file, or None where it is not known.
        line: Line in that file, from 1.
        column: Column in that line, from 1.
        by: How that is known, for a captured request; None where a build says it.
        inserted: Whether it is a value in the section's text rather than text of the spec.
    """

    start: int
    section: str
    path: str | None = None
    line: int | None = None
    column: int | None = None
    by: str | None = None
    inserted: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Element:
    """One unit of the prefix: a tool, a system block, or a content block with its role.

    Attributes:
        kind: Which it is; decides the lane.
        pointer: JSON pointer that names it in reports.
        at: JSON pointer of `value`; differs from `pointer` where a message is named and one part of it is meant.
        container: JSON pointer of the array or member that holds it; a move inside it is a reordering.
        role: Role of its message; None for tools and system blocks.
        value: What is compared, markers removed. Equal values are equal bytes to the provider.
        pieces: Which section wrote which part of the text, in order; empty when unknown.
    """

    kind: Kind
    pointer: str
    at: str
    container: str
    role: str | None
    value: JsonValue
    pieces: tuple[Piece, ...] = ()

    def same_as(self, other: "Element") -> bool:
        """Whether the provider sees the same bytes in the same lane."""
        return self.kind == other.kind and self.role == other.role and self.value == other.value

    @property
    def key(self) -> str:
        """A string that two elements share exactly when they are the same."""
        return f"{self.kind} {self.role} {self.value!r}"

    @property
    def text(self) -> str | None:
        """The element's own text, when text is all it is; None for anything structured."""
        return plain_text(self.value)

    @property
    def data(self) -> bytes:
        """The bytes that stand for it: its text, or compact JSON as sent."""
        text = self.text
        return (encode(self.value) if text is None else text).encode("utf-8", "surrogatepass")

    @property
    def size(self) -> int:
        """Length of `data`, in bytes."""
        text = self.text
        return encoded_length(self.value) if text is None else utf8_length(text)

    def piece_at(self, byte_offset: int) -> Piece | None:
        """The piece that holds a byte of the text; None where no section is known to have written it."""
        index = bisect_right(self.pieces, byte_offset, key=lambda piece: piece.start) - 1
        return self.pieces[index] if index >= 0 and self.pieces[index].section else None


def plain_text(value: JsonValue) -> str | None:
    """The text of a string or of a block that is nothing but text; None for others."""
    if isinstance(value, str):
        return value
    if isinstance(value, tuple) and 0 < len(value) <= 2:
        text = member(value, "text")
        if isinstance(text, str) and all(k == "text" or (k == "type" and v in TEXT_TYPES) for k, v in value):
            return text
    return None


TEXT_TYPES: tuple[str, ...] = ("text", "input_text", "output_text")


@dataclass(frozen=True, slots=True)
class Breakpoint:
    """The end of a prefix that is to be cached.

    Attributes:
        index: Element that it closes.
        pointer: JSON pointer of that element.
        ttl: Lifetime as written; None for the provider's default.
        scope: Scope of a spec that it ends; None for captured requests.
        implied: Whether the provider adds it without a marker in the request.
    """

    index: int
    pointer: str
    ttl: str | None = None
    scope: str | None = None
    implied: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class PrefixStream:
    """What a provider caches of one request.

    Attributes:
        name: Name of the source, for reports.
        format: Shape that was read, such as `anthropic-messages`.
        target: Provider that the request goes to; None where nothing tells.
        order: Lanes in the order of the stream.
        elements: In cache order.
        breakpoints: In cache order.
        attributes: Members of the request that are not prefix; some of them key the cache.
        member_order: Names of the request's members as sent.
        outside: Pointers of what the target does not cache: deferred tools, lanes that the order leaves out.
        format_is_sure: Whether the body could be of no other shape.
    """

    name: str
    format: str
    target: str | None
    order: tuple[Lane, ...]
    elements: tuple[Element, ...]
    breakpoints: tuple[Breakpoint, ...] = ()
    attributes: JsonObject = ()
    member_order: tuple[str, ...] = ()
    outside: tuple[str, ...] = ()
    format_is_sure: bool = True
