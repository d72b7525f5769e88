"""Everything in front of the conversation as one row of elements in the provider's cache order."""

from dataclasses import dataclass

from promptc.providers.model import Provider
from promptc.semantics.facts import Facts, Layout, Placed
from promptc.semantics.passes.check_order import placement_class
from promptc.source import Span
from promptc.syntax import expressions as ex
from promptc.syntax import nodes


@dataclass(frozen=True, slots=True, eq=False)
class Element:
    """One element.

    Attributes:
        block: Index of its block in `Layout.system`; None in other lanes.
        source: The list that a tool group is taken from.
    """

    name: str
    cls: str
    at: Span
    lane: str
    block: int | None
    conditions: tuple[ex.Expr, ...]
    source: ex.Expr | None
    node: Placed | nodes.ToolGroup | nodes.ToolDecl
    pinned: bool


def elements_of(facts: Facts, layout: Layout, provider: Provider) -> tuple[Element, ...]:
    """Elements in the order in which the provider caches them; the preamble opens the messages."""
    lanes = {
        "tools": [_tool(facts, t) for t in layout.tools],
        "system": [
            _section(facts, s, "system", index) for index, block in enumerate(layout.system) for s in block.sections
        ],
        "messages": [_section(facts, s, "preamble", None) for s in layout.preamble.sections] if layout.preamble else [],
    }
    return tuple(e for lane in provider.prefix_order.value for e in lanes[lane])


def _tool(facts: Facts, tool: nodes.ToolGroup | nodes.ToolDecl) -> Element:
    return Element(
        name=tool.name.name,
        cls=facts.effective.get(tool, facts.symbols.chain.bottom),
        at=tool.name.span,
        lane="tools",
        block=None,
        conditions=() if tool.when is None else (tool.when,),
        source=tool.source if isinstance(tool, nodes.ToolGroup) else None,
        node=tool,
        pinned=tool.pin is not None,
    )


def _section(facts: Facts, placed: Placed, lane: str, block: int | None) -> Element:
    return Element(
        name=placed.name,
        cls=placement_class(facts, placed),
        at=placed.at,
        lane=lane,
        block=block,
        conditions=placed.conditions,
        source=None,
        node=placed,
        pinned=placed.pin is not None,
    )
