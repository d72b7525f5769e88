"""Requests in the format `openai-chat`: calls and results are messages of their own."""

from collections.abc import Sequence

from promptc.runtime.errors import InputError
from promptc.runtime.escape import quoted
from promptc.runtime.json_text import as_given
from promptc.runtime.lowered import Entry, Item, Lowered, Piece, text_in
from promptc.runtime.messages import Block
from promptc.runtime.request import CALLER, WIRE, Parts
from promptc.runtime.tools import ToolForm

CHAT_TOOL = ToolForm(b'{"type":"function","function":{"name":', b',"parameters":', b"}", b"}")
_TEXT = b'{"type":"text","text":"'


class ChatConversation(Lowered):
    """The messages of one request."""

    __slots__ = ()

    def lower(self, role: str, items: Sequence[Item]) -> list[Entry]:
        """The messages that say what one message says."""
        if role == "assistant":
            return self._assistant(items)
        out: list[Entry] = []
        parts: list[Piece] = []
        for item in items:
            block = item.block
            if block is None:
                parts.append(self.text_piece(item, _TEXT, "text"))
            elif block["type"] == "image" and role == "user":
                image = {"type": "image_url", "image_url": {"url": self.address(block, item.where)}}
                parts.append(self.block_piece(image))
            elif block["type"] == "tool_result" and role == "user":
                if parts:
                    reason = "a tool result must stand in front of everything else in its message"
                    raise InputError(item.where, reason)
                out.append(self._result(block, item.where))
            else:
                raise self.refuse(block, item.where)
        if parts or not out:
            wire_role = self._wire.role if role == "system" else role
            head = b'{"role":"' + wire_role.encode() + b'","content":['
            out.append(Entry([head, WIRE], parts, [b"]}", WIRE]))
        return out

    def _result(self, block: Block, where: str) -> Entry:
        parts: list[Piece] = []
        for part, place in self.result(block, where):
            if part["type"] != "text":
                raise self.refuse(part, place)
            parts.append(self.block_piece({"type": "text", "text": part["text"]}))
        self.flag_not_said(block, where)
        if not parts:
            parts.append(self.block_piece({"type": "text", "text": ""}))
        found = quoted(text_in(block, "tool_use_id", where))
        head: Parts = [b'{"role":"tool","tool_call_id":', WIRE, found, CALLER, b',"content":[', WIRE]
        return Entry(head, parts, [b"]}", WIRE])

    def _assistant(self, items: Sequence[Item]) -> list[Entry]:
        parts: list[Piece] = []
        calls: list[bytes] = []
        for item in items:
            if item.block is None:
                if calls:
                    reason = f"`{self._wire.target}` has no place for a text behind a call"
                    raise InputError(item.where, reason)
                parts.append(self.text_piece(item, _TEXT, "text"))
            elif item.block["type"] == "tool_use":
                found, name, arguments = self.call(item.block, item.where)
                inner = b'{"name":' + quoted(name) + b',"arguments":' + quoted(as_given(arguments)) + b"}"
                calls.append(b'{"id":' + quoted(found) + b',"type":"function","function":' + inner + b"}")
            else:
                raise self.refuse(item.block, item.where)
        tail: Parts = [b'"tool_calls":[', WIRE, b",".join(calls), CALLER, b"]", WIRE] if calls else []
        if not parts and calls:
            return [Entry([b'{"role":"assistant",', WIRE, *tail, b"}", WIRE], (), [])]
        close: Parts = [b"],", WIRE, *tail, b"}", WIRE] if calls else [b"]}", WIRE]
        return [Entry([b'{"role":"assistant","content":[', WIRE], parts, close)]
