"""The Responses format: `instructions`, then a flat list of items in `input`."""

from collections.abc import Mapping
from itertools import takewhile

from promptc.providers.model import Lane, Marker
from promptc.providers.wire.marks import Collector, Parts
from promptc.providers.wire.view import Block, Call, Json, Result, Turn, View, as_list, as_mapping, as_text

_SYSTEM = ("system", "developer")
_CALLS = frozenset({"function_call", "custom_tool_call"})
_RESULTS = frozenset({"function_call_output", "custom_tool_call_output"})


def read(body: Mapping[str, Json], marker: Marker | None, fields: frozenset[str]) -> View:
    """Read a body of this format; every item is a turn."""
    into = Collector(marker)
    tools = tuple(
        into.block(raw, f"/tools/{index}", "tools", "", str(as_mapping(raw).get("type", "tool")))
        for index, raw in enumerate(as_list(body.get("tools")))
    )
    instructions = body.get("instructions")
    system: tuple[Block, ...] = ()
    if isinstance(instructions, str):
        system = (into.block(instructions, "/instructions", "system", "", "text", instructions, "/instructions"),)
    elif instructions is not None:
        system = tuple(
            into.block(
                raw,
                f"/instructions/{index}",
                "system",
                "",
                str(as_mapping(raw).get("type", "")),
                as_text(as_mapping(raw).get("text")),
                f"/instructions/{index}/text",
            )
            for index, raw in enumerate(as_list(instructions))
        )
    sent = body.get("input")
    if isinstance(sent, str):
        text = into.block(sent, "/input", "messages", "user", "input_text", sent, "/input")
        turns: tuple[Turn, ...] = (Turn("/input", "/input", "user", (text,), raw=sent),)
    else:
        items = as_list(sent)
        leading = len(list(takewhile(lambda item: as_mapping(item).get("role") in _SYSTEM, items)))
        turns = tuple(
            _item(index, raw, "system" if index < leading else "messages", into) for index, raw in enumerate(items)
        )
    return into.view(body, str(body.get("model", "")), Parts(tools, system, turns), fields)


def _item(index: int, raw: Json, lane: Lane, into: Collector) -> Turn:
    item = as_mapping(raw)
    pointer = f"/input/{index}"
    kind = str(item.get("type", "message"))
    id = as_text(item.get("call_id"))
    if kind == "message":
        return _message(item, pointer, lane, into)
    role = "assistant" if kind in _CALLS or kind == "reasoning" else "tool" if kind in _RESULTS else kind
    output = as_text(item.get("output"))
    block = into.block(item, pointer, "messages", role, kind, output, f"{pointer}/output")
    calls = (Call(id, pointer, f"{pointer}/call_id"),) if kind in _CALLS else ()
    results = (Result(id, pointer),) if kind in _RESULTS else ()
    return Turn(pointer, f"{pointer}/output", role, (block,), calls, results, raw)


def _message(item: Mapping[str, Json], pointer: str, lane: Lane, into: Collector) -> Turn:
    role = str(item.get("role", ""))
    content = item.get("content")
    at = f"{pointer}/content"
    if isinstance(content, str):
        blocks: tuple[Block, ...] = (into.block(content, at, lane, role, "input_text", content, at),)
    else:
        blocks = tuple(
            into.block(
                part,
                f"{at}/{index}",
                lane,
                role,
                str(as_mapping(part).get("type", "")),
                as_text(as_mapping(part).get("text")),
                f"{at}/{index}/text",
            )
            for index, part in enumerate(as_list(content))
        )
    return Turn(pointer, at, role, blocks, raw=item)
