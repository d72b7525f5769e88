"""Requests in the format `bedrock-converse`: markers are blocks of their own, parts are told apart by their one key."""

from collections.abc import Sequence
from typing import Any

from promptc.runtime.errors import InputError
from promptc.runtime.lowered import Entry, Item, Lowered, Piece, only, text_in
from promptc.runtime.messages import Block
from promptc.runtime.request import WIRE
from promptc.runtime.tools import ToolForm

CONVERSE_TOOL = ToolForm(b'{"toolSpec":{"name":', b',"inputSchema":{"json":', b"}}", b"}}", described=True)
_IMAGES = {"image/png": "png", "image/jpeg": "jpeg", "image/gif": "gif", "image/webp": "webp"}


class ConverseConversation(Lowered):
    """The messages of one request."""

    __slots__ = ()

    def lower(self, role: str, items: Sequence[Item]) -> list[Entry]:
        """The message that says the same."""
        head = b'{"role":"' + role.encode() + b'","content":['
        return [Entry([head, WIRE], [self._piece(item) for item in items], [b"]}", WIRE])]

    def _piece(self, item: Item) -> Piece:
        if item.block is None:
            return self.text_piece(item, b'{"text":"', "text")
        return self.block_piece(self._part(item.block, item.where))

    def _part(self, block: Block, where: str) -> dict[str, Any]:
        target = self._wire.target
        kind = block["type"]
        if kind == "image":
            return self._image(block, where)
        if kind == "tool_use":
            found, name, arguments = self.call(block, where)
            return {"toolUse": {"toolUseId": found, "name": name, "input": arguments}}
        if kind == "tool_result":
            return self._result(block, where)
        if kind == "thinking":
            only(block, ("type", "thinking", "signature"), where, target)
            said = {"text": text_in(block, "thinking", where), "signature": text_in(block, "signature", where)}
            return {"reasoningContent": {"reasoningText": said}}
        if kind == "redacted_thinking":
            only(block, ("type", "data"), where, target)
            return {"reasoningContent": {"redactedContent": text_in(block, "data", where)}}
        raise self.refuse(block, where)

    def _image(self, block: Block, where: str) -> dict[str, Any]:
        media, data = self.image(block, where)
        if media not in _IMAGES:
            reason = f"`{self._wire.target}` takes the data of a png, jpeg, gif or webp image"
            raise InputError(f"{where}.source", reason)
        return {"image": {"format": _IMAGES[media], "source": {"bytes": data}}}

    def _result(self, block: Block, where: str) -> dict[str, Any]:
        content: list[dict[str, Any]] = []
        for part, place in self.result(block, where):
            if part["type"] == "text":
                content.append({"text": part["text"]})
            elif part["type"] == "image":
                content.append(self._image(part, place))
            else:
                raise self.refuse(part, place)
        result: dict[str, Any] = {"toolUseId": text_in(block, "tool_use_id", where), "content": content}
        if block.get("is_error"):
            result["status"] = "error"
        return {"toolResult": result}
