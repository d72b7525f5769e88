"""Requests in the format `openai-responses`: one list of items."""

from collections.abc import Sequence

from promptc.runtime.errors import InputError
from promptc.runtime.escape import quoted
from promptc.runtime.json_text import as_given
from promptc.runtime.lowered import Entry, Item, Lowered, Piece, text_in
from promptc.runtime.messages import Block
from promptc.runtime.request import CALLER, WIRE, Parts
from promptc.runtime.tools import ToolForm

# Left out, `strict` would be true on this wire and false on every other.
RESPONSES_TOOL = ToolForm(
    b'{"type":"function","name":', b',"parameters":', b',"strict":false', b',"strict":false,"defer_loading":true'
)
_INPUT_TEXT = b'{"type":"input_text","text":"'


class ResponsesConversation(Lowered):
    """The items of one request."""

    __slots__ = ()

    def lower(self, role: str, items: Sequence[Item]) -> list[Entry]:
        """The items that say what one message says."""
        if role == "assistant":
            return [self._said(item) for item in items]
        out: list[Entry] = []
        parts: list[Piece] = []
        for item in items:
            block = item.block
            if block is None:
                parts.append(self.text_piece(item, _INPUT_TEXT, "input_text"))
            elif block["type"] == "tool_result" and role == "user":
                if parts:
                    reason = "a tool result must stand in front of everything else in its message"
                    raise InputError(item.where, reason)
                out.append(self._result(block, item.where))
            elif role == "user":
                parts.append(self._image(block, item.where))
            else:
                raise self.refuse(block, item.where)
        if parts or not out:
            wire_role = self._wire.role if role == "system" else role
            head = b'{"role":"' + wire_role.encode() + b'","content":['
            out.append(Entry([head, WIRE], parts, [b"]}", WIRE]))
        return out

    def _image(self, block: Block, where: str) -> Piece:
        if block["type"] != "image":
            raise self.refuse(block, where)
        address = self.address(block, where)
        return self.block_piece({"type": "input_image", "detail": "auto", "image_url": address})

    def _result(self, block: Block, where: str) -> Entry:
        parts: list[Piece] = []
        for part, place in self.result(block, where):
            if part["type"] == "text":
                parts.append(self.block_piece({"type": "input_text", "text": part["text"]}))
            else:
                parts.append(self._image(part, place))
        self.flag_not_said(block, where)
        if not parts:
            parts.append(self.block_piece({"type": "input_text", "text": ""}))
        found = quoted(text_in(block, "tool_use_id", where))
        head: Parts = [b'{"type":"function_call_output","call_id":', WIRE, found, CALLER, b',"output":[', WIRE]
        return Entry(head, parts, [b"]}", WIRE])

    def _said(self, item: Item) -> Entry:
        if item.block is None:
            head: Parts = [b'{"role":"assistant","content":"', WIRE, item.data, item.mark, b'"}', WIRE]
            return Entry(head, (), [])
        if item.block["type"] != "tool_use":
            raise self.refuse(item.block, item.where)
        found, name, arguments = self.call(item.block, item.where)
        members = b',"name":' + quoted(name) + b',"arguments":' + quoted(as_given(arguments))
        head = [b'{"type":"function_call","call_id":', WIRE, quoted(found) + members, CALLER, b"}", WIRE]
        return Entry(head, (), [])
