"""Names under which breaks are added up: a cause without the values in it, a place without the numbers that vary."""

import re

_QUOTED = re.compile(r'"(?:[^"\\]|\\.)*"')
_TICKED = re.compile(r"`[^`]*`")
_NUMBER = re.compile(r"\d[\d,]*")
_POINTS = re.compile(r"U\+[0-9A-F]{4,6}(?: U\+[0-9A-F]{4,6})*")
_PLURAL = re.compile(r"\bN (line|tool|system block|content block)s?\b")
_ITEM = re.compile(r"^/(messages|contents|input)/\d+")
_LANES = {
    "tools": "tools",
    "functions": "tools",
    "toolConfig": "tools",
    "system": "system",
    "instructions": "system",
    "systemInstruction": "system",
    "system_instruction": "system",
    "messages": "messages",
    "contents": "messages",
    "input": "messages",
}
# Names of members that every request has; any other may be a word of the user's.
_KNOWN = frozenset(
    [
        "tools",
        "functions",
        "system",
        "instructions",
        "systemInstruction",
        "system_instruction",
        "messages",
        "contents",
        "input",
        "content",
        "parts",
        "text",
        "role",
        "type",
        "name",
        "description",
        "input_schema",
        "parameters",
        "function",
        "properties",
        "required",
        "items",
        "enum",
        "tool_calls",
        "arguments",
        "id",
        "tool_use_id",
        "tool_call_id",
        "source",
        "data",
        "thinking",
        "signature",
        "toolSpec",
        "inputSchema",
        "json",
        "toolConfig",
        "model",
        "tool_choice",
        "output_config",
        "output_format",
        "response_format",
        "reasoning",
        "effort",
        "format",
        "functionDeclarations",
    ]
)


def kind_of_cause(cause: str) -> str:
    """What happened, without what it happened to: causes of one kind are one line of a report."""
    if cause.startswith("the texts differ over more than"):
        return "the texts differ over a long stretch"
    said = cause.partition(": ")[0]
    # The first text in backticks of a parameter is its name, which is no value.
    if said.startswith("the parameter `"):
        return said
    said = _POINTS.sub("…", _TICKED.sub("…", _QUOTED.sub("…", said)))
    return _PLURAL.sub(r"N \1s", _NUMBER.sub("N", re.sub(r" \(.*\)", "", said)))


def lane_of(pointer: str | None) -> str:
    """The part of a request that a pointer is in; `parameters` for all that is no prefix."""
    first = (pointer or "").split("/")[1:2]
    return _LANES.get(first[0], "parameters") if first else "parameters"


def place_of(pointer: str | None, line: int | None) -> str:
    """A place that two breaks share: the line of a text in front, any message of the conversation."""
    if pointer is None:
        return "(nothing)"
    item = _ITEM.match(pointer)
    if item is not None:
        return f"/{item[1]}/*{re.sub('/[0-9]+', '/*', pointer[item.end() :])}"
    return pointer if line is None else f"{pointer} line {line}"


def redacted_pointer(pointer: str | None) -> str | None:
    """A pointer without the names that are the user's own."""
    if pointer is None:
        return None
    parts = pointer.split("/")
    return "/".join(part if not part or part.isdigit() or part in _KNOWN else "*" for part in parts)
