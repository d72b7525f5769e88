"""Attributes the tools of a request: to the tool of the spec whose bytes they are, or to the group that takes others."""

from collections.abc import Sequence
from dataclasses import dataclass

from promptc.streams.attribution.match import fit
from promptc.streams.attribution.model import Owner, Range
from promptc.streams.attribution.pattern import Pattern, block_pattern, owner_of
from promptc.streams.json_value import JsonValue, encode, member
from promptc.streams.manifest_model import Manifest, TextPiece
from promptc.streams.manifest_pieces import sha256, template_text
from promptc.streams.model import Element

_WRAPPERS = ("function", "toolSpec")
_SCHEMAS = ("input_schema", "parameters", "inputSchema")


@dataclass(frozen=True, slots=True)
class KnownTool:
    """A tool that a spec writes."""

    owner: Owner
    digest: str
    schema: str
    description: Pattern


@dataclass(frozen=True, slots=True)
class KnownTools:
    """The tools lane of one built prompt.

    Attributes:
        literal: By name.
        order: Names of the tools and, for a group that takes tools from outside, who it is.
    """

    literal: dict[str, KnownTool]
    order: tuple[str | Owner, ...]

    def origins(self, tools: Sequence[Element]) -> list[Range | None]:
        """Who wrote each tool of a request, in order; None where that cannot be told."""
        parts = [_parts(tool.value) for tool in tools]
        places = [self.order.index(name) if name in self.literal else -1 for name, _, _ in parts]
        out: list[Range | None] = []
        for at, (tool, (name, description, schema)) in enumerate(zip(tools, parts, strict=True)):
            known = self.literal.get(name or "")
            if known is None:
                out.append(self._of_group(tool, places, at))
            else:
                out.append(_of_tool(tool, known, description, schema))
        return out

    def _of_group(self, tool: Element, places: Sequence[int], at: int) -> Range | None:
        """A tool that the spec does not name is a group's; the tools around it tell which, where one alone is left."""
        low = max((place for place in places[:at] if place >= 0), default=-1)
        high = min((place for place in places[at + 1 :] if place >= 0), default=len(self.order))
        groups = [entry for entry in self.order[low + 1 : high] if isinstance(entry, Owner)]
        return Range(0, tool.size, groups[0], "group", False) if len(groups) == 1 else None


def _of_tool(tool: Element, known: KnownTool, description: str, schema: str) -> Range:
    name = known.owner.name
    if sha256(f"{name}\n{schema}\n{template_text((TextPiece(text=description),))}") == known.digest:
        return Range(0, tool.size, known.owner, "digest", True)
    fits = schema == known.schema and fit(known.description, description) is not None
    return Range(0, tool.size, known.owner, "pattern" if fits else "name", fits)


def known_tools(manifest: Manifest) -> KnownTools:
    """The tools of a built prompt."""
    tools = [e for e in manifest.elements if e.lane == "tools"]
    return KnownTools(
        {
            e.name: KnownTool(owner_of(e), e.digest, e.schema_text or "", block_pattern((e,), None))
            for e in tools
            if e.kind == "tool"
        },
        tuple(owner_of(e) if e.kind == "group" else e.name for e in tools),
    )


def _parts(value: JsonValue) -> tuple[str | None, str, str]:
    inner = next((found for key in _WRAPPERS if (found := member(value, key)) is not None), value)
    name, description = member(inner, "name"), member(inner, "description")
    schema = next((found for key in _SCHEMAS if (found := member(inner, key)) is not None), None)
    boxed = member(schema, "json")
    return (
        name if isinstance(name, str) else None,
        description if isinstance(description, str) else "",
        "" if schema is None else encode(schema if boxed is None else boxed),
    )
