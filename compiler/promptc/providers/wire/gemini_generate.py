"""The generateContent format: `contents` of parts, with system text and tools beside them or in a cached object."""

from collections.abc import Mapping

from promptc.providers.model import Lane, Marker
from promptc.providers.wire.marks import Collector, Parts
from promptc.providers.wire.view import Block, Call, Json, Result, Turn, View, as_list, as_mapping, as_text

_KINDS = ("text", "functionCall", "functionResponse", "inlineData", "fileData")


def read(body: Mapping[str, Json], marker: Marker | None, fields: frozenset[str]) -> View:
    """Read a body of this format, in camel case or snake case."""
    into = Collector(marker)
    tools = tuple(
        into.block(raw, f"/tools/{index}", "tools", "", "tool") for index, raw in enumerate(as_list(body.get("tools")))
    )
    key = "systemInstruction" if "systemInstruction" in body else "system_instruction"
    given = body.get(key)
    if isinstance(given, str):
        system: tuple[Block, ...] = (into.block(given, f"/{key}", "system", "", "text", given, f"/{key}"),)
    else:
        system = _parts(as_mapping(given).get("parts"), f"/{key}/parts", "system", "", into)
    turns = tuple(_turn(index, raw, into) for index, raw in enumerate(as_list(body.get("contents"))))
    return into.view(body, str(body.get("model", "")), Parts(tools, system, turns), fields)


def _turn(index: int, raw: Json, into: Collector) -> Turn:
    content = as_mapping(raw)
    pointer = f"/contents/{index}"
    role = str(content.get("role", "user"))
    blocks = _parts(content.get("parts"), f"{pointer}/parts", "messages", role, into)
    calls = tuple(
        Call(_id(block, "functionCall"), block.pointer, f"{block.pointer}/functionCall/id")
        for block in blocks
        if block.kind == "functionCall"
    )
    results = tuple(
        Result(_id(block, "functionResponse"), block.pointer) for block in blocks if block.kind == "functionResponse"
    )
    return Turn(pointer, f"{pointer}/parts", "assistant" if role == "model" else role, blocks, calls, results, raw)


def _id(block: Block, key: str) -> str | None:
    return as_text(as_mapping(block.raw.get(key)).get("id"))


def _parts(parts: Json, pointer: str, lane: Lane, role: str, into: Collector) -> tuple[Block, ...]:
    out: list[Block] = []
    for index, raw in enumerate(as_list(parts)):
        item = as_mapping(raw)
        here = f"{pointer}/{index}"
        kind = next(
            (key for key in ("text", "functionCall", "functionResponse", "inlineData", "fileData") if key in item), ""
        )
        out.append(into.block(item, here, lane, role, kind, as_text(item.get("text")), f"{here}/text"))
    return tuple(out)
