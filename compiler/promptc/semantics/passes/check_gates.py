"""Check where gates may stand: none that changes each turn, none without a finite domain, in a shared prefix."""

from promptc.diagnostics.model import Diagnostic, Label
from promptc.diagnostics.sink import Sink
from promptc.semantics.domains import unbounded_part
from promptc.semantics.facts import Facts, Layout, Placed
from promptc.semantics.passes.check_order import placement_class
from promptc.semantics.reads import Reader
from promptc.syntax import expressions as ex
from promptc.syntax import nodes
from promptc.syntax.expressions import Ident


def check_gates(facts: Facts, reader: Reader, sink: Sink) -> None:
    """Check the gates of everything in front of the conversation.

    Diagnostics:
        PC501 a gate of the highest class in a cached prefix, PC502 an unbounded gate in a shared scope.
    """
    for layout in facts.layouts.values():
        for tool in layout.tools:
            if tool.when is not None:
                _turn_gate(facts, reader, tool.when, tool.name, "the tools lane", sink)
                _unbounded(facts, tool.when, tool.name, "the tools lane, which stands in front of every scope", sink)
        _system(facts, reader, layout, sink)
        if layout.preamble is not None:
            for placed in layout.preamble.sections:
                for condition in placed.conditions:
                    _turn_gate(facts, reader, condition, _placed_name(placed), "the preamble", sink)


def _system(facts: Facts, reader: Reader, layout: Layout, sink: Sink) -> None:
    shared_behind = [_is_shared(facts, b.node) for b in layout.system]
    below = _below_conversation(facts, layout)
    for index, block in enumerate(layout.system):
        for placed in block.sections:
            for condition in placed.conditions:
                _turn_gate(facts, reader, condition, _placed_name(placed), _where(block.node), sink)
                # An uncached block in front of a shared one is part of its prefix.
                if any(shared_behind[index:]) or placed in below:
                    _unbounded(facts, condition, _placed_name(placed), _where(block.node), sink)


def _below_conversation(facts: Facts, layout: Layout) -> tuple[Placed, ...]:
    """Under `cache auto`, the sections through the last one that several conversations could share."""
    chain = facts.symbols.chain
    placed = [s for block in layout.system for s in block.sections] if layout.auto is not None else []
    shared = [i for i, s in enumerate(placed) if chain.is_above(chain.conversation, placement_class(facts, s))]
    return tuple(placed[: shared[-1] + 1]) if shared else ()


def _placed_name(placed: Placed) -> Ident:
    return Ident(span=placed.at, name=placed.name)


def _where(block: nodes.Block | None) -> str:
    if block is None or block.scope is None:
        return "the system lane"
    return f"the cached block `{block.scope.name}`"


def _is_shared(facts: Facts, block: nodes.Block | None) -> bool:
    # Shared means: by more than one conversation.
    if block is None or block.scope is None:
        return False
    scope = facts.symbols.scopes.get(block.scope.name)
    chain = facts.symbols.chain
    if scope is None or scope.holds.name not in chain.names:
        return False
    return chain.is_above(chain.conversation, scope.holds.name)


def _turn_gate(facts: Facts, reader: Reader, condition: ex.Expr, element: Ident, where: str, sink: Sink) -> None:
    name = element.name
    top = facts.symbols.chain.top
    for read in reader.expr(condition):
        decl = facts.symbols.inputs[read.input]
        if decl.cls is None or decl.cls.name != top:
            continue
        facts.misplaced.add(element.span)
        steps = tuple(Label(s.span, s.text) for s in read.via)
        sink.report(
            Diagnostic(
                "PC501",
                f"the gate of `{name}` reads `{read.input}`, which is `@{top}`, inside {where}",
                Label(
                    condition.span, f"may change with any request, and every change loses what stands behind `{name}`"
                ),
                (*steps, Label(decl.cls.span, f"`{read.input}` is `@{top}`")),
                help=f"keep `{name}` in place and say what changed in the `tail` lane (`deliver delta`), "
                f"or bind `{read.input}` once a session",
            )
        )
        return


def _unbounded(facts: Facts, condition: ex.Expr, name: Ident, where: str, sink: Sink) -> None:
    part = unbounded_part(condition, facts)
    if part is None:
        return
    facts.misplaced.add(name.span)
    sink.report(
        Diagnostic(
            "PC502",
            f"the gate of `{name.name}` ranges over an unbounded domain, inside {where}",
            Label(part.span, "this has no finite set of outcomes to enumerate"),
            help="gate on a bool, an enum, a bounded int, presence, or membership in a list of literals; "
            "compute the condition in the host and pass it as a bool",
        )
    )
