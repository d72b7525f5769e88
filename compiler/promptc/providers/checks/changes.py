"""Parameters, tools and system text that change between requests of one session."""

import json
import re
from collections.abc import Iterator, Mapping

from promptc.diagnostics.model import Diagnostic
from promptc.providers.checks.context import finding
from promptc.providers.checks.encoding import respelling, strings
from promptc.providers.checks.pair import Pair, content, diverge, pointer_of, shared_tools, system_blocks
from promptc.providers.model import Invalidation
from promptc.providers.wire.view import Block, Json, View, as_mapping, at_path, cites

# Code by parameter; what is not listed has a rule of its own.
_CODES = {
    "model": "PC652",
    "tool_choice": "PC648",
    "parallel_tool_calls": "PC648",
    "thinking": "PC650",
    "effort": "PC650",
    "task_budget": "PC650",
    "format": "PC650",
    "verbosity": "PC650",
    "compaction": "PC650",
    "speed": "PC651",
    "service_tier": "PC651",
    "betas": "PC653",
}
_TOGGLED = ("web_search_", "web_fetch_")


def parameters(pair: Pair) -> Iterator[Diagnostic]:
    """Parameters that are part of the key."""
    for entry in pair.after.provider.invalidation:
        code = _CODES.get(entry.param)
        if code is None or (not entry.loses.value and entry.param != "betas"):
            continue
        for path in entry.paths:
            was = _value(pair.before.view.body, path, entry)
            now = _value(pair.after.view.body, path, entry)
            if was != now:
                yield _changed(pair, code, entry, path, was, now)
                break


def _changed(pair: Pair, code: str, entry: Invalidation, path: str, was: Json, now: Json) -> Diagnostic:
    lost = ", ".join(entry.loses.value) or "nothing that is documented"
    message = f"`{path}` changes from {_shown(was)} to {_shown(now)} within the session"
    if pair.fork:
        code, message = "PC659", f"the fork has {_shown(now)} for `{path}` where its parent has {_shown(was)}"
    return finding(
        code,
        message,
        "/" + path.replace(".", "/") if at_path(pair.after.view.body, path) is not None else "",
        notes=(
            f"cached prefixes lost: {lost} ({entry.loses.certainty}, {entry.loses.source}, {entry.loses.dated})",
            *(
                ("one may be another name of the other; whether they share entries is not documented",)
                if _alias(was, now)
                else ()
            ),
        ),
        help="keep it the same for as long as the prefix is to be shared",
    )


def _alias(was: Json, now: Json) -> bool:
    """Whether one model id is the other with a date or `latest` behind it."""
    if not isinstance(was, str) or not isinstance(now, str):
        return False
    short, long = sorted((was.removesuffix("-latest"), now.removesuffix("-latest")), key=len)
    return bool(short) and long.startswith(short) and re.fullmatch(r"(-?[0-9-]{8,10})?", long[len(short) :]) is not None


def _value(body: Json, path: str, entry: Invalidation) -> Json:
    value = at_path(body, path)
    spelled = json.dumps(value) if isinstance(value, bool) else value
    return None if entry.default is not None and spelled == entry.default else value


def _shown(value: Json) -> str:
    text = json.dumps(value, ensure_ascii=True)
    return "nothing" if value is None else f"`{text if len(text) <= 60 else text[:57] + '...'}`"


def tools(pair: Pair) -> Iterator[Diagnostic]:
    """The list of tools: its members, their order, the order of keys inside them."""
    was, now = shared_tools(pair.before), shared_tools(pair.after)
    before = [content(pair.before, tool) for tool in was]
    after = [content(pair.after, tool) for tool in now]
    spelled_before, spelled_after = [json.dumps(t) for t in before], [json.dumps(t) for t in after]
    if spelled_before == spelled_after:
        return
    at = next((i for i, (a, b) in enumerate(zip(spelled_before, spelled_after, strict=False)) if a != b), None)
    index = at if at is not None else min(len(was), len(now))
    pointer = now[index].pointer if index < len(now) else "/tools"
    if pair.fork:
        yield finding("PC659", "the fork has other tools than its parent", pointer, help="send the parent's tools")
    elif before == after:
        yield finding(
            "PC645",
            "this tool has the same content as before with its keys in another order",
            pointer,
            notes=("the prefix is lost from the first tool that differs, and all that follows the tools with it",),
            help="write the keys of a schema in one fixed order",
        )
    elif sorted(map(_canonical, before)) == sorted(map(_canonical, after)):
        yield finding(
            "PC645",
            "the tools are the same as before in another order, from this one on",
            pointer,
            notes=("the prefix is lost from the first tool that differs, and all that follows the tools with it",),
            help="sort the tools by name",
        )
    elif _only_toggles(before, after):
        yield finding(
            "PC651",
            "a search tool of the server is switched on or off within the session",
            pointer,
            help="keep it in the list, and forbid its use in words",
        )
    else:
        yield finding(
            "PC646",
            "the tools differ from those of the request before, from this one on",
            pointer,
            notes=("the prefix is lost from there on, and system and messages with it",),
            help="keep all tools in the list, deferred or masked where they are not wanted now",
        )


def _canonical(value: Json) -> str:
    return json.dumps(value, sort_keys=True)


def _only_toggles(before: list[Json], after: list[Json]) -> bool:
    def rest(tools: list[Json]) -> list[Json]:
        return [t for t in tools if not str(as_mapping(t).get("type", "")).startswith(_TOGGLED)]

    return rest(before) == rest(after)


def system(pair: Pair) -> Iterator[Diagnostic]:
    """The system text."""
    was, now = system_blocks(pair.before), system_blocks(pair.after)
    found = diverge(pair, was, now)
    if found is None and len(now) > len(was):
        found_at, known = now[len(was)].pointer, True
    elif found is not None:
        found_at, known = pointer_of(found, now, "/system"), True
    else:
        found_at, known = "", False
    if not known:
        return
    if pair.fork:
        yield finding(
            "PC659", "the fork has another system text than its parent", found_at, help="send the parent's text"
        )
        return
    yield finding(
        "PC647",
        "the system text differs from that of the request before",
        found_at,
        notes=("the prefix is lost from there on, and the messages with it", *_respelled(was, now)),
        help="send what changed as a message behind the history",
    )


def _respelled(was: tuple[Block, ...], now: tuple[Block, ...]) -> tuple[str, ...]:
    how = respelling("\n".join(b.text or "" for b in was), "\n".join(b.text or "" for b in now))
    return (f"the texts differ in {how} only",) if how is not None else ()


def images(pair: Pair) -> Iterator[Diagnostic]:
    """Images that come or go, and images sent in another detail."""
    rule = next((e for e in pair.after.provider.invalidation if e.param in ("images", "image_detail")), None)
    if rule is None:
        return
    was, now = _images(pair.before.view), _images(pair.after.view)
    if rule.param == "images" and bool(was) != bool(now):
        yield finding(
            "PC649",
            "images appear in the session" if now else "the session's images are gone",
            now[0][0] if now else "/messages",
            notes=("the cached messages are lost either way",),
            help="keep images where they were sent",
        )
    elif rule.param == "image_detail":
        details = dict(was)
        for pointer, detail in now:
            if pointer in details and details[pointer] != detail:
                yield finding(
                    "PC649",
                    f"the image is sent with detail `{detail}` and was sent with `{details[pointer]}`",
                    pointer,
                    help="keep the detail of an image that was sent",
                )
                return


def _images(view: View) -> list[tuple[str, str]]:
    """Pointer and detail of every image."""
    out = []
    for turn in view.turns:
        for block in turn.blocks:
            if block.kind in ("image", "image_url", "input_image", "inlineData"):
                holder = as_mapping(as_mapping(block.raw).get("image_url")) or as_mapping(block.raw)
                out.append((block.pointer, str(holder.get("detail", "auto"))))
            elif isinstance(block.raw, Mapping) and any(t == "image" for _, t in strings(block.raw.get("content"))):
                out.append((block.pointer, "auto"))
    return out


def citations(pair: Pair) -> Iterator[Diagnostic]:
    """Citations that are switched on or off."""
    if pair.after.provider.loses("citations") is None:
        return
    was, now = cites(pair.before.view), cites(pair.after.view)
    if bool(was) != bool(now):
        yield finding(
            "PC651",
            f"citations are switched {'on' if now else 'off'} within the session",
            now or "/messages",
            notes=("cached system text and messages are lost either way",),
            help="decide once for a session",
        )


def namespace(pair: Pair) -> Iterator[Diagnostic]:
    """Fields that put requests into different caches."""
    names = list(pair.after.provider.feature("namespace_fields") or ())
    routing = pair.after.provider.routing
    routed = routing.fields.value if routing is not None and routing.needed.value else ()
    for name in (*names, *routed):
        was, now = pair.before.view.body.get(name), pair.after.view.body.get(name)
        if was != now:
            code = "PC657" if name in names else "PC635"
            yield finding(
                code,
                f"`{name}` changes from {_shown(was)} to {_shown(now)}, so the requests share no entries",
                f"/{name}" if now is not None else "",
                help="send the same value for all requests that share a prefix",
            )


RULES = (parameters, tools, system, images, citations, namespace)
