"""Plan the markers of a prompt that caches automatically."""

from collections.abc import Sequence
from dataclasses import dataclass

from promptc.diagnostics.model import Diagnostic, Label
from promptc.diagnostics.sink import Sink
from promptc.planning.auto.expect import cost
from promptc.planning.auto.model import Choice, Problem
from promptc.planning.auto.optimise import solve
from promptc.planning.auto.place import place
from promptc.planning.auto.problem import MOST_GATES, Read, constant_model, read_problem, takes_markers
from promptc.planning.auto.reasons import Reason, reasons
from promptc.planning.elements import Element
from promptc.planning.presence import Presence
from promptc.providers.model import Provider
from promptc.semantics.facts import Facts, Layout, Traffic
from promptc.syntax import nodes


@dataclass(frozen=True, slots=True, eq=False)
class AutoPlan:
    """Where the planner put markers, and why.

    Attributes:
        elements: One per segment of the problem.
        problem, choice: None where the target takes no markers, or nothing tells the traffic.
        uncached: What a session costs without any marker, in tokens.
        notes: What was taken for granted.
    """

    elements: tuple[Element, ...]
    problem: Problem | None
    choice: Choice | None
    uncached: int
    reasons: tuple[Reason, ...]
    notes: tuple[str, ...]


def plan_auto(
    facts: Facts,
    layout: Layout,
    elements: Sequence[Element],
    provider: Provider,
    presence: Presence,
    sink: Sink,
) -> tuple[Layout, AutoPlan]:
    """The layout with all markers placed, and why they stand there.

    Args:
        elements: Everything in front of the conversation, in cache order.
        provider: Facts that hold for the prompt's model.
        presence: When each of them is there.

    Diagnostics:
        PC684 nothing tells the traffic, PC688 no marker would save anything, PC689 a size that nothing tells.
    """
    assert layout.auto is not None
    model = constant_model(layout)
    if not takes_markers(provider, model):
        note = f"`{provider.id}` takes no markers: it caches by itself what requests have in common"
        return layout, AutoPlan((), None, None, 0, (), (note,))
    traffic = facts.traffic
    if traffic is None:
        # A faulty block is reported where it stands.
        if facts.symbols.traffic is None:
            _missing(layout, sink)
        return layout, AutoPlan((), None, None, 0, (), ())
    read = read_problem(facts, traffic, layout, elements, provider, presence)
    choice = solve(read.problem)
    bare = round(cost(read.problem, (), None, False))
    why = reasons(read.problem, choice)
    if not choice.marks and choice.tail is None:
        _nothing(layout, why, sink)
    _sizes(traffic, read, sink)
    placed = place(facts, layout, read.elements, read.problem, choice, provider, presence)
    notes = _notes(facts, traffic, read, model)
    return placed, AutoPlan(read.elements, read.problem, choice, bare, why, notes)


def _missing(layout: Layout, sink: Sink) -> None:
    assert layout.auto is not None
    sink.report(
        Diagnostic(
            "PC684",
            f"`cache auto` in prompt `{layout.prompt.name.name}` has no traffic to plan for",
            Label(layout.auto.span, "places markers by how often they will be read"),
            notes=(
                "how often a prefix is read again, and after how long, is not in a spec, and promptc does not guess",
            ),
            help="declare `traffic { ... }`, or place the markers yourself",
        )
    )


def _nothing(layout: Layout, why: Sequence[Reason], sink: Sink) -> None:
    assert layout.auto is not None
    sink.report(
        Diagnostic(
            "PC688",
            f"no marker in prompt `{layout.prompt.name.name}` would save anything",
            Label(layout.auto.span, "places none"),
            notes=tuple(reason.why for reason in why),
            help="remove `cache auto`, or correct the traffic",
        )
    )


def _sizes(traffic: Traffic, read: Read, sink: Sink) -> None:
    for element in read.elements:
        if isinstance(element.node, nodes.ToolGroup) and element.name not in traffic.sizes:
            sink.report(
                Diagnostic(
                    "PC689",
                    f"the size of the tool group `{element.name}` is not told, and counts as nothing",
                    Label(element.at, "its tools come from the host"),
                    (Label(traffic.node.span, "the traffic that is planned for"),),
                    help=f"say it in the traffic: `tokens 8_000 in {element.name}`",
                )
            )


def _notes(facts: Facts, traffic: Traffic, read: Read, model: str | None) -> tuple[str, ...]:
    notes = []
    if model is None:
        notes.append("the prompt names no model: minimum and prices are those of an unknown one")
    for members, percent in read.guessed:
        name = members[0].name
        others = f", which decides about {len(members) - 1} more" if len(members) > 1 else ""
        notes.append(f"`{name}` counts as there in {percent}% of the sessions{others}; `present N% {name}` tells")
    if read.ignored:
        notes.append(
            f"{read.ignored} more gates count as open in every session: only the first {MOST_GATES} are weighed"
        )
    chain = facts.symbols.chain
    there = {element.cls for element in read.elements}
    for cls in chain.names[: chain.rank(chain.conversation)]:
        if cls in there and cls not in traffic.sessions:
            finer = next((c for c in chain.names[chain.rank(cls) :] if c in traffic.sessions), None)
            lent = f"those of one `{finer}`" if finer is not None else "none but the session itself"
            notes.append(f"no rate of sessions per `{cls}` is told: counted are {lent}")
    rules = read.problem.rules
    for lifetime in rules.lifetimes:
        below = 0
        for share in read.problem.load.gaps:
            if below < lifetime.seconds < share.bound:
                notes.append(f"a gap between {below}s and {share.bound}s counts as longer than {lifetime.name}")
            below = share.bound
    return tuple(notes)
