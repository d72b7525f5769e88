"""Where a finding is, as people and tools count: lines and columns from 1, columns in code points."""

from dataclasses import dataclass

from promptc.source import SourceSet, Span


@dataclass(frozen=True, slots=True)
class Place:
    """A range in a text.

    Attributes:
        path: As in the span.
        line, column: 1-based; None when the text is not at hand.
        end_line, end_column: 1-based, one past the last code point.
    """

    path: str
    line: int | None
    column: int | None
    end_line: int | None
    end_column: int | None

    def __str__(self) -> str:
        return self.path if self.line is None else f"{self.path}:{self.line}:{self.column}"


def place_of(span: Span, sources: SourceSet) -> Place:
    """The place of a span."""
    source = sources.get(span.path)
    if source is None:
        return Place(span.path, None, None, None, None)
    line, column = source.line_column(span.start)
    end_line, end_column = source.line_column(max(span.start, span.end))
    return Place(span.path, line + 1, column + 1, end_line + 1, end_column + 1)
