"""The Converse format and its InvokeModel cousin: a block is an object with one key that names its type."""

from collections.abc import Mapping

from promptc.providers.model import Lane, Marker
from promptc.providers.wire.marks import Collector, Parts
from promptc.providers.wire.view import Block, Call, Json, Result, Turn, View, as_list, as_mapping, as_text


def read(body: Mapping[str, Json], marker: Marker | None, fields: frozenset[str]) -> View:
    """Read a body of this format; markers are blocks of their own or keys, as the dialect says."""
    into = Collector(marker)
    listed = as_list(as_mapping(body.get("toolConfig")).get("tools"))
    tools = _blocks(listed, "/toolConfig/tools", "tools", "", into)
    system = _blocks(as_list(body.get("system")), "/system", "system", "", into)
    turns = tuple(_turn(index, raw, into) for index, raw in enumerate(as_list(body.get("messages"))))
    model = str(body.get("modelId") or body.get("model") or "")
    return into.view(body, model, Parts(tools, system, turns), fields)


def _turn(index: int, raw: Json, into: Collector) -> Turn:
    message = as_mapping(raw)
    pointer = f"/messages/{index}"
    role = str(message.get("role", ""))
    blocks = _blocks(as_list(message.get("content")), f"{pointer}/content", "messages", role, into)
    calls = tuple(
        Call(
            as_text(as_mapping(block.raw["toolUse"]).get("toolUseId")),
            block.pointer,
            f"{block.pointer}/toolUse/toolUseId",
        )
        for block in blocks
        if block.kind == "toolUse"
    )
    results = tuple(
        Result(as_text(as_mapping(block.raw["toolResult"]).get("toolUseId")), block.pointer)
        for block in blocks
        if block.kind == "toolResult"
    )
    return Turn(pointer, f"{pointer}/content", role, blocks, calls, results, raw)


def _blocks(items: list[Json], pointer: str, lane: Lane, role: str, into: Collector) -> tuple[Block, ...]:
    out: list[Block] = []
    marker = into.marker
    for index, raw in enumerate(items):
        here = f"{pointer}/{index}"
        item = as_mapping(raw)
        kind = next((key for key in item if marker is None or key != marker.field), "")
        if marker is not None and marker.field in item and not kind:
            into.separate(item[marker.field], here, lane, out[-1].kind if out else "")
            continue
        text = as_text(item.get("text"))
        out.append(into.block(item, here, lane, role, kind, text, f"{here}/text"))
    return tuple(out)
