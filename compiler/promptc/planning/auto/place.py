"""Turn an answer into the layout that the author would have written by hand."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from promptc.planning.auto.model import Choice, Problem
from promptc.planning.elements import Element
from promptc.planning.presence import Presence
from promptc.providers.model import Provider
from promptc.semantics.facts import Facts, Layout, Placed, PlacedBlock
from promptc.syntax import nodes
from promptc.syntax.expressions import Ident


def place(
    facts: Facts,
    layout: Layout,
    elements: Sequence[Element],
    problem: Problem,
    choice: Choice,
    provider: Provider,
    presence: Presence,
) -> Layout:
    """The layout with blocks and markers where an answer has them; the order of sections stays.

    Args:
        elements: One per segment of the problem.
    """
    assert layout.auto is not None
    at = layout.auto.span
    default = provider.lifetime(None)

    def duration(lifetime: int) -> nodes.Duration | None:
        chosen = problem.rules.lifetimes[lifetime]
        # A marker whose provider has one lifetime only takes no name of one.
        if len(problem.rules.lifetimes) == 1 and default is not None and default.name == chosen.name:
            return None
        return nodes.Duration(span=at, seconds=chosen.seconds)

    tools_mark = None
    ends: dict[Placed, nodes.Block] = {}
    for mark in choice.marks:
        node = elements[mark.after].node
        ttl = duration(mark.lifetime)
        if isinstance(node, Placed):
            scope, fallback = _scopes(facts, elements[: mark.after + 1], presence)
            named = Ident(span=at, name=fallback) if fallback is not None else None
            ends[node] = nodes.Block(span=at, scope=Ident(span=at, name=scope), ttl=ttl, fallback=named, items=())
        else:
            tools_mark = nodes.CacheMark(span=at, ttl=ttl)
    message_mark = None
    if choice.tail is not None and problem.rules.tail == "marker":
        message_mark = nodes.CacheMark(span=at, ttl=duration(choice.tail))
    return replace(
        layout,
        tools_mark=tools_mark,
        system=tuple(b for block in layout.system for b in _split(block, ends)),
        message_mark=message_mark,
        lagging=choice.lagging,
    )


def _split(block: PlacedBlock, ends: dict[Placed, nodes.Block]) -> Iterator[PlacedBlock]:
    if block.node is not None:
        yield block
        return
    run: list[Placed] = []
    for section in block.sections:
        run.append(section)
        if section in ends:
            yield PlacedBlock(ends[section], tuple(run))
            run = []
    if run:
        yield PlacedBlock(None, tuple(run))


def _scopes(facts: Facts, elements: Sequence[Element], presence: Presence) -> tuple[str, str | None]:
    """The scope of a prefix, and what it has while tools that may be missing are there."""
    chain = facts.symbols.chain
    # A section that may be missing still stands in front of none that is more stable.
    certain = chain.join(e.cls for e in elements if e.lane != "tools" or presence.always(e))
    whole = chain.join(e.cls for e in elements)
    if presence.covers(e for e in elements if chain.is_above(e.cls, certain)):
        # One or another of them is always there.
        certain = whole
    return _scope_of(facts, certain), _scope_of(facts, whole) if whole != certain else None


def _scope_of(facts: Facts, cls: str) -> str:
    return next(name for name, scope in facts.symbols.scopes.items() if scope.holds.name == cls)
