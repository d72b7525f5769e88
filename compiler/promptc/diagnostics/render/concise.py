"""One greppable line a finding: `path:line:column: error[PC401] message`."""

from collections.abc import Sequence

from promptc.diagnostics.model import Diagnostic
from promptc.diagnostics.render.display import visible
from promptc.diagnostics.render.place import place_of
from promptc.diagnostics.sink import severity_of
from promptc.source import SourceSet


def render(diagnostics: Sequence[Diagnostic], sources: SourceSet) -> str:
    """All findings, a line each; empty for none."""
    return "".join(_line(d, sources) + "\n" for d in diagnostics)


def _line(diagnostic: Diagnostic, sources: SourceSet) -> str:
    where = []
    if diagnostic.primary is not None:
        where.append(str(place_of(diagnostic.primary.span, sources)))
    if diagnostic.pointer is not None:
        where.append(diagnostic.pointer or "/")
    shown = f"{visible(' '.join(where))}: " if where else ""
    return f"{shown}{severity_of(diagnostic).value}[{diagnostic.code}] {visible(diagnostic.message)}"
