"""The tools of a request, for the wire format `anthropic-messages`."""

from collections.abc import Sequence
from typing import TypeAlias

from promptc.runtime.errors import InputError
from promptc.runtime.escape import quoted
from promptc.runtime.json_text import JsonText, canonical
from promptc.runtime.request import Parts, Sealed, seal

ToolEntry: TypeAlias = tuple[str, bytes, bool]
"""A tool: name, bytes up to the closing brace, and whether it is deferred, which is outside the prefix."""


def tool_entry(name: str, description: str, schema: object, deferred: bool) -> ToolEntry:
    """Write a tool."""
    if type(schema) is JsonText:
        written = schema.data
    else:
        written = schema if isinstance(schema, bytes) else canonical(schema).encode()
    end = b',"defer_loading":true' if deferred else b""
    parts = (b'{"name":', quoted(name), b',"description":', quoted(description), b',"input_schema":', written, end)
    return name, b"".join(parts), deferred


def join_tools(groups: Sequence[tuple[str, int, Sequence[ToolEntry]]], marker: bytes) -> Sealed:
    """The `tools` member with the comma in front of it, or nothing when there is no tool.

    Deferred tools stand outside the cached prefix and come last; the marker is on the last of the others.

    Args:
        groups: Name, mark and tools of each group, in order.
        marker: The cache marker with the comma in front of it; empty for none.

    Raises:
        InputError: Two tools have the same name.
    """
    owner: dict[str, str] = {}
    usual: Parts = []
    deferred: Parts = []
    for group, mark, entries in groups:
        for name, data, late in entries:
            if name in owner:
                raise InputError("tools", f"`{name}` comes from `{owner[name]}` and from `{group}`")
            owner[name] = group
            target = deferred if late else usual
            target += (data, mark, b"},", 0)
    if usual and marker:
        usual[-2:-2] = (marker, 0)
    parts = usual + deferred
    if not parts:
        return b"", []
    parts[-2] = b"}"
    return seal([b',"tools":[', 0, *parts, b"]", 0])
