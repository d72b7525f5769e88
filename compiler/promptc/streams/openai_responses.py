"""Reads the Responses shape: `tools`, `instructions`, and `input` as a text or as items.

A message item and what a call gave are one element a part, every other item one element.
Source: the vendor's own request types (`types/responses/response_create_params.py`), November 2026.
"""

from promptc.streams.assembly import Assembly
from promptc.streams.json_value import JsonObject, JsonValue, member, with_member
from promptc.streams.model import Element, Lane
from promptc.streams.openai_chat import read_tools, split_marker

FORMAT = "openai-responses"
ORDER: tuple[Lane, ...] = ("tools", "system", "messages")
MEMBERS = ("tools", "instructions", "input")


def target_of(body: JsonObject) -> str:
    """The target that a body of this shape is written for when nothing else says so."""
    return "openai-responses"


def read(body: JsonObject, into: Assembly, order: tuple[Lane, ...]) -> None:
    """Fill an assembly from a body.

    Diagnostics:
        PC805 for parts that have another form than their place asks for.
    """
    read_tools(member(body, "tools"), "tools", into)
    instructions = member(body, "instructions")
    if isinstance(instructions, str | list):
        into.add(Element("system", "/instructions", "/instructions", "/instructions", None, instructions))
    elif instructions is not None:
        into.malformed("/instructions", "a text or an array of items")
    given = member(body, "input")
    if isinstance(given, str):
        into.add(Element("content", "/input", "/input", "/input", "user", given))
    elif isinstance(given, list):
        for index, item in enumerate(given):
            _read_item(item, f"/input/{index}", into)
    elif given is not None:
        into.malformed("/input", "a text or an array of items")


def _read_item(item: JsonValue, at: str, into: Assembly) -> None:
    if not isinstance(item, tuple):
        into.malformed(at, "an object")
        into.add(Element("content", at, at, "/input", None, item))
        return
    role = member(item, "role")
    name = role if isinstance(role, str) else None
    # A message has its parts in one member, what a call gave in the other.
    key = "content" if isinstance(member(item, "content"), list) else "output"
    content = member(item, key)
    if not isinstance(content, list) or not content:
        into.add(Element("content", at, at, "/input", name, item))
        return
    parts = [split_marker(part) for part in content]
    first = with_member(item, key, [parts[0][0]])
    if len(parts) == 1:
        into.add(Element("content", at, at, "/input", name, first), parts[0][1])
        return
    place = f"{at}/{key}"
    into.add(Element("content", f"{place}/0", at, place, name, first), parts[0][1])
    for index, (part, mark) in enumerate(parts[1:], start=1):
        into.add(Element("content", f"{place}/{index}", f"{place}/{index}", place, name, part), mark)
