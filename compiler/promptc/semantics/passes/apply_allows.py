"""Take away what `allow` clauses accept, and report those that accept nothing."""

from collections.abc import Iterator, Mapping, Sequence

from promptc.diagnostics.model import Diagnostic, Label, Severity
from promptc.diagnostics.registry import find_code
from promptc.diagnostics.sink import severity_of
from promptc.source import Span
from promptc.syntax import bodies_ast as ast
from promptc.syntax import nodes
from promptc.syntax.elements import body_sources, elements_in


def apply_allows(
    modules: Sequence[nodes.Module], bodies: Mapping[ast.BodySource, ast.Body], diagnostics: Sequence[Diagnostic]
) -> tuple[Diagnostic, ...]:
    """Return the diagnostics that remain. Errors are facts and cannot be allowed.

    A clause on a section covers the section and the body file that it names; one at top level covers its module and
    the body files of its sections.

    Diagnostics:
        PC225 for a clause that accepts nothing.
    """
    clauses = list(_clauses(modules, bodies))
    used: set[nodes.Allow] = set()
    kept: list[Diagnostic] = []
    for diagnostic in diagnostics:
        clause = next((a for a, areas in clauses if _covers(a, areas, diagnostic)), None)
        if clause is None:
            kept.append(diagnostic)
        else:
            used.add(clause)
    for clause, _ in clauses:
        if clause not in used:
            kept.append(_unused(clause))
    return tuple(sorted(kept, key=lambda d: d.sort_key))


def _unused(clause: nodes.Allow) -> Diagnostic:
    entry = find_code(clause.code.name)
    why = f"no code is called `{clause.code.name}`" if entry is None else f"nothing here is reported as `{entry.code}`"
    if entry is not None and entry.severity is Severity.ERROR:
        why = f"`{entry.code}` is an error, and errors cannot be allowed"
    return Diagnostic("PC225", f"this `allow` accepts nothing: {why}", Label(clause.span), help="remove it")


def _clauses(
    modules: Sequence[nodes.Module], bodies: Mapping[ast.BodySource, ast.Body]
) -> Iterator[tuple[nodes.Allow, tuple[Span, ...]]]:
    for module in modules:
        sections = [e for e in elements_in(module.items) if isinstance(e, nodes.SectionDecl)]
        for item in module.items:
            if isinstance(item, nodes.Allow):
                whole = Span(module.path, 0, module.span.end + 1)
                yield item, (whole, *(a for s in sections for a in _files(s, bodies)))
        for section in sections:
            for clause in section.allows:
                yield clause, (section.span, *_files(section, bodies))


def _files(section: nodes.SectionDecl, bodies: Mapping[ast.BodySource, ast.Body]) -> Iterator[Span]:
    for source in body_sources((section,)):
        body = bodies.get(source)
        if isinstance(source, ast.FileRef) and body is not None:
            yield body.span


def _covers(clause: nodes.Allow, areas: tuple[Span, ...], diagnostic: Diagnostic) -> bool:
    entry = find_code(clause.code.name)
    if entry is None or entry.code != diagnostic.code or severity_of(diagnostic) is Severity.ERROR:
        return False
    if diagnostic.primary is None:
        return False
    span = diagnostic.primary.span
    return any(a.path == span.path and a.start <= span.start and span.end <= a.end for a in areas)
