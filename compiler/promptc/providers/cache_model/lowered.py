"""A request body as the cache sees it."""

import json
from collections.abc import Callable, Mapping
from dataclasses import replace

from promptc.providers.cache_model.values import CacheBlock, CacheRequest
from promptc.providers.frames import automatic_end, is_deferred, tool_frame
from promptc.providers.model import Provider
from promptc.providers.tokens import TokenCount
from promptc.providers.wire.reader import read_request
from promptc.providers.wire.view import Block, Json, Mark, Turn, View, as_mapping, at_path, cites, text_of, without


def request_of(
    body: Mapping[str, Json],
    provider: Provider,
    count: Callable[[str], TokenCount],
    at: float = 0.0,
    renderer: Provider | None = None,
) -> CacheRequest:
    """The cache's view of a request body.

    Args:
        body: Decoded JSON.
        provider: Facts of the target.
        count: Counts the tokens of a text.
        at: When the request starts, in seconds.
        renderer: Provider that renders tools, where it is another than the one whose shape the body has.
    """
    view = read_request(body, provider)
    marks = {_marked(mark): mark.ttl for mark in view.marks if not mark.nested or mark.last_inner}
    endings = {turn.blocks[-1].pointer for turn in _eligible(view.turns)}
    blocks = view.blocks(provider.prefix_order.value)
    automatic = automatic_end(provider, view) if view.request_mark is not None else None
    options = as_mapping(body.get(str(provider.feature("options_field"))))
    ttl = options.get("ttl")
    lowered = tuple(
        _block(
            block,
            provider,
            count,
            _ttl(block, marks, block is automatic, view),
            block.pointer in endings,
        )
        for block in blocks
    )
    return CacheRequest(
        blocks=_framed(lowered, tool_frame(provider, view.tools, renderer)),
        model=view.model,
        at=at,
        params=_params(view, provider),
        namespace=_namespace(body, provider),
        implicit=options.get("mode", "implicit") != "explicit",
        ttl=ttl if isinstance(ttl, str) else None,
    )


def _framed(blocks: tuple[CacheBlock, ...], frame: int) -> tuple[CacheBlock, ...]:
    """What the provider renders around tools weighs on the first tool that is loaded."""
    at = next((i for i, block in enumerate(blocks) if block.lane == "tools" and not block.deferred), None)
    if at is None or not frame:
        return blocks
    return (*blocks[:at], replace(blocks[at], tokens=blocks[at].tokens + frame), *blocks[at + 1 :])


def _ttl(block: Block, marks: Mapping[str, str | None], automatic: bool, view: View) -> tuple[bool, str | None]:
    """Whether a marker ends the prefix with this block, and the lifetime it asks for."""
    for pointer, ttl in marks.items():
        if pointer == block.pointer or pointer.startswith(f"{block.pointer}/"):
            return True, ttl
    if block.mark is not None:
        return True, block.mark.ttl
    if automatic and view.request_mark is not None:
        return True, view.request_mark.ttl
    return False, None


def _marked(mark: Mark) -> str:
    """Pointer of the block that a marker ends; a marker that is a block of its own ends the one before it."""
    parent, _, last = mark.pointer.rpartition("/")
    return f"{parent}/{int(last) - 1}" if mark.pointer == mark.at and last.isdigit() else mark.pointer


def _block(
    block: Block,
    provider: Provider,
    count: Callable[[str], TokenCount],
    marked: tuple[bool, str | None],
    ending: bool,
) -> CacheBlock:
    field = provider.marker.field if provider.marker is not None else ""
    raw: Json = _text_in_one_order(block.raw)
    counted = count(text_of(without(raw, field)))
    return CacheBlock(
        content=json.dumps(without(raw, field), ensure_ascii=True).encode(),
        tokens=counted.value,
        lane=block.lane,
        kind=block.kind,
        role=block.role,
        marked=marked[0],
        ttl=marked[1],
        deferred=block.lane == "tools" and is_deferred(provider, block),
        ending=ending,
        token_ids=counted.ids,
    )


def _text_in_one_order(raw: Json) -> Json:
    """A text is the same text as a string and as a block, whatever the order of its keys; nothing else is touched."""
    if isinstance(raw, str):
        return {"type": "text", "text": raw}
    if isinstance(raw, Mapping) and raw.get("type") == "text" and "text" in raw:
        return {"type": "text", "text": raw["text"], **raw}
    return raw


def _eligible(turns: tuple[Turn, ...]) -> list[Turn]:
    """Turns whose end is looked up without a marker: user messages, and the last result of a run of results."""
    out: list[Turn] = []
    for index, turn in enumerate(turns):
        following = turns[index + 1].role if index + 1 < len(turns) else ""
        if turn.blocks and (turn.role == "user" or (turn.role == "tool" and following != "tool")):
            out.append(turn)
    return out


def _params(view: View, provider: Provider) -> dict[str, str]:
    out: dict[str, str] = {}
    body = view.body
    for entry in provider.invalidation:
        if entry.param in ("model", "tools", "system"):
            continue
        if entry.param == "images" and any(block.kind == "image" for turn in view.turns for block in turn.blocks):
            out["images"] = "present"
        if entry.param == "citations" and cites(view) is not None:
            out["citations"] = "on"
        values = [value for path in entry.paths if (value := at_path(body, path)) is not None]
        spelled = json.dumps(values[0] if len(values) == 1 else values, sort_keys=True) if values else ""
        if spelled and spelled.strip('"') != (entry.default or ""):
            out[entry.param] = spelled
    return out


def _namespace(body: Mapping[str, Json], provider: Provider) -> str:
    names = provider.feature("namespace_fields") or ()
    return json.dumps({name: body[name] for name in names if name in body}, sort_keys=True) if names else ""
