"""The Messages format: `tools`, `system`, `messages`; every block a typed object, its marker a key on it."""

from collections.abc import Mapping

from promptc.providers.model import Lane, Marker
from promptc.providers.wire.marks import Collector, Parts
from promptc.providers.wire.view import Block, Call, Json, Result, Turn, View, as_list, as_mapping, as_text


def read(body: Mapping[str, Json], marker: Marker | None, fields: frozenset[str]) -> View:
    """Read a body of this format; parts of an unexpected shape are left out."""
    into = Collector(marker)
    tools = tuple(
        into.block(raw, f"/tools/{index}", "tools", "", str(as_mapping(raw).get("type", "tool")))
        for index, raw in enumerate(as_list(body.get("tools")))
    )
    system = _content(body.get("system"), "/system", "system", "", into)
    turns = tuple(_turn(index, raw, into) for index, raw in enumerate(as_list(body.get("messages"))))
    return into.view(body, str(body.get("model", "")), Parts(tools, system, turns), fields)


def _turn(index: int, raw: Json, into: Collector) -> Turn:
    message = as_mapping(raw)
    pointer = f"/messages/{index}"
    role = str(message.get("role", ""))
    blocks = _content(message.get("content"), f"{pointer}/content", "messages", role, into)
    calls = tuple(
        Call(as_text(block.raw.get("id")), block.pointer, f"{block.pointer}/id")
        for block in blocks
        if block.kind == "tool_use"
    )
    results = tuple(
        Result(as_text(block.raw.get("tool_use_id")), block.pointer) for block in blocks if block.kind == "tool_result"
    )
    return Turn(pointer, f"{pointer}/content", role, blocks, calls, results, raw)


def _content(content: Json, pointer: str, lane: Lane, role: str, into: Collector) -> tuple[Block, ...]:
    if isinstance(content, str):
        return (into.block(content, pointer, lane, role, "text", content, pointer),)
    return tuple(_block(raw, f"{pointer}/{index}", lane, role, into) for index, raw in enumerate(as_list(content)))


def _block(raw: Json, pointer: str, lane: Lane, role: str, into: Collector) -> Block:
    if isinstance(raw, str):
        return into.block(raw, pointer, lane, role, "text", raw, pointer)
    mapping = as_mapping(raw)
    kind = str(mapping.get("type", ""))
    key = "content" if kind == "tool_result" else "text"
    return into.block(mapping, pointer, lane, role, kind, as_text(mapping.get(key)), f"{pointer}/{key}")
