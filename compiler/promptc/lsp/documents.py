"""An open document: its text as the editor has it, edits to it, and places as the editor counts them."""

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate

from lsprotocol import types as lsp

from promptc.source import Span

_LINE_END = re.compile(r"\r\n|\n|\r")
_BOM = "\ufeff"


def units(text: str, encoding: str) -> int:
    """Length of a text in the code units of a position encoding."""
    if encoding == "utf-32" or text.isascii():
        return len(text)
    if encoding == "utf-8":
        return len(text.encode("utf-8", "surrogatepass"))
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def code_points(text: str, count: int, encoding: str) -> int:
    """How many code points of a text lie in its first `count` code units; one that is cut in two does not."""
    if encoding == "utf-32" or text.isascii():
        return min(count, len(text))
    used = 0
    for index, char in enumerate(text):
        used += units(char, encoding)
        if used > count:
            return index
    return len(text)


@dataclass(frozen=True)
class Lines:
    """A text with its lines as the protocol counts them: LF, CRLF and a lone CR each end one.

    Attributes:
        encoding: What a position's `character` counts: `utf-8`, `utf-16` or `utf-32`.
        mark: Whether the editor's text begins with a byte order mark that this one does not have.
    """

    text: str
    encoding: str
    mark: bool = False

    @cached_property
    def starts(self) -> list[int]:
        """Offset of the first code point of every line."""
        if "\r" in self.text:
            return [0, *(match.end() for match in _LINE_END.finditer(self.text))]
        lengths = [len(line) + 1 for line in self.text.split("\n")]
        return list(accumulate(lengths[:-1], initial=0))

    def position(self, offset: int) -> lsp.Position:
        """The position of an offset in code points."""
        offset = max(0, min(offset, len(self.text)))
        line = bisect_right(self.starts, offset) - 1
        column = units(self.text[self.starts[line] : offset], self.encoding)
        return lsp.Position(line, column + (units(_BOM, self.encoding) if self.mark and line == 0 else 0))

    def range(self, start: int, end: int) -> lsp.Range:
        """The range between two offsets."""
        return lsp.Range(self.position(start), self.position(max(start, end)))

    def span_range(self, span: Span) -> lsp.Range:
        """The range of a span of this text."""
        return self.range(span.start, span.end)

    def offset(self, position: lsp.Position) -> int:
        """The offset of a position; past the end of a line it is the end, past the last line the end of the text."""
        if position.line >= len(self.starts):
            return len(self.text)
        start = self.starts[position.line]
        last = position.line + 1 == len(self.starts)
        content = self.text[start : len(self.text) if last else self.starts[position.line + 1]].rstrip("\r\n")
        count = position.character
        if self.mark and position.line == 0:
            count = max(count - units(_BOM, self.encoding), 0)
        return start + code_points(content, count, self.encoding)


@dataclass
class Document:
    """A document that is open in the editor.

    Attributes:
        uri: As the editor writes it.
        text: As the editor has it, byte order mark and line ends included.
    """

    uri: str
    version: int
    text: str
    encoding: str

    def change(self, version: int, changes: Sequence[lsp.TextDocumentContentChangeEvent]) -> None:
        """Apply the edits of one notification, in order."""
        for change in changes:
            if isinstance(change, lsp.TextDocumentContentChangePartial):
                lines = Lines(self.text, self.encoding)
                start, end = lines.offset(change.range.start), lines.offset(change.range.end)
                self.text = self.text[:start] + change.text + self.text[max(start, end) :]
            else:
                self.text = change.text
        self.version = version

    @property
    def line_end(self) -> str:
        """What ends most lines of the text."""
        crlf = self.text.count("\r\n")
        return "\r\n" if crlf * 2 > self.text.count("\n") else "\n"

    @property
    def data(self) -> bytes:
        """The bytes that saving would write."""
        return self.text.encode("utf-8", "surrogatepass")


def lines_of(text: str, encoding: str, document: Document | None) -> Lines:
    """The lines of a normalised text, counted as the editor counts those of the document that it was read from."""
    return Lines(text, encoding, document is not None and document.text.startswith(_BOM))
