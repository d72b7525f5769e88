"""Findings as a Markdown table with folded details, for comments on a pull request."""

from collections.abc import Sequence

from promptc.diagnostics.model import Diagnostic
from promptc.diagnostics.registry import lookup
from promptc.diagnostics.render.display import visible
from promptc.diagnostics.render.place import place_of
from promptc.diagnostics.render.summary import summary
from promptc.diagnostics.sink import severity_of
from promptc.source import SourceSet

# Every ASCII character that Markdown, its tables, HTML, autolinks or GitHub's references could read, written as
# a character reference: those are decoded as text and never as syntax (CommonMark 6.2).
_SPECIAL = "\\`*_{}[]()<>#+-.!|&~^$:@/=\"'"
_TABLE = str.maketrans({c: f"&#{ord(c)};" for c in _SPECIAL})


def render(diagnostics: Sequence[Diagnostic], sources: SourceSet) -> str:
    """A heading line, a table with a row a finding, and what else there is to say behind a fold."""
    lines = [f"**promptc**: {summary(diagnostics)}"]
    if diagnostics:
        lines += ["", "| severity | code | place | finding |", "| --- | --- | --- | --- |"]
        lines += [_row(d, sources) for d in diagnostics]
    for diagnostic in diagnostics:
        details = _details(diagnostic, sources)
        if details:
            title = f"{diagnostic.code} {escaped(_where(diagnostic, sources))}".rstrip()
            lines += ["", f"<details><summary>{title}</summary>", "", *details, "", "</details>"]
    return "\n".join(lines) + "\n"


def escaped(text: str) -> str:
    """Text that shows as itself anywhere in Markdown: no markup, no HTML, no link, no mention, one line."""
    return visible(text).translate(_TABLE)


def _row(diagnostic: Diagnostic, sources: SourceSet) -> str:
    code = f"{diagnostic.code} {lookup(diagnostic.code).slug}"
    where = escaped(_where(diagnostic, sources))
    return f"| {severity_of(diagnostic).value} | {code} | {where} | {escaped(diagnostic.message)} |"


def _where(diagnostic: Diagnostic, sources: SourceSet) -> str:
    parts = []
    if diagnostic.primary is not None:
        parts.append(str(place_of(diagnostic.primary.span, sources)))
    if diagnostic.pointer is not None:
        parts.append(diagnostic.pointer or "/")
    return " ".join(parts)


def _details(diagnostic: Diagnostic, sources: SourceSet) -> list[str]:
    lines = []
    if diagnostic.primary is not None and diagnostic.primary.text:
        lines.append(f"* here: {escaped(diagnostic.primary.text)}")
    for label in diagnostic.secondary:
        place = escaped(str(place_of(label.span, sources)))
        lines.append(f"* {place}: {escaped(label.text)}" if label.text else f"* {place}")
    lines += [f"* note: {escaped(note)}" for note in diagnostic.notes]
    if diagnostic.help is not None:
        lines.append(f"* help: {escaped(diagnostic.help)}")
    if diagnostic.fix is not None:
        lines.append(f"* fix: {escaped(diagnostic.fix.title)}")
    return lines
