"""Findings as one JSON document, `promptc.diagnostics/1`, for tools."""

import json
from collections.abc import Sequence

from promptc.diagnostics.model import Diagnostic, Fix
from promptc.diagnostics.registry import lookup
from promptc.diagnostics.render.place import place_of
from promptc.diagnostics.render.summary import counts
from promptc.diagnostics.sink import severity_of
from promptc.source import SourceSet, Span

FORMAT = "promptc.diagnostics/1"


def render(diagnostics: Sequence[Diagnostic], sources: SourceSet) -> str:
    """The document with a final newline. Lines and columns count from 1, columns in code points; ends are exclusive."""
    # Escaped to ASCII: a reader that shows the document raw shows no control character, and half of a surrogate
    # pair in a source stays representable.
    return json.dumps(as_data(diagnostics, sources), indent=2) + "\n"


def as_data(diagnostics: Sequence[Diagnostic], sources: SourceSet) -> dict[str, object]:
    """The document as plain data, for reports that carry findings among other things."""
    return {
        "format": FORMAT,
        "diagnostics": [_finding(d, sources) for d in diagnostics],
        "summary": {severity.value: n for severity, n in counts(diagnostics).items()},
    }


def _finding(diagnostic: Diagnostic, sources: SourceSet) -> dict[str, object]:
    primary = diagnostic.primary
    return {
        "code": diagnostic.code,
        "slug": lookup(diagnostic.code).slug,
        "severity": severity_of(diagnostic).value,
        "message": diagnostic.message,
        **_place(None if primary is None else primary.span, sources),
        "pointer": diagnostic.pointer,
        "label": None if primary is None else primary.text,
        "labels": [{**_place(label.span, sources), "text": label.text} for label in diagnostic.secondary],
        "notes": list(diagnostic.notes),
        "help": diagnostic.help,
        "fix": None if diagnostic.fix is None else _fix(diagnostic.fix, sources),
    }


def _fix(fix: Fix, sources: SourceSet) -> dict[str, object]:
    return {
        "title": fix.title,
        "applicability": fix.applicability.value,
        "edits": [{**_place(edit.span, sources), "replacement": edit.replacement} for edit in fix.edits],
    }


def _place(span: Span | None, sources: SourceSet) -> dict[str, object]:
    place = None if span is None else place_of(span, sources)
    return {
        "path": place.path if place else None,
        "line": place.line if place else None,
        "column": place.column if place else None,
        "end_line": place.end_line if place else None,
        "end_column": place.end_column if place else None,
    }
