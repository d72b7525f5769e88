"""Parse a body in a test, and show what came of it as text."""

from promptc.diagnostics.model import Diagnostic
from promptc.diagnostics.sink import Sink
from promptc.source import Source, Span, TextMap
from promptc.syntax.bodies import parse_body
from promptc.syntax.bodies_ast import Body
from support.jinja_twin import jinja_source, twin_environment


def parsed(text: str) -> tuple[Body, tuple[Diagnostic, ...]]:
    """The body, and the findings in order. The text stands in its source as it is."""
    sink = Sink()
    return parse_body(text, TextMap.identity("body.md", len(text)), sink), sink.sorted()


def clean(text: str) -> Body:
    """The body of a text that has no mistakes."""
    body, found = parsed(text)
    assert not found, [f.message for f in found]
    assert not body.broken
    return body


def rendered(text: str, **values: object) -> str:
    """What a body without mistakes renders to, by way of Jinja2 without any whitespace treatment."""
    return twin_environment().from_string(jinja_source(clean(text))).render(values)


def findings(text: str) -> list[tuple[str, str]]:
    """Code and underlined text of every finding."""
    _, found = parsed(text)
    return [(f.code, text[f.primary.span.start : f.primary.span.end]) for f in found if f.primary is not None]


def report(text: str, found: tuple[Diagnostic, ...]) -> str:
    """Findings as text: everything that a person is told."""
    source = Source("body.md", text)
    lines: list[str] = []
    for diagnostic in found:
        assert diagnostic.primary is not None
        lines.append(f"{diagnostic.code} {diagnostic.message}")
        for label in (diagnostic.primary, *diagnostic.secondary):
            lines.append(f"  {_place(source, label.span)} {label.text}")
        lines.extend(f"  note: {note}" for note in diagnostic.notes)
        if diagnostic.help:
            lines.append(f"  help: {diagnostic.help}")
        if diagnostic.fix:
            edits = ", ".join(f"{_place(source, e.span)} -> {e.replacement!r}" for e in diagnostic.fix.edits)
            lines.append(f"  fix: {edits}")
    return "".join(line + "\n" for line in lines)


def _place(source: Source, span: Span) -> str:
    line, column = source.line_column(span.start)
    return f"{line + 1}:{column + 1} {source.text[span.start : span.end]!r}"
