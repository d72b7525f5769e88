"""Reads the Converse shape: `toolConfig`, `system`, `messages`; a marker is a block of its own behind what it closes.

Source: the service model of `bedrock-runtime` in botocore 1.44.8.
"""

from promptc.streams.assembly import Assembly, mark_of
from promptc.streams.json_value import JsonObject, JsonValue, has_member, member, without
from promptc.streams.model import Element, Kind, Lane

FORMAT = "bedrock-converse"
ORDER: tuple[Lane, ...] = ("tools", "system", "messages")
MEMBERS = ("toolConfig", "system", "messages")
_MARKER = "cachePoint"


def target_of(body: JsonObject) -> str:
    """The target; the model is in the address of the request, not in its body."""
    return "bedrock-claude"


def read(body: JsonObject, into: Assembly, order: tuple[Lane, ...]) -> None:
    """Fill an assembly from a body.

    Diagnostics:
        PC805 for parts that have another form than their place asks for.
    """
    config = member(body, "toolConfig")
    if config is not None:
        _read_blocks(member(config, "tools"), "/toolConfig/tools", "tool", None, into)
    system = member(body, "system")
    if system is not None:
        _read_blocks(system, "/system", "system", None, into)
    messages = member(body, "messages")
    if not isinstance(messages, list):
        if messages is not None:
            into.malformed("/messages", "an array of messages")
        return
    for index, message in enumerate(messages):
        _read_message(message, f"/messages/{index}", into)


def attributes(body: JsonObject) -> JsonObject:
    """Members that are not prefix; of the tool configuration that is all but the tools."""
    config = member(body, "toolConfig")
    rest = without(config, "tools") if isinstance(config, tuple) else ()
    return (*without(body, *MEMBERS), *((("toolConfig", rest),) if rest else ()))


def _read_message(message: JsonValue, at: str, into: Assembly) -> None:
    role = member(message, "role")
    if not isinstance(message, tuple):
        into.malformed(at, "an object")
        into.add(Element("content", at, at, "/messages", None, message))
        return
    _read_blocks(member(message, "content"), f"{at}/content", "content", role if isinstance(role, str) else None, into)


def _read_blocks(blocks: JsonValue, at: str, kind: Kind, role: str | None, into: Assembly) -> None:
    if not isinstance(blocks, list):
        into.malformed(at, "an array of blocks")
        return
    for index, block in enumerate(blocks):
        if has_member(block, _MARKER):
            mark = mark_of(member(block, _MARKER))
            if mark is not None and not into.mark_last(kind, mark):
                into.malformed(f"{at}/{index}", "behind anything that it could close")
            continue
        place = f"{at}/{index}"
        into.add(Element(kind, place, place, at, role, block))
