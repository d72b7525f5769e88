"""Reads the generateContent shape: `tools`, `systemInstruction`, `contents` with parts; no markers on the wire.

Both spellings of names are taken, since the service reads camel case and snake case alike.
Source: `google.genai.types` of google-genai 3.6.1.
"""

from promptc.streams.assembly import Assembly
from promptc.streams.json_value import JsonObject, JsonValue, member
from promptc.streams.model import Element, Kind, Lane

FORMAT = "gemini-generate"
ORDER: tuple[Lane, ...] = ("tools", "system", "messages")
_SYSTEM = ("systemInstruction", "system_instruction")
_DECLARATIONS = ("functionDeclarations", "function_declarations")
MEMBERS = ("tools", *_SYSTEM, "contents")


def target_of(body: JsonObject) -> str:
    """The target; with an object named in the request its cache is explicit."""
    explicit = any(member(body, name) is not None for name in ("cachedContent", "cached_content"))
    return "gemini-explicit" if explicit else "gemini-implicit"


def read(body: JsonObject, into: Assembly, order: tuple[Lane, ...]) -> None:
    """Fill an assembly from a body.

    Diagnostics:
        PC805 for parts that have another form than their place asks for.
    """
    tools = member(body, "tools")
    if isinstance(tools, list):
        for index, tool in enumerate(tools):
            _read_tool(tool, f"/tools/{index}", into)
    elif tools is not None:
        into.malformed("/tools", "an array of tools")
    for name in _SYSTEM:
        system = member(body, name)
        if system is not None:
            _read_content(system, f"/{name}", "system", into)
    contents = member(body, "contents")
    if isinstance(contents, list):
        for index, content in enumerate(contents):
            _read_content(content, f"/contents/{index}", "content", into)
    elif contents is not None:
        _read_content(contents, "/contents", "content", into)


def _read_tool(tool: JsonValue, at: str, into: Assembly) -> None:
    if isinstance(tool, tuple) and len(tool) == 1 and tool[0][0] in _DECLARATIONS and isinstance(tool[0][1], list):
        place = f"{at}/{tool[0][0]}"
        for index, declaration in enumerate(tool[0][1]):
            into.add(Element("tool", f"{place}/{index}", f"{place}/{index}", place, None, declaration))
    else:
        into.add(Element("tool", at, at, "/tools", None, tool))


def _read_content(content: JsonValue, at: str, kind: Kind, into: Assembly) -> None:
    container = f"{at}/parts"
    if isinstance(content, str):
        into.add(Element(kind, at, at, at, None if kind == "system" else "user", content))
        return
    role = member(content, "role")
    # A system instruction has a role on the wire that means nothing.
    name = role if isinstance(role, str) and kind == "content" else None
    parts = member(content, "parts")
    if isinstance(parts, tuple):
        into.add(Element(kind, container, container, at, name, parts))
    elif isinstance(parts, list):
        for index, part in enumerate(parts):
            into.add(Element(kind, f"{container}/{index}", f"{container}/{index}", container, name, part))
    else:
        into.malformed(container, "an array of parts")
