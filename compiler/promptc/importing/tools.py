"""Tools with their schemas, in the shapes that the formats have for them."""

import json
import re
from collections.abc import Sequence

from promptc.importing import lost
from promptc.importing.data import child, entries, items, string, value
from promptc.importing.model import Data, Tool
from promptc.importing.scope import Findings
from promptc.source import Span
from promptc.syntax.yaml_nodes import YamlMapping, YamlNode

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_DELIMITER = re.compile(r"\{[{%#]")
_KINDS = {
    "integer": "integer",
    "float": "number",
    "number": "number",
    "boolean": "boolean",
    "array": "array",
    "object": "object",
}
_WRAPPERS = (("toolSpec",), ("function",), ("definition", "schema"))


def chosen_tools(nodes: Sequence[YamlNode], found: Findings) -> tuple[Tool, ...]:
    """The tools that a spec can hold; the others are reported.

    Diagnostics:
        PC943.
    """
    tools: dict[str, Tool] = {}
    for node in nodes:
        tool = _tool(node, found)
        if tool is not None and tool.name in tools:
            found.sink.report(lost.setting(node.span, tool.name, "another tool has the same name"))
        elif tool is not None:
            tools[tool.name] = tool
    return tuple(tools.values())


def _tool(node: YamlNode, found: Findings) -> Tool | None:
    kind = string(child(node, "kind")) or "function"
    outer = node
    for wrapper in _WRAPPERS:
        inner = child(node, *wrapper)
        if isinstance(inner, YamlMapping):
            node = inner
    name = string(child(node, "name")) or ""
    if kind != "function" or not name:
        found.sink.report(lost.setting(outer.span, name or "tool", f"a tool of kind `{kind}` has no schema of its own"))
        return None
    for key in ("bindings", "strict"):
        if (extra := entries(node).get(key)) is not None:
            found.sink.report(lost.setting(extra[0].span, key, "a tool in a spec has a description and a schema"))
    return schema_tool(name, string(child(node, "description")) or "", _schema(node), outer.span, found)


def schema_tool(name: str, description: str, schema: dict[str, Data], span: Span, found: Findings) -> Tool | None:
    """A tool; None where a spec cannot hold it, which is reported."""
    if not _NAME.fullmatch(name):
        found.sink.report(lost.setting(span, name or "tool", "the name of a tool in a spec is letters, digits and `_`"))
        return None
    if _DELIMITER.search(json.dumps(schema, ensure_ascii=False)):
        found.sink.report(lost.setting(span, name, "its schema has tags"))
        return None
    return Tool(name, description, schema, span)


def _schema(node: YamlNode) -> dict[str, Data]:
    for keys in (("parameters",), ("input_schema",), ("inputSchema", "json"), ("inputSchema",), ("schema",)):
        found = child(node, *keys)
        if isinstance(found, YamlMapping) and (
            child(found, "type") is not None or child(found, "properties") is not None
        ):
            given = value(found)
            return given if isinstance(given, dict) else {}
    listed = items(child(node, "parameters")) or items(child(node, "parameters", "properties"))
    properties: dict[str, Data] = {}
    required: list[Data] = []
    for parameter in listed:
        name = string(child(parameter, "name")) or "value"
        kind = string(child(parameter, "kind")) or string(child(parameter, "type")) or "string"
        told: dict[str, Data] = {"type": _KINDS.get(kind, "string")}
        if (description := string(child(parameter, "description"))) is not None:
            told["description"] = description
        choices = value(child(parameter, "enumValues")) or value(child(parameter, "enum"))
        if isinstance(choices, list):
            told["enum"] = choices
        properties[name] = told
        if value(child(parameter, "required")) is True:
            required.append(name)
    schema: dict[str, Data] = {"type": "object", "properties": properties}
    return {**schema, "required": required} if required else schema
