"""Requests in the format `gemini-generate`: contents of parts, and results that name their tool."""

from collections.abc import Mapping, Sequence
from typing import Any

from promptc.runtime.conversation import Conversation
from promptc.runtime.errors import InputError
from promptc.runtime.lowered import Entry, Item, Lowered, Piece, text_in
from promptc.runtime.messages import Block, Message
from promptc.runtime.request import WIRE
from promptc.runtime.state import Work
from promptc.runtime.tools import ToolForm
from promptc.runtime.wire import Wire

GEMINI_TOOL = ToolForm(b'{"name":', b',"parametersJsonSchema":', b"", b"")


class GeminiConversation(Lowered):
    """The contents of one request."""

    __slots__ = ("_called",)

    def __init__(self, messages: Sequence[Message], work: Work, wire: Wire) -> None:
        Conversation.__init__(self, messages, work, wire)
        self._called: dict[str, str] = {}

    def note(self, message: Mapping[str, Any]) -> None:
        """Remember the calls of a message that is passed through."""
        parts = message.get("parts")
        for part in parts if isinstance(parts, list) else ():
            call = part.get("functionCall") if isinstance(part, dict) else None
            if isinstance(call, dict) and isinstance(call.get("id"), str) and isinstance(call.get("name"), str):
                self._called[call["id"]] = call["name"]

    def lower(self, role: str, items: Sequence[Item]) -> list[Entry]:
        """The content that says the same."""
        head = b'{"role":"model","parts":[' if role == "assistant" else b'{"role":"user","parts":['
        return [Entry([head, WIRE], [self._piece(item) for item in items], [b"]}", WIRE])]

    def _piece(self, item: Item) -> Piece:
        if item.block is None:
            return self.text_piece(item, b'{"text":"', "text")
        return self.block_piece(self._part(item.block, item.where))

    def _part(self, block: Block, where: str) -> dict[str, Any]:
        kind = block["type"]
        if kind == "image":
            media, data = self.image(block, where)
            if not media:
                reason = f"`{self._wire.target}` takes the data of an image, not its address"
                raise InputError(f"{where}.source", reason)
            return {"inlineData": {"mimeType": media, "data": data}}
        if kind == "tool_use":
            found, name, arguments = self.call(block, where)
            if not isinstance(arguments, dict):
                raise InputError(f"{where}.input", "expected a mapping")
            self._called[found] = name
            return {"functionCall": {"id": found, "name": name, "args": arguments}}
        if kind == "tool_result":
            return self._result(block, where)
        raise self.refuse(block, where)

    def _result(self, block: Block, where: str) -> dict[str, Any]:
        texts: list[str] = []
        for part, place in self.result(block, where):
            if part["type"] != "text":
                raise self.refuse(part, place)
            texts.append(part["text"])
        found = text_in(block, "tool_use_id", where)
        if found not in self._called:
            reason = f"answers a call that is not in the conversation, and `{self._wire.target}` needs its name"
            raise InputError(where, reason)
        said = (texts[0] if texts else "") if len(texts) < 2 else texts
        response = {"error" if block.get("is_error") else "output": said}
        return {"functionResponse": {"id": found, "name": self._called[found], "response": response}}
