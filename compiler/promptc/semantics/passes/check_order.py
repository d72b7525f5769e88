"""Prove that along the prefix effective classes never fall."""

from collections.abc import Sequence
from dataclasses import dataclass

from promptc.diagnostics.model import Diagnostic, Label
from promptc.diagnostics.sink import Sink
from promptc.semantics.facts import Facts, Layout, Placed
from promptc.semantics.sizes import size_of
from promptc.source import Span
from promptc.syntax import nodes


@dataclass(frozen=True, slots=True)
class Element:
    """Something with a class at a place in a lane.

    Attributes:
        section: What it is when it is a section; None for tools, whose text a host passes.
    """

    name: str
    cls: str
    at: Span
    section: nodes.SectionDecl | None
    pin: nodes.Pin | None
    what: str


def check_order(facts: Facts, sink: Sink) -> None:
    """Check every lane of every prompt.

    Within a lane the author chooses the order, so a fall is the author's to repair. Between lanes the provider does:
    what that costs a shared scope is found by `planning.scopes`.

    Diagnostics:
        PC401 a fall, PC411 a per-turn element before the conversation, PC413 a pin that accepts nothing.
    """
    # An extending prompt inherits a fall with the text that has it.
    falls: set[tuple[Span, Span]] = set()
    for layout in facts.layouts.values():
        tools = [tool_element(facts, t) for t in layout.tools]
        system = [section_element(facts, s) for block in layout.system for s in block.sections]
        preamble = [section_element(facts, s) for s in layout.preamble.sections] if layout.preamble else []
        used: set[nodes.Pin] = set()
        reported: set[str] = set()
        for lane in (tools, system, preamble):
            _check_lane(facts, lane, used, reported, falls, sink)
        rest = [e for e in (*tools, *system, *preamble) if e.name not in reported]
        _check_conversation(facts, layout, rest, used, sink)
        for element in (*tools, *system, *preamble):
            if element.pin is not None and element.pin not in used:
                sink.report(
                    Diagnostic(
                        "PC413",
                        f"the pin of `{element.name}` accepts nothing: nothing behind it is more stable",
                        Label(element.pin.span),
                        help="remove the pin",
                    )
                )


def tool_element(facts: Facts, tool: nodes.ToolGroup | nodes.ToolDecl) -> Element:
    """A tool or tool group as an element of its lane."""
    what = "tool group" if isinstance(tool, nodes.ToolGroup) else "tool"
    cls = facts.effective.get(tool, facts.symbols.chain.bottom)
    return Element(tool.name.name, cls, tool.name.span, None, tool.pin, what)


def section_element(facts: Facts, placed: Placed) -> Element:
    """A section as an element of its lane."""
    return Element(
        placed.name,
        placement_class(facts, placed),
        placed.at,
        placed.decl,
        placed.pin,
        "section",
    )


def placement_class(facts: Facts, placed: Placed) -> str:
    """The class that counts for order: a frozen rendering is replayed, so it lasts as long as the conversation."""
    chain = facts.symbols.chain
    cls = facts.effective.get(placed.decl, chain.bottom)
    deliver = placed.decl.deliver
    if deliver is not None and deliver.mode == "frozen" and cls == chain.top:
        return chain.conversation
    return cls


def _check_lane(
    facts: Facts,
    elements: Sequence[Element],
    used: set[nodes.Pin],
    reported: set[str],
    falls: set[tuple[Span, Span]],
    sink: Sink,
) -> None:
    chain = facts.symbols.chain
    highest: Element | None = None
    for index, element in enumerate(elements):
        if highest is None or chain.is_above(element.cls, highest.cls):
            # A pinned element may stand here; it does not raise the class that the ones behind it are held to.
            if element.pin is not None and any(chain.is_above(element.cls, e.cls) for e in elements[index + 1 :]):
                used.add(element.pin)
                continue
            highest = element
        elif chain.is_above(highest.cls, element.cls) and highest.name not in reported:
            reported.add(highest.name)
            facts.misplaced.add(highest.at)
            if (highest.at, element.at) in falls:
                continue
            falls.add((highest.at, element.at))
            stranded = [e for e in elements[index:] if chain.is_above(highest.cls, e.cls)]
            _fall(facts, highest, element, stranded, sink)


def _fall(facts: Facts, high: Element, first: Element, stranded: list[Element], sink: Sink) -> None:
    last = stranded[-1]
    names = ", ".join(f"`{e.name}` @{e.cls}" for e in stranded[:6]) + (", …" if len(stranded) > 6 else "")
    sink.report(
        Diagnostic(
            "PC401",
            f"{high.what} `{high.name}` is `@{high.cls}` and stands before `{first.name}`, which is `@{first.cls}`",
            Label(high.at, f"`@{high.cls}`: its bytes change more often"),
            (Label(first.at, f"`@{first.cls}`: stranded behind it"),),
            notes=(f"stranded behind `{high.name}`: {_tokens(facts, stranded)} in {names}",),
            help=f'move `{high.name}` behind `{last.name}`, or accept the loss with `pin "reason"`',
        )
    )


def _tokens(facts: Facts, stranded: list[Element]) -> str:
    sections = [e.section for e in stranded if e.section is not None]
    if not sections:
        return "all tools that the host passes"
    known = sum(size_of(facts, section).tokens for section in sections)
    return f"about {known:,} tokens of literal text (estimate)"


def _check_conversation(
    facts: Facts, layout: Layout, elements: Sequence[Element], used: set[nodes.Pin], sink: Sink
) -> None:
    if layout.history is None:
        return
    top = facts.symbols.chain.top
    for element in elements:
        if element.cls != top:
            continue
        if element.pin is not None:
            used.add(element.pin)
            continue
        sink.report(
            Diagnostic(
                "PC411",
                f"{element.what} `{element.name}` is `@{top}` and stands before the conversation",
                Label(element.at, "changes with any request"),
                (Label(layout.history.span, "stranded behind it: the whole history"),),
                help=f"place `{element.name}` in the `tail` lane, behind everything that was sent, "
                'or accept the loss with `pin "reason"`',
            )
        )
