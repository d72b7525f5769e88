"""Read the planner's problem off a prompt: its segments, who shares them, and what the target's facts say."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Literal

from promptc.planning.auto.model import Lifetime, Load, Problem, Rules, Segment, Share, Sharing
from promptc.planning.elements import Element
from promptc.planning.presence import Presence
from promptc.providers.model import Provider
from promptc.providers.tokens import estimate_tokens
from promptc.semantics.facts import Facts, Layout, Placed, Traffic
from promptc.semantics.passes.check_types import schema_text
from promptc.semantics.reads import Reader
from promptc.semantics.sizes import literal_text
from promptc.syntax import bodies_ast as ast
from promptc.syntax import expressions as ex
from promptc.syntax import nodes

MARKED_CACHES = ("breakpoint-lookback", "breakpoint-exact")
# Each doubles the ways that a session can go; of more, those behind count as there in every session.
MOST_GATES = 6
_HALF = 50


@dataclass(frozen=True, slots=True, eq=False)
class Read:
    """The problem, and what was taken for granted to state it.

    Attributes:
        elements: One per segment.
        guessed: Elements that come and go together, and in how many of a hundred sessions the first of them counts as
            there although nothing tells it.
        ignored: How many gates beyond the first `MOST_GATES` count as if they never divided sessions.
    """

    problem: Problem
    elements: tuple[Element, ...]
    guessed: tuple[tuple[tuple[Element, ...], int], ...]
    ignored: int


def read_problem(
    facts: Facts,
    traffic: Traffic,
    layout: Layout,
    elements: Sequence[Element],
    provider: Provider,
    presence: Presence,
) -> Read:
    """The problem of one prompt.

    Args:
        elements: Everything in front of the conversation, in cache order.
        provider: Facts that hold for the prompt's model; it takes markers.
        presence: When each of them is there.
    """
    model = constant_model(layout)
    kept = tuple(e for e in elements if not _outside_key(e, layout, provider))
    segments = tuple(
        Segment(e.name, _tokens(facts, traffic, e, model), _markable(e, kept, layout, provider)) for e in kept
    )
    found = _gates(facts, traffic, kept, presence)
    gates = found[:MOST_GATES]
    load = Load(
        traffic.turns,
        tuple(Share(*share) for share in traffic.gaps),
        tuple(Share(*share) for share in traffic.blocks),
        traffic.turn_tokens,
    )
    sharings = tuple(_sharings(facts, traffic, kept, gates))
    problem = Problem(segments, sharings, load, rules_of(provider, model, layout))
    guessed = tuple((tuple(kept[i] for i, _ in g.members), g.percent) for g in gates if not g.told)
    return Read(problem, kept, guessed, len(found) - len(gates))


def constant_model(layout: Layout) -> str | None:
    """The model, where the prompt names one for all requests."""
    value = layout.model.value if layout.model is not None else None
    return value.value if isinstance(value, ex.TextLiteral) else None


# -- the target ----------------------------------------------------------------------------------


def takes_markers(provider: Provider, model: str | None) -> bool:
    """Whether markers decide what this provider caches."""
    return provider.takes_markers(model) and provider.cache.kind in MARKED_CACHES


def rules_of(provider: Provider, model: str | None, layout: Layout) -> Rules:
    """The facts that the plan rests on."""
    marker = provider.marker
    assert marker is not None
    own = int(provider.feature("implicit_limit") or marker.limit.value)
    limit = own if provider.marks_ends else marker.limit.value
    names = marker.ttls.value or (marker.default_ttl.value,)
    offered = (entry for entry in provider.lifetimes if entry.name in names)
    lifetimes = [Lifetime(entry.name, entry.seconds.value, _exact(entry.write.value)) for entry in offered]
    lifetimes.sort(key=_longest_first)
    price = provider.read_price(model)
    minimum = provider.minimum_tokens(model)
    return Rules(
        limit=limit,
        minimum=minimum.value if minimum is not None else 0,
        lookback=_lookback(provider),
        lifetimes=tuple(lifetimes),
        read=_exact(price.value) if price is not None else Fraction(1),
        tail=_tail(provider, layout),
    )


def _exact(price: float) -> Fraction:
    # As the facts spell it, not as binary floating point keeps it.
    return Fraction(str(price))


def _longest_first(lifetime: Lifetime) -> int:
    return -lifetime.seconds


def _lookback(provider: Provider) -> int | None:
    if provider.cache.lookback is not None:
        return provider.cache.lookback.value
    # Where only breakpoints are looked up, an end that is not marked again is never found.
    return 1 if provider.forgets_ends else None


def _tail(provider: Provider, layout: Layout) -> Literal["marker", "provider", "nobody"]:
    if layout.history is None or provider.marker is None:
        return "nobody"
    if provider.marks_ends:
        return "provider"
    return "marker" if "messages" in provider.marker.lanes.value else "nobody"


# -- the prefix ----------------------------------------------------------------------------------


def _outside_key(element: Element, layout: Layout, provider: Provider) -> bool:
    if element.block is None or not provider.cache.headers_outside_key.value:
        return False
    return layout.system[element.block].node is not None


def _markable(element: Element, kept: Sequence[Element], layout: Layout, provider: Provider) -> bool:
    lanes = provider.marker.lanes.value if provider.marker is not None else ()
    if element.lane == "tools":
        return "tools" in lanes and element is [e for e in kept if e.lane == "tools"][-1]
    if element.block is None:
        return False
    # `uncached { ... }` says that no marker stands there.
    return "system" in lanes and layout.system[element.block].node is None


def _tokens(facts: Facts, traffic: Traffic, element: Element, model: str | None) -> int:
    text = ""
    if isinstance(element.node, Placed):
        text = literal_text(facts, element.node.decl)
    elif isinstance(element.node, nodes.ToolDecl):
        for source in (element.node.description, element.node.schema):
            body = facts.bodies.get(source) if source is not None else None
            text += _literal(body) if body is not None else ""
    return estimate_tokens(text, model).value + traffic.sizes.get(element.name, 0)


def _literal(body: ast.Body) -> str:
    return schema_text(body) or "".join(p.text for p in body.parts if isinstance(p, ast.Literal))


# -- who shares it -------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Gate:
    """A condition that divides sessions.

    Attributes:
        members: Elements that come and go with it, by index; False for those that are there when it fails.
        cls: Class of what decides it.
        percent: Share of the sessions in which it holds.
        told: Whether the traffic says so.
    """

    members: tuple[tuple[int, bool], ...]
    cls: str
    percent: int
    told: bool


def _gates(facts: Facts, traffic: Traffic, elements: Sequence[Element], presence: Presence) -> tuple[_Gate, ...]:
    chain = facts.symbols.chain
    # Elements under one condition, or under it and its opposite, are one gate.
    found: dict[int, list[tuple[int, bool]]] = {}
    for index, element in enumerate(elements):
        # What is decided once a deployment does not divide its sessions.
        if element.lane == "preamble" or presence.always(element) or _decided(facts, element) == chain.bottom:
            continue
        there, missing = presence.there(element), presence.missing(element)
        if missing in found:
            found[missing].append((index, False))
        else:
            found.setdefault(there, []).append((index, True))
    return tuple(_gate(facts, traffic, elements, members) for members in found.values())


def _gate(facts: Facts, traffic: Traffic, elements: Sequence[Element], members: Sequence[tuple[int, bool]]) -> _Gate:
    told = [
        traffic.present[name] if holds else 100 - traffic.present[name]
        for index, holds in members
        if (name := elements[index].name) in traffic.present
    ]
    cls = _decided(facts, elements[members[0][0]])
    return _Gate(tuple(members), cls, told[0] if told else _HALF, bool(told))


def _decided(facts: Facts, element: Element) -> str:
    """The class of what decides whether an element is there."""
    chain, reader = facts.symbols.chain, Reader(facts)
    decided = [chain.bottom] if element.source is None else [element.cls]
    for condition in element.conditions:
        decided += [d.name for r in reader.expr(condition) if (d := facts.symbols.inputs[r.input].cls) is not None]
    return chain.join(decided)


def _sharings(facts: Facts, traffic: Traffic, elements: Sequence[Element], gates: Sequence[_Gate]) -> Iterator[Sharing]:
    """Who shares the prefix in every way that the gates can go, with the share of sessions in which they go so."""
    merged: dict[tuple[Fraction | None, ...], Fraction] = {}
    for ways in product((True, False), repeat=len(gates)):
        went = [
            (g, Fraction(g.percent if holds else 100 - g.percent, 100)) for g, holds in zip(gates, ways, strict=True)
        ]
        weight = Fraction(1)
        for _, part in went:
            weight *= part
        if weight:
            gone = {i for g, holds in zip(gates, ways, strict=True) for i, when in g.members if when != holds}
            shared = tuple(_rates(facts, traffic, elements, gone, went))
            merged[shared] = merged.get(shared, Fraction(0)) + weight
    for shared, weight in merged.items():
        yield Sharing(weight, shared)


def _rates(
    facts: Facts,
    traffic: Traffic,
    elements: Sequence[Element],
    gone: set[int],
    went: Sequence[tuple[_Gate, Fraction]],
) -> list[Fraction | None]:
    """Sessions per second that share the prefix up to the end of each element, in one way that the gates can go."""
    chain = facts.symbols.chain
    cls = chain.bottom
    rates: list[Fraction | None] = []
    for index, element in enumerate(elements):
        if index not in gone:
            cls = chain.join((cls, element.cls))
        rate = _rate(facts, traffic, cls)
        for gate, part in went:
            if rate is not None and gate.members[0][0] <= index and chain.is_above(gate.cls, cls):
                rate *= part
        rates.append(rate)
    # Who shares more of the prefix shares the less of it too.
    for index in range(len(rates) - 2, -1, -1):
        own, behind = rates[index], rates[index + 1]
        if behind is not None and (own is None or own < behind):
            rates[index] = behind
    return rates


def _rate(facts: Facts, traffic: Traffic, cls: str) -> Fraction | None:
    """Sessions per second within one of a class: what is told of it, or of the next higher class, which is no more."""
    chain = facts.symbols.chain
    if cls == chain.top:
        return None
    for name in chain.names[chain.rank(cls) : chain.rank(chain.conversation)]:
        if name in traffic.sessions:
            return Fraction(*traffic.sessions[name])
    return Fraction(0)
