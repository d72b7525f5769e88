"""The tools and the system blocks of a request, as the reference interpreter builds them."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal

from promptc.ir.interpret_json import RawJson, canonical
from promptc.ir.interpret_text import Scope, evaluate, render
from promptc.ir.model import Program, SystemBlock, ToolGroup, ToolLiteral
from promptc.ir.wires.dialect import Dialect, mark
from promptc.ir.wires.registry import DIALECTS
from promptc.runtime.errors import InputError

if TYPE_CHECKING:
    from promptc.ir.interpret_messages import Lane


def build_tools(program: Program, scope: Scope) -> list[dict[str, object]]:
    """All tools: the deferred ones last, since they stand outside the prefix; the marker on the last of the others.

    Raises:
        InputError: Two tools have the same name.
    """
    dialect = DIALECTS[program.wire]
    owner: dict[str, str] = {}
    usual: list[dict[str, object]] = []
    deferred: list[dict[str, object]] = []
    for source in program.tools:
        if source.when is not None and not evaluate(source.when, scope):
            continue
        found = _group(source, scope, dialect) if isinstance(source, ToolGroup) else [_literal(source, scope, dialect)]
        for name, tool, late in found:
            if name in owner:
                raise InputError("tools", f"`{name}` comes from `{owner[name]}` and from `{source.name}`")
            owner[name] = source.name
            (deferred if late else usual).append(tool)
    if usual and program.tools_marker is not None and program.form.marker is not None:
        mark(usual, len(usual) - 1, program.form.marker, program.tools_marker.ttl)
    return usual + deferred


def _rank(value: object) -> tuple[bool, Any]:
    # An absent value comes first.
    return (False, 0) if value is None else (True, value)


def _group(group: ToolGroup, scope: Scope, dialect: Dialect) -> list[tuple[str, dict[str, object], bool]]:
    elements: list[Mapping[str, Any]] = list(evaluate(group.source, scope))
    elements.sort(key=lambda element: tuple(_rank(element[name]) for name in group.order))
    tools = []
    for element in elements:
        scope.locals[group.element] = element
        late = group.defer is not None and bool(evaluate(group.defer, scope))
        schema = RawJson(canonical(element["input_schema"]))
        tools.append((element["name"], dialect.tool(element["name"], element["description"], schema, late), late))
    return tools


def _literal(tool: ToolLiteral, scope: Scope, dialect: Dialect) -> tuple[str, dict[str, object], bool]:
    description = render(tool.description, scope)
    return tool.name, dialect.tool(tool.name, description, RawJson(tool.schema), False), False


def build_system(lane: "Lane") -> list[dict[str, object]]:
    """The system blocks that have text."""
    program = lane.program
    form = program.form.marker
    blocks: list[dict[str, object]] = []
    for block in program.system:
        texts = [text for section in block.sections if (text := lane.text_of(section))]
        if not texts:
            continue
        blocks.append(DIALECTS[program.wire].text(program.separator.join(texts)))
        if form is not None and block.marked and (ttl := _marker_ttl(block, lane.scope)) is not False:
            mark(blocks, len(blocks) - 1, form, ttl)
    return blocks


def _marker_ttl(block: SystemBlock, scope: Scope) -> int | Literal[False] | None:
    """Lifetime in the variant at hand; False where the block gets no scope in it."""
    for choice in block.scopes:
        if choice.when is None or evaluate(choice.when, scope):
            return choice.ttl if choice.scope is not None else False
    return False
