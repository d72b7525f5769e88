"""Source lines with marks under them: what stands between the arrow and the notes of a finding."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from promptc.diagnostics.render.display import columns, visible
from promptc.diagnostics.render.excerpt import Excerpt, excerpt
from promptc.diagnostics.render.ink import Ink, Style
from promptc.source import Source, Span


@dataclass(frozen=True, slots=True)
class Mark:
    """A labelled range of one source.

    Attributes:
        stroke: The character that is drawn under the range.
    """

    span: Span
    text: str
    stroke: str
    style: Style


@dataclass(frozen=True, slots=True)
class _Drawn:
    """A mark on its line.

    Attributes:
        start, end: Columns; at least one column.
        more: Whether the range goes on, on a line below or behind the cut.
    """

    start: int
    end: int
    more: bool
    mark: Mark

    @property
    def strokes(self) -> str:
        return self.mark.stroke * (self.end - self.start) + ("…" if self.more else "")


@dataclass(frozen=True, slots=True)
class _Piece:
    column: int
    text: str
    style: Style | None


def snippet(source: Source, marks: Sequence[Mark], gutter: int, ink: Ink) -> list[str]:
    """The lines of one source that carry marks, each with its marks under it.

    Args:
        gutter: Columns of the widest line number.
    """
    by_line: dict[int, list[Mark]] = {}
    for mark in marks:
        by_line.setdefault(source.line_column(mark.span.start)[0], []).append(mark)
    out = [margin(gutter, ink)]
    last: int | None = None
    for line in sorted(by_line):
        if last is not None and line == last + 2:
            between = source.line_text(last + 1)
            out.append(numbered(last + 2, excerpt(between, 0, 0).text, gutter, ink))
        elif last is not None and line > last + 1:
            out.append(ink.paint("frame", "..."))
        out.extend(_line(source, line, by_line[line], gutter, ink))
        last = line
    return out


def margin(gutter: int, ink: Ink, text: str = "") -> str:
    """A row without a line number."""
    return " " * (gutter + 1) + (ink.paint("frame", "|") + " " + text).rstrip()


def numbered(number: int, text: str, gutter: int, ink: Ink) -> str:
    """A row with a 1-based line number."""
    return (ink.paint("frame", f"{number:>{gutter}} |") + " " + text).rstrip()


def _line(source: Source, line: int, marks: Sequence[Mark], gutter: int, ink: Ink) -> list[str]:
    text = source.line_text(line)
    begin = source.line_starts[line]
    ranges = [(m.span.start - begin, min(max(m.span.end, m.span.start) - begin, len(text))) for m in marks]
    view = excerpt(text, min(s for s, _ in ranges), max(e for _, e in ranges))
    drawn = [
        _drawn(view, start, end, m, m.span.end - begin > len(text) + 1)
        for m, (start, end) in zip(marks, ranges, strict=True)
    ]
    rows = [numbered(line + 1, view.text, gutter, ink)]
    for group in _layers(drawn):
        rows += [margin(gutter, ink, row) for row in _rows(group, ink)]
    return rows


def _drawn(view: Excerpt, start: int, end: int, mark: Mark, below: bool) -> _Drawn:
    left = view.column(start)
    right = max(view.column(end), left + 1)
    return _Drawn(left, right, below or (view.cut_right and end > view.first + len(view.starts) - 1), mark)


def _layers(marks: Iterable[_Drawn]) -> list[list[_Drawn]]:
    """Groups of marks that do not touch, each in order of columns; the first holds the marks that end first."""
    layers: list[list[_Drawn]] = []
    for mark in sorted(marks, key=lambda m: (m.end, -m.start)):
        for layer in layers:
            if layer[-1].start + columns(layer[-1].strokes) < mark.start:
                layer.append(mark)
                break
        else:
            layers.append([mark])
    return layers


def _rows(marks: Sequence[_Drawn], ink: Ink) -> list[str]:
    """A row of strokes with the text of the last mark behind it, then the other texts, each below its mark."""
    *others, last = marks
    strokes = [_Piece(m.start, m.strokes, m.mark.style) for m in marks]
    if last.mark.text:
        strokes.append(_Piece(last.start + columns(last.strokes) + 1, visible(last.mark.text), last.mark.style))
    rows = [_row(strokes, ink)]
    hanging = [m for m in others if m.mark.text]
    if hanging:
        rows.append(_row([_Piece(m.start, "|", m.mark.style) for m in hanging], ink))
    while hanging:
        mark = hanging.pop()
        pieces = [_Piece(m.start, "|", m.mark.style) for m in hanging]
        rows.append(_row([*pieces, _Piece(mark.start, visible(mark.mark.text), mark.mark.style)], ink))
    return rows


def _row(pieces: Sequence[_Piece], ink: Ink) -> str:
    out: list[str] = []
    at = 0
    for piece in pieces:
        out.append(" " * (piece.column - at) + ink.paint(piece.style, piece.text.rstrip()))
        at = piece.column + columns(piece.text)
    return "".join(out)
