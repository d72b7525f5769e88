"""The tools of a request, for the wire format `anthropic-messages`."""

from collections.abc import Sequence
from typing import NamedTuple

from promptc.runtime.errors import InputError
from promptc.runtime.escape import escape
from promptc.runtime.json_text import canonical
from promptc.runtime.request import Parts, Sealed, seal


class ToolEntry(NamedTuple):
    """One tool, written except for its closing brace.

    Attributes:
        name: As the model calls it.
        data: The bytes up to the closing brace.
        deferred: Whether it stands outside the prefix.
    """

    name: str
    data: bytes
    deferred: bool


def tool_entry(name: str, description: str, schema: object, deferred: bool) -> ToolEntry:
    """Write a tool."""
    data = b'{"name":"%b","description":"%b","input_schema":%b' % (
        escape(name),
        escape(description),
        schema if isinstance(schema, bytes) else canonical(schema).encode(),
    )
    return ToolEntry(name, data + b',"defer_loading":true' if deferred else data, deferred)


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
        for entry in entries:
            if entry.name in owner:
                raise InputError("tools", f"`{entry.name}` comes from `{owner[entry.name]}` and from `{group}`")
            owner[entry.name] = group
            late = deferred if entry.deferred else usual
            late += (entry.data, mark, b"},", 0)
    if usual and marker:
        usual[-2:-2] = (marker, 0)
    parts = usual + deferred
    if not parts:
        return b"", []
    parts[-2] = b"}"
    return seal([b',"tools":[', 0, *parts, b"]", 0])
