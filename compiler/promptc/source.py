"""Source text, spans, and every conversion between code points, lines, bytes and UTF-16.

Inside promptc a position is an offset in **code points** of the normalised text (BOM dropped, line ends LF).
Lines and columns are 0-based here and become 1-based only in renderers.
"""

from bisect import bisect_right
from dataclasses import dataclass, field
from functools import cached_property


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """A half-open range of code points in one source.

    Attributes:
        path: Project-relative POSIX path of the source, or `<stdin>`.
        start: First code point, 0-based.
        end: One past the last code point; equal to `start` for an empty span.
    """

    path: str
    start: int
    end: int

    def to(self, other: "Span") -> "Span":
        """The span from the start of this one to the end of `other` (same source)."""
        return Span(self.path, min(self.start, other.start), max(self.end, other.end))


@dataclass(frozen=True)
class Source:
    """One text with its name.

    Attributes:
        path: Project-relative POSIX path.
        text: Normalised text: no BOM, LF line ends.
    """

    path: str
    text: str

    @cached_property
    def line_starts(self) -> tuple[int, ...]:
        """Offset of the first code point of every line. Only LF ends a line."""
        starts = [0]
        find = self.text.find
        at = find("\n")
        while at >= 0:
            starts.append(at + 1)
            at = find("\n", at + 1)
        return tuple(starts)

    def line_column(self, offset: int) -> tuple[int, int]:
        """0-based line and column (code points) of an offset; offsets past the end are clamped."""
        offset = max(0, min(offset, len(self.text)))
        line = bisect_right(self.line_starts, offset) - 1
        return line, offset - self.line_starts[line]

    def line_text(self, line: int) -> str:
        """The text of a 0-based line without its line end; empty past the last line."""
        if line >= len(self.line_starts):
            return ""
        start = self.line_starts[line]
        end = self.line_starts[line + 1] - 1 if line + 1 < len(self.line_starts) else len(self.text)
        return self.text[start:end]

    def slice(self, span: "Span") -> str:
        """The text of a span of this source."""
        return self.text[span.start : span.end]

    def byte_offset(self, offset: int) -> int:
        """UTF-8 bytes before a code point offset."""
        return len(self.text[:offset].encode("utf-8", "surrogatepass"))

    def utf16_column(self, offset: int) -> int:
        """0-based column in UTF-16 code units, as language servers count by default."""
        line, _ = self.line_column(offset)
        return len(self.text[self.line_starts[line] : offset].encode("utf-16-le", "surrogatepass")) // 2


@dataclass(frozen=True)
class AnchoredSource(Source):
    """A source whose offsets leave room for text to come: what an editor's text is while it changes.

    Parts of a text that stay as they are keep their offsets when the text in front of them grows or shrinks, so that
    nodes and findings of those parts stay true. Offsets keep their order; only distances between parts are not real.

    Attributes:
        reals: Where the parts begin in the text, ascending; the first is 0.
        anchors: The offset that stands for each of these places, ascending; the first is 0.
    """

    reals: tuple[int, ...] = (0,)
    anchors: tuple[int, ...] = (0,)

    def real(self, offset: int) -> int:
        """The place in the text that an offset stands for; the end of a part for what lies in the room behind it."""
        index = bisect_right(self.anchors, offset) - 1
        end = self.reals[index + 1] if index + 1 < len(self.reals) else len(self.text)
        return min(self.reals[index] + offset - self.anchors[index], end)

    def anchored(self, place: int) -> int:
        """The offset that stands for a place in the text."""
        index = bisect_right(self.reals, place) - 1
        return self.anchors[index] + place - self.reals[index]

    def real_span(self, span: "Span") -> "Span":
        """A span in places of the text."""
        return Span(span.path, self.real(span.start), self.real(span.end))

    def line_column(self, offset: int) -> tuple[int, int]:
        return super().line_column(self.real(offset))

    def slice(self, span: "Span") -> str:
        return self.text[self.real(span.start) : self.real(span.end)]

    def byte_offset(self, offset: int) -> int:
        return super().byte_offset(self.real(offset))

    def utf16_column(self, offset: int) -> int:
        place = self.real(offset)
        start = self.line_starts[super().line_column(place)[0]]
        return len(self.text[start:place].encode("utf-16-le", "surrogatepass")) // 2


@dataclass(frozen=True, slots=True)
class Segment:
    """A run of text that lies unbroken in its source.

    Attributes:
        at: Offset of the run in the derived text.
        source: Offset of the run in the source.
        length: Code points in the derived text. The source run has the same length, except for an escape
            sequence, which is one derived code point and `source_length` source code points.
        source_length: Code points in the source.
    """

    at: int
    source: int
    length: int
    source_length: int


@dataclass(frozen=True, slots=True)
class TextMap:
    """Maps offsets of a derived text (dedented, unescaped) back to its source.

    Attributes:
        path: Source that the text was taken from.
        segments: In order of `at`, without gaps in the derived text. May be empty for an empty text.
        origin: Source offset to report for an empty text.
    """

    path: str
    segments: tuple[Segment, ...]
    origin: int = 0

    @staticmethod
    def identity(path: str, length: int, offset: int = 0) -> "TextMap":
        """The map of a text that stands in its source exactly as it is, starting at `offset`."""
        return TextMap(path, (Segment(0, offset, length, length),) if length else (), offset)

    def source_offset(self, offset: int) -> int:
        """Source offset of a derived offset."""
        return self._locate(offset, end=False)

    def _locate(self, offset: int, end: bool) -> int:
        if not self.segments:
            return self.origin
        # An end offset belongs to the run that it closes, not to the one that begins there.
        probe = offset - 1 if end and offset > 0 else offset
        index = bisect_right(self.segments, probe, key=lambda s: s.at) - 1
        seg = self.segments[max(index, 0)]
        inside = min(max(offset - seg.at, 0), seg.length)
        if seg.length == seg.source_length:
            return seg.source + inside
        return seg.source + (seg.source_length if inside >= seg.length else 0)

    def span(self, start: int, end: int) -> Span:
        """Source span of a derived range."""
        first = self._locate(start, end=False)
        last = self._locate(end, end=True) if end > start else first
        return Span(self.path, first, max(first, last))


@dataclass
class SourceSet:
    """All sources of one run, by path; what renderers need to show a span.

    Attributes:
        prefix: Folder of the project below its repository, with a slash at the end; empty where they are the same. What
            a repository shows beside its files is placed by it.
    """

    by_path: dict[str, Source] = field(default_factory=dict)
    prefix: str = ""

    def add(self, source: Source) -> Source:
        """Register a source and return it; the last text for a path wins."""
        self.by_path[source.path] = source
        return source

    def get(self, path: str) -> Source | None:
        """The source of a path, or None when its text is not at hand."""
        return self.by_path.get(path)
