"""Reads the Chat Completions shape, which many servers take: `tools` and `messages`; a message is one element.

A message whose content is an array of several parts is one element a part, since a marker may stand on any of them.
Source: the vendor's own request types (`types/chat/completion_create_params.py`), November 2026.
"""

from promptc.streams.assembly import Assembly, Mark, mark_of
from promptc.streams.json_value import JsonObject, JsonValue, has_member, member, with_member, without
from promptc.streams.model import Element, Lane

FORMAT = "openai-chat"
ORDER: tuple[Lane, ...] = ("tools", "messages")
MEMBERS = ("tools", "functions", "messages")
# The second spelling is what gateways take for models of other vendors.
_MARKERS = ("prompt_cache_breakpoint", "cache_control")


def target_of(body: JsonObject) -> str:
    """The target that a body of this shape is written for when nothing else says so."""
    return "openai-chat"


def read(body: JsonObject, into: Assembly, order: tuple[Lane, ...]) -> None:
    """Fill an assembly from a body.

    Diagnostics:
        PC805 for parts that have another form than their place asks for.
    """
    for name in ("tools", "functions"):
        read_tools(member(body, name), name, into)
    messages = member(body, "messages")
    if not isinstance(messages, list):
        if messages is not None:
            into.malformed("/messages", "an array of messages")
        return
    for index, message in enumerate(messages):
        _read_message(message, f"/messages/{index}", into)


def read_tools(tools: JsonValue, name: str, into: Assembly) -> None:
    """Each tool of a top-level array as one element; deferred ones are outside the prefix."""
    if not isinstance(tools, list):
        if tools is not None:
            into.malformed(f"/{name}", "an array of tools")
        return
    for index, tool in enumerate(tools):
        at = f"/{name}/{index}"
        if member(tool, "defer_loading") is True:
            into.deferred.append(at)
            continue
        value, mark = split_marker(tool)
        into.add(Element("tool", at, at, f"/{name}", None, value), mark)


def split_marker(part: JsonValue) -> tuple[JsonValue, Mark | None]:
    """A part without its marker, and the marker."""
    if not isinstance(part, tuple):
        return part, None
    marks = [mark_of(member(part, name)) for name in _MARKERS]
    if not any(has_member(part, name) for name in _MARKERS):
        return part, None
    return without(part, *_MARKERS), next((mark for mark in marks if mark is not None), None)


def _read_message(message: JsonValue, at: str, into: Assembly) -> None:
    if not isinstance(message, tuple):
        into.malformed(at, "an object")
        into.add(Element("content", at, at, "/messages", None, message))
        return
    role = member(message, "role")
    name = role if isinstance(role, str) else None
    bare, own_mark = split_marker(message)
    content = member(bare, "content")
    if not isinstance(bare, tuple) or not isinstance(content, list) or not content:
        into.add(Element("content", at, at, "/messages", name, bare), own_mark)
        return
    parts = [split_marker(part) for part in content]
    first: JsonObject = with_member(bare, "content", [parts[0][0]])
    if len(parts) == 1:
        into.add(Element("content", at, at, "/messages", name, first), parts[0][1] or own_mark)
        return
    calls = member(bare, "tool_calls")
    place = f"{at}/content"
    into.add(Element("content", f"{place}/0", at, place, name, without(first, "tool_calls")), parts[0][1])
    for index, (part, mark) in enumerate(parts[1:], start=1):
        into.add(Element("content", f"{place}/{index}", f"{place}/{index}", place, name, part), mark)
    if calls is not None:
        into.add(Element("content", f"{at}/tool_calls", f"{at}/tool_calls", at, name, calls))
    if own_mark is not None:
        into.mark_last("content", own_mark)
