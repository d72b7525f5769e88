"""Code actions: repairs that findings carry, and rewrites at the cursor."""

from collections.abc import Iterator, Sequence

from lsprotocol import types as lsp

from promptc.diagnostics.model import Applicability, Diagnostic, Severity
from promptc.diagnostics.registry import lookup
from promptc.diagnostics.sink import severity_of
from promptc.lsp.findings import finding
from promptc.lsp.rewrites import TextChange, extract_gate, move_behind, suppress
from promptc.lsp.session import ProjectView

# What no `allow` takes away: the clause itself, and the sizes of prefixes, which are found behind the compiler.
_UNACCEPTED = frozenset(("PC225", "PC615", "PC616"))
_PROMOTES = frozenset(("PC402", "PC406"))


def code_actions(
    view: ProjectView, path: str, start: int, end: int, only: Sequence[lsp.CodeActionKind | str] | None = None
) -> list[lsp.CodeAction]:
    """What may be done about the findings between two offsets, and with what stands there."""
    found = [*_of_findings(view, path, start, end), *_at_cursor(view, path, start)]
    if only is None:
        return found
    return [action for action in found if any(_is_kind(action.kind, kind) for kind in only)]


def _is_kind(kind: lsp.CodeActionKind | str | None, wanted: lsp.CodeActionKind | str) -> bool:
    mine, theirs = (str(getattr(k, "value", k)) for k in (kind, wanted))
    return mine == theirs or mine.startswith(f"{theirs}.")


def _of_findings(view: ProjectView, path: str, start: int, end: int) -> Iterator[lsp.CodeAction]:
    for diagnostic in view.checked.diagnostics:
        primary = diagnostic.primary
        if primary is None or primary.span.path != path or primary.span.end < start or end < primary.span.start:
            continue
        shown = finding(diagnostic, view.lines, view.uri)
        yield from _fix(view, diagnostic, shown)
        if diagnostic.code == "PC401":
            change = move_behind(view, diagnostic)
            if change is not None:
                yield _action(view, change, lsp.CodeActionKind.QuickFix, shown)
        if severity_of(diagnostic) is not Severity.ERROR and diagnostic.code not in _UNACCEPTED:
            change = suppress(view, diagnostic)
            if change is not None:
                yield _action(view, change, lsp.CodeActionKind.QuickFix, shown)


def _fix(view: ProjectView, diagnostic: Diagnostic, shown: lsp.Diagnostic) -> Iterator[lsp.CodeAction]:
    fix = diagnostic.fix
    if fix is None or fix.applicability is Applicability.DISPLAY:
        return
    title = fix.title
    if diagnostic.code in _PROMOTES and fix.edits:
        title = f"declare the class `@{fix.edits[0].replacement}`"
        title = f"promote: {title}" if diagnostic.code == "PC406" else title
    change = TextChange(title, tuple((edit.span, edit.replacement) for edit in fix.edits))
    action = _action(view, change, lsp.CodeActionKind.QuickFix, shown)
    action.is_preferred = fix.applicability is Applicability.SAFE or lookup(diagnostic.code).code < "PC200"
    yield action


def _at_cursor(view: ProjectView, path: str, offset: int) -> Iterator[lsp.CodeAction]:
    change = extract_gate(view, path, offset)
    if change is not None:
        yield _action(view, change, lsp.CodeActionKind.RefactorExtract, None)


def _action(
    view: ProjectView, change: TextChange, kind: lsp.CodeActionKind, shown: lsp.Diagnostic | None
) -> lsp.CodeAction:
    edits: dict[str, list[lsp.TextEdit]] = {}
    for span, text in change.edits:
        edit = lsp.TextEdit(view.lines(span.path).span_range(span), view.written(span.path, text))
        edits.setdefault(view.uri(span.path), []).append(edit)
    return lsp.CodeAction(
        title=change.title,
        kind=kind,
        diagnostics=[shown] if shown is not None else None,
        edit=lsp.WorkspaceEdit(changes=edits),
    )
