"""Check that each delivery mode stands where it can be carried out."""

from promptc.diagnostics.model import Diagnostic, Label
from promptc.diagnostics.sink import Sink
from promptc.semantics.facts import Facts, Layout, Placed
from promptc.syntax import nodes

_LANES_OF = {
    "inline": ("system", "preamble", "tail"),
    "frozen": ("preamble", "tail"),
    "delta": ("tail",),
    "ephemeral": ("tail",),
}
_WHY = {
    "frozen": "a frozen text is kept with the session, and the system lane is shared by sessions",
    "delta": "a delta is appended behind what was sent",
    "ephemeral": "an ephemeral text is absent from the next request, so it may only stand behind the last breakpoint",
}


def check_delivery(facts: Facts, sink: Sink) -> None:
    """Check the lane, key and renderers of each delivery mode.

    Diagnostics:
        PC408 misplaced, PC409 frozen without key, PC410 delta incomplete, PC414 tool group without total order, PC416 masked group with a gate.
    """
    checked: set[nodes.SectionDecl] = set()
    for layout in facts.layouts.values():
        for lane, sections in _lanes(layout):
            for placed in sections:
                _lane(placed, lane, sink)
                if placed.decl not in checked:
                    checked.add(placed.decl)
                    _completeness(facts, placed.decl, sink)
        for tool in layout.tools:
            if isinstance(tool, nodes.ToolGroup) and tool.order and all(f.name != "name" for f in tool.order):
                listed = ", ".join(f.name for f in tool.order)
                sink.report(
                    Diagnostic(
                        "PC414",
                        f"tool group `{tool.name.name}` has no total order: tools alike in `{listed}` stay as the host passes them",
                        Label(tool.order[-1].span),
                        help=f"add the field that no two tools share: `order by {listed}, name`",
                    )
                )
            if isinstance(tool, nodes.ToolGroup) and tool.policy == "mask" and tool.when is not None:
                sink.report(
                    Diagnostic(
                        "PC416",
                        f"tool group `{tool.name.name}` is masked, and its gate takes it out of the list all the same",
                        Label(tool.when.span, "without this, the group leaves the prefix"),
                        help="remove the gate, and say in the `tail` lane, or by tool choice, what may be called now",
                    )
                )
            if isinstance(tool, nodes.ToolGroup) and not tool.order:
                sink.report(
                    Diagnostic(
                        "PC414",
                        f"tool group `{tool.name.name}` has no order: its bytes depend on the order the host passes",
                        Label(tool.name.span),
                        help="add `order by name`",
                    )
                )


def _lanes(layout: Layout) -> list[tuple[str, tuple[Placed, ...]]]:
    out = [("system", block.sections) for block in layout.system]
    if layout.preamble is not None:
        out.append(("preamble", layout.preamble.sections))
    if layout.tail is not None:
        out.append(("tail", layout.tail.sections))
    return out


def _mode(section: nodes.SectionDecl) -> str:
    if isinstance(section.content, nodes.DeltaBody):
        return "delta"
    return section.deliver.mode if section.deliver is not None else "inline"


def _lane(placed: Placed, lane: str, sink: Sink) -> None:
    mode = _mode(placed.decl)
    if lane in _LANES_OF[mode]:
        return
    at = placed.decl.deliver.span if placed.decl.deliver is not None else placed.at
    allowed = " or ".join(f"`{name}`" for name in _LANES_OF[mode])
    sink.report(
        Diagnostic(
            "PC408",
            f"section `{placed.name}` is delivered `{mode}` in the lane `{lane}`",
            Label(at, f"`{mode}` here"),
            notes=(_WHY[mode],) if mode in _WHY else (),
            help=f"place it in the lane {allowed}",
        )
    )


def _completeness(facts: Facts, section: nodes.SectionDecl, sink: Sink) -> None:
    content = section.content
    if isinstance(content, nodes.DeltaBody):
        missing = [n for n in ("first", "changed", "gone") if getattr(content, n) is None]
        if missing:
            listed = " and ".join(f"`{m}`" for m in missing)
            sink.report(
                Diagnostic(
                    "PC410",
                    f"the delta of `{section.name.name}` lacks {listed}",
                    Label(content.span),
                    help="a delta says three things: the state when first sent, that it changed, and that it is gone",
                )
            )
    deliver = section.deliver
    if deliver is not None and deliver.mode == "frozen" and deliver.key is None:
        top = facts.symbols.chain.top
        if facts.effective.get(section) == top:
            sink.report(
                Diagnostic(
                    "PC409",
                    f"section `{section.name.name}` is frozen, may change each turn, and has no key",
                    Label(deliver.span),
                    help="say what a rendering belongs to: `deliver frozen key EXPR`; a new key renders anew",
                )
            )
