"""The tools and the system blocks of a request, as the reference interpreter builds them."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from promptc.ir.interpret_json import RawJson, canonical
from promptc.ir.interpret_text import Scope, evaluate, render
from promptc.ir.model import Program, SystemBlock, ToolGroup, ToolLiteral
from promptc.runtime.errors import InputError

if TYPE_CHECKING:
    from promptc.ir.interpret_messages import Lane

TTL_TEXT = {300: "5m", 3600: "1h"}


def marker(ttl: int | None) -> dict[str, str]:
    """The value of `cache_control`; without a lifetime the provider's default counts."""
    return {"type": "ephemeral"} if ttl is None else {"type": "ephemeral", "ttl": TTL_TEXT[ttl]}


def build_tools(program: Program, scope: Scope) -> list[dict[str, object]]:
    """All tools: the deferred ones last, since they stand outside the prefix; the marker on the last of the others.

    Raises:
        InputError: Two tools have the same name.
    """
    owner: dict[str, str] = {}
    usual: list[dict[str, object]] = []
    deferred: list[dict[str, object]] = []
    for source in program.tools:
        if source.when is not None and not evaluate(source.when, scope):
            continue
        found = _group(source, scope) if isinstance(source, ToolGroup) else [(_literal(source, scope), False)]
        for tool, late in found:
            name = str(tool["name"])
            if name in owner:
                raise InputError("tools", f"`{name}` comes from `{owner[name]}` and from `{source.name}`")
            owner[name] = source.name
            (deferred if late else usual).append(tool)
    if usual and program.tools_marker is not None:
        usual[-1]["cache_control"] = marker(program.tools_marker.ttl)
    return usual + deferred


def _rank(value: object) -> tuple[bool, Any]:
    # An absent value comes first.
    return (False, 0) if value is None else (True, value)


def _group(group: ToolGroup, scope: Scope) -> list[tuple[dict[str, object], bool]]:
    elements: list[Mapping[str, Any]] = list(evaluate(group.source, scope))
    elements.sort(key=lambda element: tuple(_rank(element[name]) for name in group.order))
    tools = []
    for element in elements:
        scope.locals[group.element] = element
        late = group.defer is not None and bool(evaluate(group.defer, scope))
        tool: dict[str, object] = {
            "name": element["name"],
            "description": element["description"],
            "input_schema": RawJson(canonical(element["input_schema"])),
        }
        if late:
            tool["defer_loading"] = True
        tools.append((tool, late))
    return tools


def _literal(tool: ToolLiteral, scope: Scope) -> dict[str, object]:
    return {
        "name": tool.name,
        "description": render(tool.description, scope),
        "input_schema": RawJson(tool.schema),
    }


def build_system(lane: "Lane") -> list[dict[str, object]]:
    """The system blocks that have text."""
    blocks: list[dict[str, object]] = []
    for block in lane.program.system:
        texts = [text for section in block.sections if (text := lane.text_of(section))]
        if not texts:
            continue
        element: dict[str, object] = {"type": "text", "text": lane.program.separator.join(texts)}
        if block.marked and (ttl := _marker_ttl(block, lane.scope)) is not False:
            element["cache_control"] = marker(ttl)
        blocks.append(element)
    return blocks


def _marker_ttl(block: SystemBlock, scope: Scope) -> int | bool | None:
    """Lifetime in the variant at hand; False where the block gets no scope in it."""
    for choice in block.scopes:
        if choice.when is None or evaluate(choice.when, scope):
            return choice.ttl if choice.scope is not None else False
    return False
