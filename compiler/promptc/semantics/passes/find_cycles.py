"""Gates and included sections that need each other in a circle."""

from collections.abc import Callable, Iterable

from promptc.diagnostics.model import Diagnostic, Label
from promptc.diagnostics.sink import Sink
from promptc.semantics.facts import Facts
from promptc.semantics.reads import names_in
from promptc.source import Span
from promptc.syntax import bodies_ast as ast
from promptc.syntax import nodes

Edge = tuple[str, Span]


def find_cycles(facts: Facts, sink: Sink) -> None:
    """Report each circle once, at the use that closes it.

    Diagnostics:
        PC215.
    """
    gates = facts.symbols.gates
    _search(gates, lambda name: _gate_edges(facts, name), "gate", sink)
    sections = facts.symbols.sections
    _search(sections, lambda name: _section_edges(facts, sections[name]), "section", sink)


def _gate_edges(facts: Facts, name: str) -> Iterable[Edge]:
    for use in names_in(facts.symbols.gates[name].condition):
        if use.name in facts.symbols.gates:
            yield use.name, use.span


def _section_edges(facts: Facts, section: nodes.SectionDecl) -> Iterable[Edge]:
    content = section.content
    sources = (content.first, content.changed, content.gone) if isinstance(content, nodes.DeltaBody) else (content,)
    for source in sources:
        body = facts.bodies.get(source) if source is not None else None
        if body is not None:
            yield from includes_in(body.parts)


def includes_in(parts: tuple[ast.Part, ...]) -> Iterable[Edge]:
    """Names and places of all includes in a body."""
    for part in parts:
        match part:
            case ast.Include(name=name):
                yield name.name, name.span
            case ast.If(branches=branches, orelse=orelse):
                for branch in branches:
                    yield from includes_in(branch.body)
                yield from includes_in(orelse)
            case ast.For(body=body, orelse=orelse):
                yield from includes_in(body)
                yield from includes_in(orelse)
            case _:
                continue


def _search(names: Iterable[str], edges: Callable[[str], Iterable[Edge]], what: str, sink: Sink) -> None:
    known = list(names)
    done: set[str] = set()
    for root in known:
        path: list[str] = []
        _visit(root, edges, set(known), path, done, what, sink)


def _visit(
    name: str,
    edges: Callable[[str], Iterable[Edge]],
    known: set[str],
    path: list[str],
    done: set[str],
    what: str,
    sink: Sink,
) -> None:
    # Explicit stack: a chain of thousands of gates must not exhaust Python's own.
    stack = [(name, iter(edges(name)))]
    if name in done:
        return
    path.append(name)
    while stack:
        current, rest = stack[-1]
        step = next(rest, None)
        if step is None:
            stack.pop()
            path.pop()
            done.add(current)
            continue
        target, span = step
        if target in path:
            circle = " -> ".join((*path[path.index(target) :], target))
            sink.report(Diagnostic("PC215", f"the {what} `{target}` needs itself: {circle}", Label(span)))
        elif target in known and target not in done:
            path.append(target)
            stack.append((target, iter(edges(target))))
