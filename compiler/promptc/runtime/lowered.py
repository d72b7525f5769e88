"""Conversations for wires that do not take promptc's own form as it is: every message is lowered to entries."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from promptc.runtime.conversation import Conversation
from promptc.runtime.errors import InputError
from promptc.runtime.escape import escape
from promptc.runtime.json_text import as_given
from promptc.runtime.messages import Block, Content
from promptc.runtime.native import NativeMessage, last_part, native_parts
from promptc.runtime.request import CALLER, WIRE, Parts
from promptc.runtime.state import Decision


class Item(NamedTuple):
    """Something that a message says.

    Attributes:
        block: A block of the caller's that is no plain text; None for a text.
        data: The escaped text, and the mark of its bytes.
        where: Where the caller put it.
        lasting: Whether it stays in later requests.
    """

    block: Block | None
    data: bytes
    mark: Any
    where: str
    lasting: bool


class Piece(NamedTuple):
    """One part on the wire: pieces of bytes that end with a closing brace of their own, and whether a marker may follow."""

    parts: Parts
    markable: bool


class Entry(NamedTuple):
    """One message or item on the wire: what stands in front of its parts, the parts, and what closes it."""

    head: Parts
    parts: Sequence[Piece]
    tail: Parts


class Lowered(Conversation):
    """The messages of one request for a wire of another form; each format says how in a class of its own."""

    __slots__ = ()

    def lower(self, role: str, items: Sequence[Item]) -> list[Entry]:
        """The entries that say what one message says."""
        raise NotImplementedError

    def note(self, message: Mapping[str, Any]) -> None:
        """See a message that is passed through."""

    def write(self, out: Parts, marker: bytes, lagging: bool = False) -> None:
        """Write the messages, behind a system message where one stands in `out` already.

        Args:
            marker: The cache marker with the comma in front of it; empty for none.
            lagging: Whether the marker stands a second time, where the request before had it.
        """
        entries: list[tuple[int, Entry | NativeMessage]] = []
        for at, (role, content) in enumerate(self._messages):
            if isinstance(content, dict):
                self.note(content)
                entries.append((at, content))
            else:
                entries += [(at, entry) for entry in self.lower(role, self._items(at, content))]
        marks = self._marks(entries, lagging) if marker else {}
        if marker and not marks:
            self._work.decisions.append(Decision("marker-withheld", "", "no block may carry the cache marker"))
        between = not out[-2].endswith(b"[")
        for number, (_, entry) in enumerate(entries):
            if between or number:
                out += (b",", WIRE)
            place = marks.get(number, -1)
            if isinstance(entry, Entry):
                self._write_entry(out, entry, place, marker)
            else:
                native = last_part(entry, self._wire) if place >= 0 else None
                out += native_parts(entry, native, marker, self._wire)

    def _marks(self, entries: Sequence[tuple[int, Entry | NativeMessage]], lagging: bool) -> dict[int, int]:
        """The part of each entry that carries a marker."""
        last = self._marked_entry(entries)
        if last is None:
            return {}
        marks = {last[0]: last[1]}
        if lagging:
            answered = self.answered()
            before = self._marked_entry([entry for entry in entries if entry[0] < answered])
            if before is not None:
                marks.setdefault(*before)
        return marks

    def _items(self, at: int, content: Content) -> list[Item]:
        items: list[Item] = []
        if self._front is not None and at == self._first:
            items.append(Item(None, *self._front, "", True))
        where = f"messages[{at}].content"
        if isinstance(content, str):
            written = self._written.get(at)
            try:
                data = escape(content) if written is None else written.text()
            except UnicodeEncodeError:
                raise InputError(where, "contains a lone surrogate") from None
            items.append(Item(None, data, CALLER, where, True))
        else:
            for index, block in enumerate(content):
                assert isinstance(block, dict)
                place = f"{where}[{index}]"
                if block["type"] == "text":
                    only(block, ("type", "text"), place, self._wire.target)
                    items.append(Item(None, escape(block["text"]), CALLER, place, True))
                else:
                    items.append(Item(block, b"", CALLER, place, True))
        items += [Item(None, data, mark, "", True) for data, mark in self._after.get(at, ())]
        if self._passing is not None and at == self.anchor - 1:
            items.append(Item(None, *self._passing, "", False))
        return items

    def _marked_entry(self, entries: Sequence[tuple[int, Entry | NativeMessage]]) -> tuple[int, int] | None:
        for number in range(len(entries) - 1, -1, -1):
            entry = entries[number][1]
            if isinstance(entry, Entry):
                for index in range(len(entry.parts) - 1, -1, -1):
                    if entry.parts[index].markable:
                        return number, index
            elif last_part(entry, self._wire) is not None:
                return number, 0
        return None

    def _write_entry(self, out: Parts, entry: Entry, place: int, marker: bytes) -> None:
        out += entry.head
        for index, (parts, _) in enumerate(entry.parts):
            if index:
                out += (b",", WIRE)
            if index != place:
                out += parts
            elif self._wire.apart:
                out += (*parts, marker, WIRE)
            else:
                out += (*parts[:-2], marker + b"}", WIRE)
        out += entry.tail

    # -- for the formats -----------------------------------------------------------------------------

    def text_piece(self, item: Item, opening: bytes, kind: str) -> Piece:
        """A text as a part; `opening` ends with the quote of its text."""
        markable = item.lasting and item.data != b"" and bool(self._wire.field) and kind in self._wire.carriers
        return Piece([opening, WIRE, item.data, item.mark, b'"', WIRE, b"}", WIRE], markable)

    def block_piece(self, part: Mapping[str, Any]) -> Piece:
        """A part that is written whole."""
        return Piece([as_given(part)[:-1].encode(), CALLER, b"}", WIRE], self._wire.may_carry(part))

    def refuse(self, block: Block, where: str) -> InputError:
        """The error for a block that the wire cannot say."""
        reason = f"`{block['type']}` cannot be said to `{self._wire.target}`; leave it out, or pass a `Native` message"
        return InputError(where, reason)

    def image(self, block: Block, where: str) -> tuple[str, str]:
        """Media type and base64 data of an image; an empty media type and the address for one that is only named."""
        target = self._wire.target
        only(block, ("type", "source"), where, target)
        source = block.get("source")
        if not isinstance(source, dict):
            raise InputError(f"{where}.source", "expected a mapping")
        kind = source.get("type")
        if kind == "base64":
            only(source, ("type", "media_type", "data"), f"{where}.source", target)
            return text_in(source, "media_type", f"{where}.source"), text_in(source, "data", f"{where}.source")
        if kind == "url":
            only(source, ("type", "url"), f"{where}.source", target)
            return "", text_in(source, "url", f"{where}.source")
        raise InputError(f"{where}.source.type", f"has no place in a request to `{target}`")

    def address(self, block: Block, where: str) -> str:
        """An image as one address: as given, or with its data inside."""
        media, data = self.image(block, where)
        return f"data:{media};base64,{data}" if media else data

    def result(self, block: Block, where: str) -> list[tuple[Block, str]]:
        """What a tool result says, with the place of each part."""
        target = self._wire.target
        only(block, ("type", "tool_use_id", "content", "is_error"), where, target)
        content = block.get("content")
        if content is None:
            return []
        if isinstance(content, str):
            return [({"type": "text", "text": content}, f"{where}.content")]
        if not isinstance(content, list | tuple):
            raise InputError(f"{where}.content", "expected a text or a list of blocks")
        found: list[tuple[Block, str]] = []
        for at, part in enumerate(content):
            place = f"{where}.content[{at}]"
            if not isinstance(part, dict) or not isinstance(part.get("type"), str):
                raise InputError(place, "expected a mapping with a `type`")
            if part["type"] == "text":
                only(part, ("type", "text"), place, target)
                text_in(part, "text", place)
            found.append((part, place))
        return found

    def call(self, block: Block, where: str) -> tuple[str, str, Any]:
        """Id, name and arguments of a call."""
        only(block, ("type", "id", "name", "input"), where, self._wire.target)
        if "input" not in block:
            raise InputError(f"{where}.input", "is missing")
        return text_in(block, "id", where), text_in(block, "name", where), block["input"]

    def flag_not_said(self, block: Block, where: str) -> None:
        """Say that the wire has no word for a failed call; its text is sent all the same."""
        if block.get("is_error"):
            detail = (
                f"{where}.is_error has no place in a request to `{self._wire.target}`; the text of the result is sent"
            )
            self._work.decisions.append(Decision("error-flag-not-sent", "", detail))


def only(block: Mapping[str, object], names: Sequence[str], where: str, target: str) -> None:
    """Refuse members that the wire has no place for."""
    for name in block:
        if name not in names:
            raise InputError(f"{where}.{name}", f"has no place in a request to `{target}`")


def text_in(block: Mapping[str, object], name: str, where: str) -> str:
    """A member that must be a text."""
    value = block.get(name)
    if not isinstance(value, str):
        raise InputError(f"{where}.{name}", "expected a text")
    return value
