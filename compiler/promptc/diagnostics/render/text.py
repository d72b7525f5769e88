"""Findings for a person at a terminal: the source line, marks under it, then the cause and the way out."""

from collections.abc import Sequence

from promptc.diagnostics.model import Diagnostic, Edit, Fix
from promptc.diagnostics.registry import lookup
from promptc.diagnostics.render.display import visible
from promptc.diagnostics.render.excerpt import excerpt
from promptc.diagnostics.render.ink import Ink, style_of
from promptc.diagnostics.render.place import place_of
from promptc.diagnostics.render.snippet import Mark, numbered, snippet
from promptc.diagnostics.render.summary import summary as summary  # part of the text output, taken from here
from promptc.diagnostics.sink import severity_of
from promptc.source import Source, SourceSet


def render(diagnostics: Sequence[Diagnostic], sources: SourceSet, colour: bool = False) -> str:
    """All findings, an empty line between two; empty for none.

    Args:
        colour: Whether to add ANSI sequences. They are all that differs.
    """
    ink = Ink(colour)
    return "\n".join("".join(line + "\n" for line in _finding(d, sources, ink)) for d in diagnostics)


def _finding(diagnostic: Diagnostic, sources: SourceSet, ink: Ink) -> list[str]:
    severity = severity_of(diagnostic)
    style = style_of(severity)
    slug = lookup(diagnostic.code).slug
    head = ink.paint(style, f"{severity.value}[{diagnostic.code}] {slug}")
    lines = [head + ink.paint("strong", f": {visible(diagnostic.message)}")]
    marks = [Mark(label.span, label.text, "-", "frame") for label in diagnostic.secondary]
    if diagnostic.primary is not None:
        marks.insert(0, Mark(diagnostic.primary.span, diagnostic.primary.text, "^", style))
    fixed = _fixed_line(diagnostic.fix, sources) if diagnostic.fix is not None else None
    gutter = _gutter(marks, sources, fixed)
    lines += _places(marks, sources, gutter, ink)
    if diagnostic.pointer is not None:
        arrow = "-->" if not marks else "at"
        lines.append(f"{' ' * gutter}{ink.paint('frame', arrow)} {visible(diagnostic.pointer) or '/'}")
    for note in diagnostic.notes:
        lines.append(_remark("note", note, gutter, ink))
    if diagnostic.help is not None:
        lines.append(_remark("help", diagnostic.help, gutter, ink))
    if diagnostic.fix is not None:
        lines.append(_remark("fix", diagnostic.fix.title, gutter, ink))
    if fixed is not None:
        number, text = fixed
        lines.append(numbered(number, ink.paint("added", text.rstrip()), gutter, ink))
    lines.append(_remark("see", f"promptc explain {diagnostic.code}", gutter, ink))
    return lines


def _gutter(marks: Sequence[Mark], sources: SourceSet, fixed: tuple[int, str] | None) -> int:
    numbers = [place_of(mark.span, sources).line or 1 for mark in marks]
    if fixed is not None:
        numbers.append(fixed[0])
    return len(str(max(numbers, default=1)))


def _places(marks: Sequence[Mark], sources: SourceSet, gutter: int, ink: Ink) -> list[str]:
    """The marks by source, that of the primary mark first; without a text only the place and the label."""
    by_path: dict[str, list[Mark]] = {}
    for mark in marks:
        by_path.setdefault(mark.span.path, []).append(mark)
    lines: list[str] = []
    for path, own in by_path.items():
        arrow = "-->" if not lines else ":::"
        place = visible(str(place_of(own[0].span, sources)))
        lines.append(f"{' ' * gutter}{ink.paint('frame', arrow)} {place}")
        source = sources.get(path)
        if source is not None:
            lines += snippet(source, own, gutter, ink)
        else:
            lines += [_remark("note", f"{path}: {mark.text}", gutter, ink) for mark in own if mark.text]
    return lines


def _remark(kind: str, text: str, gutter: int, ink: Ink) -> str:
    return f"{' ' * (gutter + 1)}{ink.paint('frame', '=')} {ink.paint('strong', kind + ':')} {visible(text)}".rstrip()


def _fixed_line(fix: Fix, sources: SourceSet) -> tuple[int, str] | None:
    """The 1-based number and text of the one line that a fix changes, as it would become; None for more lines."""
    if not fix.edits:
        return None
    source = sources.get(fix.edits[0].span.path)
    if source is None:
        return None
    line, _ = source.line_column(fix.edits[0].span.start)
    if not all(_is_within(edit, source, line) for edit in fix.edits):
        return None
    begin = source.line_starts[line]
    text = source.line_text(line)
    first, last = len(text), 0
    for edit in sorted(fix.edits, key=lambda e: e.span.start, reverse=True):
        start, end = edit.span.start - begin, edit.span.end - begin
        text = text[:start] + edit.replacement + text[end:]
        last = max(last + len(edit.replacement) - (end - start), start + len(edit.replacement))
        first = start
    return line + 1, excerpt(text, first, last).text


def _is_within(edit: Edit, source: Source, line: int) -> bool:
    begin = source.line_starts[line]
    end = begin + len(source.line_text(line))
    same = edit.span.path == source.path and begin <= edit.span.start <= edit.span.end <= end
    return same and "\n" not in edit.replacement
