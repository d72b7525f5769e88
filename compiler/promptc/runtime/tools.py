"""The tools of a request. Left alone, they are written for the format `anthropic-messages`."""

from collections.abc import Sequence
from typing import NamedTuple, TypeAlias

from promptc.runtime.errors import InputError
from promptc.runtime.escape import quoted
from promptc.runtime.json_text import JsonText, canonical
from promptc.runtime.request import Parts, Sealed, seal

ToolEntry: TypeAlias = tuple[str, bytes, bool]
"""A tool: name, bytes up to the closing brace, and whether it is deferred, which is outside the prefix."""


class ToolForm(NamedTuple):
    """How a wire writes a tool, up to its last brace.

    Attributes:
        head: In front of the name.
        schema: In front of the schema.
        end: Behind the schema.
        late: Behind that of a deferred tool.
        described: Whether a description must not be empty; one that is, is left out.
    """

    head: bytes
    schema: bytes
    end: bytes
    late: bytes
    described: bool = False


PLAIN_TOOL = ToolForm(b'{"name":', b',"input_schema":', b"", b',"defer_loading":true')


def tool_entry(name: str, description: str, schema: object, deferred: bool, form: ToolForm = PLAIN_TOOL) -> ToolEntry:
    """Write a tool."""
    if type(schema) is JsonText:
        written = schema.data
    else:
        written = schema if isinstance(schema, bytes) else canonical(schema).encode()
    end = form.late if deferred else form.end
    told = b"" if form.described and not description else b',"description":' + quoted(description)
    parts = (form.head, quoted(name), told, form.schema, written, end)
    return name, b"".join(parts), deferred


def join_tools(
    groups: Sequence[tuple[str, int, Sequence[ToolEntry]]],
    marker: bytes,
    opening: bytes = b',"tools":[',
    closing: bytes = b"]",
    apart: bool = False,
) -> Sealed:
    """The member that holds the tools, with the comma in front of it, or nothing when there is no tool.

    Deferred tools stand outside the cached prefix and come last; the marker is on the last of the others.

    Args:
        groups: Name, mark and tools of each group, in order.
        marker: The cache marker with the comma in front of it; empty for none.
        opening: In front of the first tool.
        closing: Behind the last tool.
        apart: Whether the marker is an element of its own.

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
        if apart:
            usual[-2:] = (b"}", 0, marker + b",", 0)
        else:
            usual[-2:-2] = (marker, 0)
    parts = usual + deferred
    if not parts:
        return b"", []
    parts[-2] = parts[-2].removesuffix(b",")
    return seal([opening, 0, *parts, closing, 0])
