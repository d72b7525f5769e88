"""What each element of a planned prompt costs, and where it stands in the prefix."""

from collections.abc import Iterator
from dataclasses import dataclass

from promptc.pipeline import Compilation
from promptc.planning.elements import Element, elements_of
from promptc.planning.model import BlockPlan, PromptPlan
from promptc.providers.model import Provider
from promptc.semantics.facts import Facts, Placed
from promptc.semantics.sizes import Size, size_of
from promptc.syntax import nodes

Node = nodes.SectionDecl | nodes.ToolGroup | nodes.ToolDecl


@dataclass(frozen=True, slots=True)
class Cost:
    """One element at its place in front of the conversation.

    Attributes:
        index: Its number in cache order, from 1.
        total: How many elements there are.
        size: Its literal text; zero for a tool group, whose text a host passes.
        tokens_before: Estimated tokens of all elements in front of it.
        breakpoint: Number of the first breakpoint behind it, from 1; None where there is none.
        breakpoints: How many breakpoints there are.
        stranded_by: Name of an element in front of it that changes more often; None where it stands well.
        before, after: Distinct prefixes in front of its gate and behind it; None without a gate.
    """

    element: Element
    index: int
    total: int
    size: Size
    tokens_before: int
    breakpoint: int | None
    breakpoints: int
    stranded_by: str | None
    before: int | None
    after: int | None

    @property
    def node(self) -> Node:
        """Its declaration."""
        return self.element.node.decl if isinstance(self.element.node, Placed) else self.element.node


@dataclass(frozen=True, slots=True)
class BlockCost:
    """A cached block.

    Attributes:
        size: Literal text of its sections.
        breakpoint: Its number among the breakpoints, from 1.
    """

    plan: BlockPlan
    node: nodes.Block
    size: Size
    breakpoint: int
    breakpoints: int


@dataclass(frozen=True)
class PromptCosts:
    """All costs of a prompt."""

    plan: PromptPlan
    elements: tuple[Cost, ...]
    blocks: tuple[BlockCost, ...]


def costs_of(compilation: Compilation) -> Iterator[PromptCosts]:
    """The costs of every prompt that could be planned."""
    for plan in compilation.plans.values():
        try:
            provider = compilation.registry.provider(plan.target)
        except KeyError:
            continue
        yield _costs(compilation.facts, plan, provider)


def _costs(facts: Facts, plan: PromptPlan, provider: Provider) -> PromptCosts:
    elements = elements_of(facts, plan.layout, provider)
    marks = _breakpoints(plan, provider)
    forks = {f.element: (f.before, f.after) for f in plan.forks if not f.inside}
    highest: dict[str, Element] = {}
    costs: list[Cost] = []
    tokens = 0
    chain = facts.symbols.chain
    for number, element in enumerate(elements, start=1):
        size = _size(facts, element)
        front = highest.get(element.lane)
        above = front is not None and chain.is_above(front.cls, element.cls)
        place = _place(element, provider)
        behind = next((i for i, mark in enumerate(marks, start=1) if mark >= place), None)
        before, after = forks.get(element.name, (None, None))
        stranded_by = front.name if above and front is not None else None
        costs.append(Cost(element, number, len(elements), size, tokens, behind, len(marks), stranded_by, before, after))
        tokens += size.tokens
        if front is None or chain.is_above(element.cls, front.cls):
            highest[element.lane] = element
    return PromptCosts(plan, tuple(costs), tuple(_blocks(facts, plan, provider, marks)))


def _size(facts: Facts, element: Element) -> Size:
    return size_of(facts, element.node.decl) if isinstance(element.node, Placed) else Size(0, 0)


def _place(element: Element, provider: Provider) -> tuple[int, int]:
    lane = "messages" if element.lane == "preamble" else element.lane
    return provider.prefix_order.value.index(lane), element.block or 0


def _breakpoints(plan: PromptPlan, provider: Provider) -> list[tuple[int, int]]:
    """The places of all breakpoints, in cache order: lane, and block in it."""
    order = list(provider.prefix_order.value)
    found = [(order.index("system"), i) for i, block in enumerate(plan.blocks) if block.scope is not None]
    if plan.layout.tools_mark is not None:
        found.append((order.index("tools"), len(plan.blocks)))
    if plan.layout.message_mark is not None:
        found.append((order.index("messages"), len(plan.blocks)))
    return sorted(found)


def _blocks(facts: Facts, plan: PromptPlan, provider: Provider, marks: list[tuple[int, int]]) -> Iterator[BlockCost]:
    system = list(provider.prefix_order.value).index("system")
    for index, block in enumerate(plan.blocks):
        if block.scope is None or block.block.node is None:
            continue
        sizes = [size_of(facts, placed.decl) for placed in block.block.sections]
        size = Size(sum(s.bytes for s in sizes), sum(s.tokens for s in sizes))
        yield BlockCost(block, block.block.node, size, marks.index((system, index)) + 1, len(marks))


def inferred(facts: Facts, node: Node) -> str:
    """The class that an element would need at least: the highest among the inputs that it reads."""
    chain = facts.symbols.chain
    classes = []
    for read in facts.reads.get(node, ()):
        decl = facts.symbols.inputs.get(read.input)
        if decl is not None and decl.cls is not None and decl.cls.name in chain.names:
            classes.append(decl.cls.name)
    return chain.join(classes)
