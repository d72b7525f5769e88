"""The Chat Completions format: system text and results are messages, calls hang on the assistant's message."""

from collections.abc import Mapping
from itertools import takewhile

from promptc.providers.model import Lane, Marker
from promptc.providers.wire.marks import Collector, Parts
from promptc.providers.wire.view import Block, Call, Json, Result, Turn, View, as_list, as_mapping, as_text

_SYSTEM = ("system", "developer")


def read(body: Mapping[str, Json], marker: Marker | None, fields: frozenset[str]) -> View:
    """Read a body of this format; the leading system messages form the system lane."""
    into = Collector(marker)
    tools = tuple(
        into.block(raw, f"/tools/{index}", "tools", "", str(as_mapping(raw).get("type", "tool")))
        for index, raw in enumerate(as_list(body.get("tools")))
    )
    messages = as_list(body.get("messages"))
    leading = len(list(takewhile(lambda m: as_mapping(m).get("role") in _SYSTEM, messages)))
    turns = tuple(
        _turn(index, raw, "system" if index < leading else "messages", into) for index, raw in enumerate(messages)
    )
    return into.view(body, str(body.get("model", "")), Parts(tools, (), turns), fields)


def _turn(number: int, raw: Json, lane: Lane, into: Collector) -> Turn:
    message = as_mapping(raw)
    pointer = f"/messages/{number}"
    role = str(message.get("role", ""))
    blocks: list[Block] = []
    content = message.get("content")
    if isinstance(content, str):
        # A marker of a plain message sits on the message; the text is what it marks.
        holder = {key: value for key, value in message.items() if into.marker and key == into.marker.field}
        marked = into.block(holder, pointer, lane, role, "message") if holder else None
        at = f"{pointer}/content"
        blocks.append(Block(at, lane, "text", role, content, content, at, marked.mark if marked else None))
    for index, part in enumerate(as_list(content)):
        blocks.append(_part(part, f"{pointer}/content/{index}", lane, role, into))
    calls = as_list(message.get("tool_calls"))
    for index, call in enumerate(calls):
        here = f"{pointer}/tool_calls/{index}"
        blocks.append(into.block(call, here, lane, role, str(as_mapping(call).get("type", "function"))))
    if not isinstance(content, str) and into.marker and message.get(into.marker.field) is not None:
        into.block({into.marker.field: message[into.marker.field]}, pointer, lane, role, "message")
    results = (Result(as_text(message.get("tool_call_id")), pointer),) if role == "tool" else ()
    return Turn(pointer, f"{pointer}/content", role, tuple(blocks), _calls(calls, pointer), results, raw)


def _calls(calls: list[Json], pointer: str) -> tuple[Call, ...]:
    return tuple(
        Call(as_text(as_mapping(call).get("id")), f"{pointer}/tool_calls/{at}", f"{pointer}/tool_calls/{at}/id")
        for at, call in enumerate(calls)
    )


def _part(raw: Json, pointer: str, lane: Lane, role: str, into: Collector) -> Block:
    if isinstance(raw, str):
        return into.block(raw, pointer, lane, role, "text", raw, pointer)
    mapping = as_mapping(raw)
    return into.block(
        mapping, pointer, lane, role, str(mapping.get("type", "")), as_text(mapping.get("text")), f"{pointer}/text"
    )
