"""Declarations that nothing uses."""

from collections.abc import Iterable, Iterator

from promptc.diagnostics.model import Diagnostic, Label
from promptc.diagnostics.sink import Sink
from promptc.semantics.facts import Facts
from promptc.semantics.passes.find_cycles import includes_in
from promptc.source import Span
from promptc.syntax import nodes
from promptc.syntax.expressions import Ident


def find_unused(facts: Facts, root: str, sink: Sink) -> None:
    """Report what is declared and never used. A module without prompts is a library: its users decide.

    Args:
        root: Path of the module being compiled; declarations of used modules are theirs to keep.

    Diagnostics:
        PC220, PC221, PC222, PC223.
    """
    symbols = facts.symbols
    if not symbols.prompts:
        return
    read = {r.name for r in facts.names.values() if r.kind in ("input", "gate")}
    for name, value in symbols.values.items():
        if name not in read:
            is_input = isinstance(value, nodes.InputDecl)
            code, what = ("PC220", "input") if is_input else ("PC221", "gate")
            _report(code, what, value.name, "never read", root, sink)
    placed = {s.decl for layout in facts.layouts.values() for s in layout.sections}
    included = {name for body in facts.bodies.values() for name, _ in includes_in(body.parts)}
    for name, section in symbols.sections.items():
        if section not in placed and name not in included:
            _report("PC222", "library section", section.name, "never placed", root, sink)
    automatic = any(layout.auto is not None for layout in facts.layouts.values())
    used_scopes = set(_scopes(facts))
    for name, scope in symbols.scopes.items():
        # `cache auto` names scopes itself.
        if name not in used_scopes and not automatic:
            _report("PC223", "scope", scope.name, "never used", root, sink)
    if symbols.traffic is not None and not automatic and symbols.traffic.span.path == root:
        at = symbols.traffic.span
        word = Span(at.path, at.start, at.start + len("traffic"))
        help = "remove it, or let a prompt `cache auto`"
        sink.report(Diagnostic("PC223", "the traffic is never used", Label(word), help=help))
    used_records = set(_records(symbols.inputs.values(), symbols.records.values()))
    for name, record in symbols.records.items():
        if name not in used_records:
            _report("PC223", "record", record.name, "never used", root, sink)
    used_envelopes = {
        lane.node.envelope.name
        for layout in facts.layouts.values()
        for lane in (layout.preamble, layout.tail)
        if lane is not None and lane.node.envelope is not None
    }
    for name, envelope in symbols.envelopes.items():
        if name not in used_envelopes:
            _report("PC223", "envelope", envelope.name, "never used", root, sink)


def _report(code: str, what: str, name: Ident, how: str, root: str, sink: Sink) -> None:
    if name.span.path == root:
        sink.report(Diagnostic(code, f"{what} `{name.name}` is {how}", Label(name.span), help="remove it, or use it"))


def _scopes(facts: Facts) -> Iterator[str]:
    for layout in facts.layouts.values():
        for block in layout.system:
            if block.node is None:
                continue
            for scope in (block.node.scope, block.node.fallback):
                if scope is not None:
                    yield scope.name
    for limit in facts.symbols.limits:
        yield limit.subject.name


def _records(inputs: Iterable[nodes.InputDecl], records: Iterable[nodes.RecordDecl]) -> Iterator[str]:
    for decl in inputs:
        yield from _type_names(decl.type)
    for record in records:
        for field in record.fields:
            yield from _type_names(field.type)


def _type_names(kind: nodes.TypeExpr) -> Iterator[str]:
    match kind:
        case nodes.NamedType(name=name):
            yield name
        case nodes.ListType(item=item) | nodes.OptionalType(item=item):
            yield from _type_names(item)
        case _:
            return
