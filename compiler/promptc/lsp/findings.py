"""Findings as the protocol has them."""

from collections.abc import Callable

from lsprotocol import types as lsp

from promptc.diagnostics.model import Diagnostic, Label, Severity
from promptc.diagnostics.registry import find_code
from promptc.diagnostics.sink import severity_of
from promptc.lsp.documents import Lines
from promptc.report.visible import visible

SOURCE = "promptc"
_SEVERITIES = {
    Severity.ERROR: lsp.DiagnosticSeverity.Error,
    Severity.WARNING: lsp.DiagnosticSeverity.Warning,
    Severity.HINT: lsp.DiagnosticSeverity.Hint,
}
_UNUSED = frozenset(("PC220", "PC221", "PC222", "PC223", "PC225"))

LinesOf = Callable[[str], Lines]
UriOf = Callable[[str], str]


def finding(diagnostic: Diagnostic, lines_of: LinesOf, uri_of: UriOf) -> lsp.Diagnostic:
    """One finding; notes and help are lines of the message, other places are related information."""
    primary = diagnostic.primary
    start = lsp.Position(0, 0)
    entry = find_code(diagnostic.code)
    message = diagnostic.message
    if primary is not None and primary.text:
        message += f" ({primary.text})"
    message = "\n".join(
        [
            message,
            *(f"note: {note}" for note in diagnostic.notes),
            *([f"help: {diagnostic.help}"] if diagnostic.help else []),
        ]
    )
    return lsp.Diagnostic(
        range=lsp.Range(start, start) if primary is None else lines_of(primary.span.path).span_range(primary.span),
        message="\n".join(visible(line) for line in message.split("\n")),
        severity=_SEVERITIES[severity_of(diagnostic)],
        code=diagnostic.code,
        source=SOURCE,
        tags=[lsp.DiagnosticTag.Unnecessary] if diagnostic.code in _UNUSED else None,
        related_information=[_related(label, lines_of, uri_of) for label in diagnostic.secondary] or None,
        data={"slug": entry.slug} if entry is not None else None,
    )


def _related(label: Label, lines_of: LinesOf, uri_of: UriOf) -> lsp.DiagnosticRelatedInformation:
    place = lsp.Location(uri_of(label.span.path), lines_of(label.span.path).span_range(label.span))
    return lsp.DiagnosticRelatedInformation(place, visible(label.text or "here"))
