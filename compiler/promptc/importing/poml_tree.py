"""POML as a tree of elements with places, read by expat without documents types and entities of its own."""

import re
from dataclasses import dataclass, field
from typing import TypeAlias
from xml.parsers import expat

from promptc.importing import lost
from promptc.importing.scope import Findings
from promptc.source import Segment, Source, Span, TextMap

MAX_DEPTH = 60
MAX_NODES = 20_000
_ROOTED = re.compile(r"\s*(?:<!--.*?-->\s*)*(?:<\?xml|<!DOCTYPE|<poml\b)", re.DOTALL)
_WRAP = b"<poml>"


@dataclass(slots=True, eq=False)
class Chars:
    """Text between tags, entities resolved, with its places."""

    text: str
    map: TextMap


@dataclass(slots=True, eq=False)
class Element:
    """One element.

    Attributes:
        tag: Small letters without dashes: the format tells neither apart.
        attributes: By small letters without dashes.
        inner: Where the content begins and ends in the source.
    """

    tag: str
    attributes: dict[str, str]
    span: Span
    inner: tuple[int, int]
    children: list["Node"] = field(default_factory=list)

    def get(self, name: str) -> str | None:
        """An attribute by its name in small letters without dashes."""
        return self.attributes.get(name)


Node: TypeAlias = Element | Chars


class _RefusedError(Exception):
    """A limit, or something that is never read; the message says which."""


def read_tree(source: Source, found: Findings) -> Element | None:
    """The root of a document; of several elements without one, a root around them. None after a fault.

    Diagnostics:
        PC941, PC942.
    """
    reader = _Reader(source)
    try:
        reader.run()
    except _RefusedError as why:
        found.sink.report(lost.too_large(reader.here(), str(why), "here"))
        return None
    except expat.ExpatError as error:
        reason = expat.errors.messages.get(error.code, "it is not XML")
        found.sink.report(lost.unreadable(reader.here(), f"the file is not XML: {reason}", "here"))
        return None
    return reader.root


class _Reader:
    """Takes the events of the parser; positions of bytes become code points on the way."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.data = source.text.encode("utf-8", "replace")
        self.shift = 0 if _ROOTED.match(source.text) else len(_WRAP)
        self.known = (0, 0)
        self.root: Element | None = None
        self.stack: list[Element] = []
        self.pending: list[tuple[str, int]] = []
        self.nodes = 0
        self.parser = expat.ParserCreate("utf-8")
        self.parser.StartElementHandler = self.start
        self.parser.EndElementHandler = self.end
        self.parser.CharacterDataHandler = self.characters
        self.parser.StartDoctypeDeclHandler = self.refuse
        self.parser.EntityDeclHandler = self.refuse

    def run(self) -> None:
        if self.shift:
            self.parser.Parse(_WRAP, False)
        self.parser.Parse(self.data, not self.shift)
        if self.shift:
            self.parser.Parse(b"</poml>", True)

    def refuse(self, *_: object) -> None:
        raise _RefusedError("a document type is never read, since its entities may grow without bound")

    def offset(self) -> int:
        at = min(max(self.parser.CurrentByteIndex - self.shift, 0), len(self.data))
        byte, char = self.known
        if at < byte:
            return len(self.data[:at].decode("utf-8", "ignore"))
        char += len(self.data[byte:at].decode("utf-8", "ignore"))
        self.known = (at, char)
        return char

    def here(self) -> Span:
        at = min(self.offset(), len(self.source.text))
        return Span(self.source.path, at, min(at + 1, len(self.source.text)))

    def count(self) -> None:
        self.nodes += 1
        if self.nodes > MAX_NODES:
            raise _RefusedError(f"the file has more than {MAX_NODES:,} elements and texts")

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        at = self.offset()
        self.flush(at)
        self.count()
        if len(self.stack) >= MAX_DEPTH:
            raise _RefusedError(f"the file nests deeper than {MAX_DEPTH} elements")
        plain = {_plain(key): text for key, text in attributes.items()}
        close = _tag_end(self.source.text, at)
        element = Element(_plain(tag), plain, Span(self.source.path, at, close), (close, close))
        if self.stack:
            self.stack[-1].children.append(element)
        else:
            self.root = element
        self.stack.append(element)

    def end(self, _: str) -> None:
        at = self.offset()
        self.flush(at)
        element = self.stack.pop()
        element.inner = (element.inner[0], max(at, element.inner[0]))

    def characters(self, text: str) -> None:
        self.pending.append((text, self.offset()))

    def flush(self, end: int) -> None:
        if not self.pending:
            return
        self.count()
        segments: list[Segment] = []
        length = 0
        starts = [at for _, at in self.pending] + [end]
        for number, (text, at) in enumerate(self.pending):
            same = self.source.text.startswith(text, at)
            taken = len(text) if same else max(starts[number + 1] - at, 1)
            segments.append(Segment(length, at, len(text), taken))
            length += len(text)
        whole = "".join(text for text, _ in self.pending)
        self.pending = []
        if self.stack:
            self.stack[-1].children.append(Chars(whole, TextMap(self.source.path, tuple(segments), end)))


def _plain(name: str) -> str:
    return name.replace("-", "").replace("_", "").lower()


def _tag_end(text: str, at: int) -> int:
    """One past the `>` of a tag; a `>` in quotes does not count."""
    quote = ""
    for place in range(at, len(text)):
        char = text[place]
        if quote:
            quote = "" if char == quote else quote
        elif char in "\"'":
            quote = char
        elif char == ">":
            return place + 1
    return len(text)
