"""Reads the Messages shape: `tools`, `system`, `messages` with content blocks, markers as keys on blocks.

The same body goes to several platforms, told apart by `anthropic_version`.
Source: the vendor's own request types (`types/message_create_params.py`), November 2026.
"""

from promptc.streams.assembly import Assembly, Mark, mark_of
from promptc.streams.json_value import JsonObject, JsonValue, member, with_member, without
from promptc.streams.model import Element, Kind, Lane, plain_text

FORMAT = "anthropic-messages"
ORDER: tuple[Lane, ...] = ("tools", "system", "messages")
MEMBERS = ("tools", "system", "messages", "cache_control")
_MARKER = "cache_control"
_UNMARKABLE = ("thinking", "redacted_thinking", "mcp_tool_listing", "fallback")


def target_of(body: JsonObject) -> str:
    """The platform that a body is written for."""
    version = member(body, "anthropic_version")
    if isinstance(version, str) and version.startswith("bedrock"):
        return "bedrock-claude-invoke"
    if isinstance(version, str) and version.startswith("vertex"):
        return "vertex-claude"
    return "anthropic"


def read(body: JsonObject, into: Assembly, order: tuple[Lane, ...]) -> None:
    """Fill an assembly from a body.

    Diagnostics:
        PC805 for parts that have another form than their place asks for.
    """
    _read_tools(member(body, "tools"), into)
    _read_system(member(body, "system"), into)
    messages = member(body, "messages")
    if isinstance(messages, list):
        for index, message in enumerate(messages):
            _read_message(message, f"/messages/{index}", into)
    elif messages is not None:
        into.malformed("/messages", "an array of messages")
    automatic = mark_of(member(body, _MARKER))
    if automatic is not None:
        _mark_automatically(automatic, into, order)


def _read_tools(tools: JsonValue, into: Assembly) -> None:
    if not isinstance(tools, list):
        if tools is not None:
            into.malformed("/tools", "an array of tools")
        return
    for index, tool in enumerate(tools):
        at = f"/tools/{index}"
        if not isinstance(tool, tuple):
            into.malformed(at, "an object")
        elif member(tool, "defer_loading") is True:
            into.deferred.append(at)
            continue
        value, mark = _split_marker(tool)
        into.add(Element("tool", at, at, "/tools", None, value), mark)


def _read_system(system: JsonValue, into: Assembly) -> None:
    if isinstance(system, str):
        into.add(Element("system", "/system", "/system", "/system", None, system))
    elif isinstance(system, list):
        for index, block in enumerate(system):
            _read_block(block, f"/system/{index}", "system", None, "/system", into)
    elif system is not None:
        into.malformed("/system", "a text or an array of blocks")


def _read_message(message: JsonValue, at: str, into: Assembly) -> None:
    if not isinstance(message, tuple):
        into.malformed(at, "an object")
        into.add(Element("content", at, at, "/messages", None, message))
        return
    role = member(message, "role")
    name = role if isinstance(role, str) else None
    content = member(message, "content")
    place = f"{at}/content"
    if isinstance(content, str):
        into.add(Element("content", place, place, place, name, content))
    elif isinstance(content, list):
        for index, block in enumerate(content):
            _read_block(block, f"{place}/{index}", "content", name, place, into)
    else:
        into.malformed(place, "a text or an array of blocks")
    rest = without(message, "role", "content")
    if rest:
        into.add(Element("content", at, at, "/messages", name, rest))


def _read_block(block: JsonValue, at: str, kind: Kind, role: str | None, container: str, into: Assembly) -> None:
    if not isinstance(block, tuple):
        into.malformed(at, "an object")
    value, mark = _split_marker(block)
    into.add(Element(kind, at, at, container, role, value), mark)


def _split_marker(block: JsonValue) -> tuple[JsonValue, Mark | None]:
    """The block without its marker. A marker on an inner block of a result counts as its parent's."""
    if not isinstance(block, tuple):
        return block, None
    mark = mark_of(member(block, _MARKER))
    bare = without(block, _MARKER)
    for name in ("content", "source"):
        inner = member(bare, name)
        stripped, inner_mark = _split_inner(inner)
        if stripped is not inner:
            bare = with_member(bare, name, stripped)
            mark = mark or inner_mark
    return bare, mark


def _split_inner(inner: JsonValue) -> tuple[JsonValue, Mark | None]:
    if isinstance(inner, tuple):
        content = member(inner, "content")
        stripped, mark = _split_inner(content) if isinstance(content, list) else (content, None)
        return (inner, None) if stripped is content else (with_member(inner, "content", stripped), mark)
    if not isinstance(inner, list) or not any(member(item, _MARKER) is not None for item in inner):
        return inner, None
    marks = [mark_of(member(item, _MARKER)) for item in inner]
    bare: list[JsonValue] = [without(item, _MARKER) if isinstance(item, tuple) else item for item in inner]
    return bare, next((mark for mark in reversed(marks) if mark is not None), None)


def _mark_automatically(mark: Mark, into: Assembly, order: tuple[Lane, ...]) -> None:
    """The request-level marker stands on the last block that may carry one; it is silent when none does."""
    for element, present in into.newest_first(order):
        if member(element.value, "type") in _UNMARKABLE or plain_text(element.value) == "":
            continue
        if present is None:
            into.mark(element, mark)
        return
