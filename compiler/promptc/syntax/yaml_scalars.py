"""The text of a scalar with an exact map to its source, for each of YAML's five styles.

The walk repeats what YAML does to a scalar (folding, chomping, escapes) one character at a time, noting where each
came from. The parser's value decides: where the walk gives another text, the map is one coarse segment, never a wrong
fine one.
"""

import re
from dataclasses import dataclass, field

from promptc.source import Segment, Source, Span, TextMap
from promptc.syntax.yaml_nodes import YamlScalar

_NAMED_ESCAPES = {
    "0": "\0", "a": "\x07", "b": "\x08", "t": "\t", "\t": "\t", "n": "\n", "v": "\x0b", "f": "\x0c", "r": "\r",
    "e": "\x1b", " ": " ", '"': '"', "/": "/", "\\": "\\", "N": "\x85", "_": "\xa0", "L": "\u2028", "P": "\u2029",
}  # fmt: skip
_HEX_LENGTH = {"x": 2, "u": 4, "U": 8}
_FIRST_LINE = re.compile(r"(?:[ ]*+\n)*+([ ]*+)[^ \n]")
_HEADER = re.compile(r"[|>]([+-]?)([1-9]?)([+-]?)[^\n]*\n?")


@dataclass(frozen=True, slots=True)
class ScalarText:
    """What a scalar says.

    Attributes:
        text: Its value; a block scalar without its final newline unless its header keeps it (`|+`).
        map: From offsets of `text` to the source.
        span: The whole scalar with its quotes or header.
        block: True for `|` and `>`.
    """

    text: str
    map: TextMap
    span: Span
    block: bool


@dataclass(slots=True)
class _Walk:
    """A derived text under construction, with runs of unbroken source text."""

    source: str
    chars: list[str] = field(default_factory=list)
    segments: list[Segment] = field(default_factory=list)
    length: int = 0

    def copy(self, start: int, end: int) -> None:
        """Take a run as it stands."""
        if end <= start:
            return
        last = self.segments[-1] if self.segments else None
        if last and last.length == last.source_length and last.source + last.length == start:
            self.segments[-1] = Segment(last.at, last.source, last.length + end - start, last.length + end - start)
        else:
            self.segments.append(Segment(self.length, start, end - start, end - start))
        self.chars.append(self.source[start:end])
        self.length += end - start

    def put(self, char: str, start: int, end: int) -> None:
        """One character that an escape or a fold made of a source range."""
        if end - start == 1 and self.source[start] == char:
            self.copy(start, end)
            return
        self.chars.append(char)
        self.segments.append(Segment(self.length, start, 1, end - start))
        self.length += 1

    @property
    def text(self) -> str:
        return "".join(self.chars)


def scalar_text(source: Source, node: YamlScalar) -> ScalarText:
    """The text of a scalar and its map; see the module docstring."""
    block = node.style in ("literal", "folded")
    text, start = node.value, node.span.start
    if block and text.endswith("\n") and not _keeps_end(source.text, start):
        text = text[:-1]
    walk = _walk(source.text, node, text)
    origin = start if block or node.style == "plain" else start + 1
    if walk is not None:
        segments = tuple(walk.segments)
    else:
        segments = (Segment(0, start, len(text), node.span.end - start),) if text else ()
    return ScalarText(text, TextMap(source.path, segments, origin), node.span, block)


def _keeps_end(text: str, start: int) -> bool:
    header = _HEADER.match(text, start)
    return header is not None and "+" in header.group(1) + header.group(3)


def _walk(source: str, node: YamlScalar, text: str) -> _Walk | None:
    start, end = node.span.start, node.span.end
    if node.style == "plain":
        walk = _flow(source, start, end, node.style)
    elif node.style in ("single", "double"):
        walk = _flow(source, start + 1, end - 1, node.style)
    else:
        walk = _block(source, start, len(text), _indent(source, start, text), node.style == "folded")
    return walk if walk.text == text else None


# -- plain and quoted ----------------------------------------------------------------------------


def _flow(source: str, at: int, end: int, style: str) -> _Walk:
    walk = _Walk(source)
    run = at
    while at < end:
        char = source[at]
        if char == "\n":
            blanks = at
            while blanks > run and source[blanks - 1] in " \t":
                blanks -= 1
            walk.copy(run, blanks)
            run = at = _fold(walk, blanks, end)
        elif char == "'" and style == "single":
            walk.copy(run, at)
            walk.put("'", at, at + 2)
            run = at = at + 2
        elif char == "\\" and style == "double":
            walk.copy(run, at)
            run = at = _escape(walk, at, end)
        else:
            at += 1
    walk.copy(run, end)
    return walk


def _fold(walk: _Walk, start: int, end: int) -> int:
    """Blanks, line ends and indentation: one line end is a space, n of them are n - 1 line feeds."""
    breaks: list[int] = []
    at = start
    while at < end and walk.source[at] in " \t\n":
        if walk.source[at] == "\n":
            breaks.append(at)
        at += 1
    if len(breaks) == 1:
        walk.put(" ", start, at)
    for place in breaks[1:]:
        walk.copy(place, place + 1)
    return at


def _escape(walk: _Walk, at: int, end: int) -> int:
    kind = walk.source[at + 1 : at + 2]
    if kind == "\n":
        # An escaped line end joins two lines; the indentation of the second is not text.
        at += 2
        while at < end and walk.source[at] in " \t":
            at += 1
        breaks = [at] if at < end and walk.source[at] == "\n" else []
        while breaks and at < end and walk.source[at] in " \t\n":
            if walk.source[at] == "\n":
                walk.copy(at, at + 1)
            at += 1
        return at
    digits = _HEX_LENGTH.get(kind, 0)
    stop = at + 2 + digits
    number = walk.source[at + 2 : stop]
    if digits and re.fullmatch(r"[0-9A-Fa-f]+", number) and int(number, 16) < 0x110000:
        walk.put(chr(int(number, 16)), at, stop)
    elif kind in _NAMED_ESCAPES:
        walk.put(_NAMED_ESCAPES[kind], at, stop)
    return stop


# -- block scalars -------------------------------------------------------------------------------


def _indent(source: str, start: int, text: str) -> int:
    """The content indentation: the blanks of the first line that has other characters, less those of the text."""
    header = _HEADER.match(source, start)
    line = _FIRST_LINE.match(source, header.end() if header else start)
    own = _FIRST_LINE.match(text)
    if line is None or own is None:
        return len(source)  # blank lines only, none of which has content
    return max(len(line[1]) - len(own[1]), 0)


def _block(source: str, start: int, length: int, indent: int, folded: bool) -> _Walk:
    """Up to `length` characters of a block scalar's content; the caller knows how long the chomped text is."""
    walk = _Walk(source)
    header = _HEADER.match(source, start)
    at = header.end() if header else len(source)
    pending: list[int] = []  # line ends read and not written yet
    after_text = False  # the last line with text was not more indented
    while walk.length < length and at < len(source):
        stop = source.find("\n", at)
        stop = len(source) if stop < 0 else stop
        begin = min(at + indent, stop)
        if source[at:begin].strip(" "):
            break
        if begin == stop:
            pending.append(stop)
        else:
            spaced = source[begin] in " \t"
            if folded and after_text and not spaced and pending:
                # Between two lines of text a line end folds; blank lines between them stay.
                if len(pending) == 1:
                    walk.put(" ", pending[0], begin)
                pending = pending[1:]
            for place in pending:
                walk.copy(place, place + 1)
            walk.copy(begin, stop)
            pending = [stop]
            after_text = not spaced
        at = stop + 1
    for place in pending[: max(length - walk.length, 0)]:
        walk.copy(place, place + 1)
    return walk
