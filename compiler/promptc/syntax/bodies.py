"""Parse a template body: tags become nodes, the rest becomes literal text under the whitespace rule."""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

from promptc.diagnostics.model import Diagnostic
from promptc.diagnostics.sink import Sink
from promptc.source import Span, TextMap
from promptc.syntax import body_reports as reports
from promptc.syntax.bodies_ast import Body, Include, Literal, Output, Part, Set
from promptc.syntax.body_frames import Frame
from promptc.syntax.body_scanner import Tag, scan
from promptc.syntax.expressions import Expr, Ident
from promptc.syntax.map_slicer import MapSlicer
from promptc.syntax.parser import parse_expression
from promptc.syntax.refused_tags import REFUSED_TAGS
from promptc.syntax.tag_headers import NAME, NOT_BINDABLE, quoted_name, split_for, split_set
from promptc.syntax.whitespace import surviving_text

MAX_DEPTH = 100
"""Blocks that may be open at once; passes walk the tree recursively."""


def parse_body(text: str, map: TextMap, sink: Sink) -> Body:
    """Parse the text of a body.

    Never raises on bad input: what cannot be read is reported and left out, and the body is marked as broken.

    Args:
        text: Dedented and unescaped text with LF line ends.
        map: From offsets of `text` to its source.
        sink: Takes the findings.

    Diagnostics:
        PC130 to PC144, and those of expressions.
    """
    span = map.span(0, len(text))
    if "{" not in text:
        return Body(span=span, parts=(Literal(span=span, text=text),) if text else ())
    return _Builder(text, map, sink).build(span)


class _Builder:
    """Takes the tags in order; `stack` holds what is open, the body itself first."""

    def __init__(self, text: str, text_map: TextMap, sink: Sink) -> None:
        self.text = text
        self.places = MapSlicer(text_map)
        self.span = self.places.span
        self.sink = sink
        self.broken = False
        self.stack = [Frame("", None)]
        self.open_words: Counter[str] = Counter()
        self.forgiven: Counter[str] = Counter()  # blocks that a wrong end closed; their own ends may still come
        self.unknown: set[str] = set()  # tags like nothing that is known; their ends are no news
        self.reported_depth = False

    def build(self, span: Span) -> Body:
        tags = scan(self.text)
        ranges = surviving_text(self.text, tags)
        for index, tag in enumerate(tags):
            self.literal(*ranges[index])
            self.take(tag)
            if tag.kind == "raw" and tag.closed and tags[index + 1 : index + 2] == []:
                self.report(reports.unclosed_block(self.span_of(tag), "raw"))
        self.literal(*ranges[-1])
        while len(self.stack) > 1:
            frame = self.stack[-1]
            if not frame.excused and frame.tag is not None:
                self.report(reports.unclosed_block(self.span_of(frame.tag), frame.word))
            self.close(None)
        return Body(span=span, parts=tuple(self.stack[0].parts), broken=self.broken)

    # -- small steps ------------------------------------------------------------------------------

    def report(self, diagnostic: Diagnostic) -> None:
        self.broken = True
        self.sink.report(diagnostic)

    @contextmanager
    def muted(self) -> Iterator[None]:
        """Read on without a word: the cause of whatever comes is reported already."""
        loud = self.sink
        self.sink = Sink()
        try:
            yield
        finally:
            self.sink = loud

    def span_of(self, tag: Tag) -> Span:
        return self.span(tag.start, tag.end)

    def word_span(self, tag: Tag) -> Span:
        return self.span(tag.word_start, tag.word_start + len(tag.word))

    def literal(self, start: int, end: int) -> None:
        if end > start:
            self.add(Literal(span=self.span(start, end), text=self.text[start:end]))

    def add(self, part: Part) -> None:
        self.stack[-1].parts.append(part)

    def expression(self, start: int, end: int, what: str) -> Expr | None:
        """The expression at `text[start:end]`, which is not empty; None when it could not be read."""
        found = parse_expression(self.text[start:end], self.places.part(start, end), self.sink, what=what)
        self.broken = self.broken or found is None
        return found

    # -- tags -------------------------------------------------------------------------------------

    def take(self, tag: Tag) -> None:
        if not tag.closed:
            self.unclosed(tag)
        elif tag.kind == "output":
            if (value := self.content(tag, "output", "value")) is not None:
                self.add(Output(span=self.span_of(tag), value=value))
        elif tag.kind == "block":
            self.block(tag)
        elif tag.kind == "raw":
            self.nothing_behind(tag)

    def unclosed(self, tag: Tag) -> None:
        wrong = tag.wrong_close
        written = self.text[wrong[0] : wrong[1]] if wrong else ""
        opening = self.span(tag.start, tag.start + 2)
        delimiter = self.text[tag.start : tag.start + 2]
        self.report(reports.unclosed_tag(opening, delimiter, self.span(*wrong) if wrong else None, written))
        if tag.kind == "block" and tag.word:
            depth = len(self.stack)
            with self.muted():  # so that the rest of its block finds an opener
                self.block(tag)
            if len(self.stack) > depth:
                self.stack[-1].excused = True

    def content(self, tag: Tag, word: str, what: str) -> Expr | None:
        """The one expression that a tag consists of."""
        if tag.inner_start >= tag.inner_end:
            self.report(reports.malformed_tag(self.span_of(tag), word, what))
            return None
        return self.expression(tag.inner_start, tag.inner_end, what)

    def nothing_behind(self, tag: Tag) -> bool:
        """Report content in a tag that takes none."""
        if tag.inner_start >= tag.inner_end:
            return True
        content = self.text[tag.inner_start : tag.inner_end]
        meant = None
        if tag.word == "else" and content.split()[0] == "if":
            meant = "write `{% elif condition %}`"
        self.report(reports.unexpected_content(self.span(tag.inner_start, tag.inner_end), tag.word, meant))
        return False

    def block(self, tag: Tag) -> None:
        word = tag.word
        match word:
            case "if":
                self.open_if(tag)
            case "for":
                self.open_for(tag)
            case "elif" | "else":
                self.branch(tag)
            case "set":
                self.set_name(tag)
            case "include":
                self.include(tag)
            case "endif" | "endfor":
                self.nothing_behind(tag)
                self.end(tag, word.removeprefix("end"))
            case "endraw":
                self.report(reports.stray_block_tag(self.span_of(tag), word))
            case "":
                self.report(reports.wordless_tag(self.span_of(tag)))
            case _:
                self.foreign(tag)

    def foreign(self, tag: Tag) -> None:
        """A tag that bodies do not have."""
        word = tag.word
        closes = word.removeprefix("end") if word.startswith("end") else ""
        if closes and (self.open_words[closes] or closes == "set" or closes in REFUSED_TAGS):
            self.end(tag, closes)
        elif word in REFUSED_TAGS:
            self.report(reports.refused_tag(self.word_span(tag), word))
            if REFUSED_TAGS[word].paired:
                self.push(Frame(word, tag, kept=False))
        elif closes not in self.unknown:
            self.report(reports.unknown_tag(self.word_span(tag), word))
            meant = reports.nearest_tag(word)
            if meant is None:
                self.unknown.add(word)
            if meant is not None and meant not in ("raw", "endraw"):
                with self.muted():
                    self.block(tag._replace(word=meant))

    # -- blocks -----------------------------------------------------------------------------------

    def push(self, frame: Frame) -> None:
        if len(self.stack) > MAX_DEPTH:
            if not self.reported_depth and frame.tag is not None:
                self.reported_depth = True
                self.report(reports.deep_nesting(self.span_of(frame.tag), MAX_DEPTH))
            frame.kept = False
            frame.excused = True
        self.stack.append(frame)
        self.open_words[frame.word] += 1

    def close(self, end: Tag | None) -> None:
        """Close the innermost block; its node, if it has one, goes to the block around it."""
        frame = self.stack.pop()
        self.open_words[frame.word] -= 1
        assert frame.tag is not None, "the body itself is never closed"
        last = end.end if end is not None else len(self.text)
        node = frame.node(self.span(frame.tag.start, last))
        if node is not None:
            self.add(node)

    def open_if(self, tag: Tag) -> None:
        frame = Frame("if", tag)
        frame.branch_span = self.span_of(tag)
        frame.test = self.content(tag, "if", "condition")
        self.push(frame)

    def branch(self, tag: Tag) -> None:
        word = tag.word
        frame = self.stack[-1]
        if frame.word not in ("if", "for"):
            if frame.word == "":
                self.report(reports.stray_block_tag(self.span_of(tag), word))
            return
        plain = word == "elif" or self.nothing_behind(tag)
        assert frame.tag is not None, "a block has a tag"
        if frame.else_tag is not None or (word == "elif" and frame.word == "for"):
            orelse = self.span_of(frame.else_tag) if frame.else_tag is not None else None
            block = self.span_of(frame.tag)
            self.report(reports.misplaced_branch(self.span_of(tag), word, block, frame.word, orelse))
            return
        frame.end_branch()
        if word == "elif":
            frame.branch_span = self.span_of(tag)
            frame.test = self.content(tag, "elif", "condition")
        elif plain or frame.word == "for":
            frame.else_tag = tag

    def end(self, tag: Tag, word: str) -> None:
        """The end of a block of the kind `word`: close it, or say what it would have to close."""
        top = self.stack[-1]
        if top.word == word:
            self.close(tag)
        elif self.open_words[word]:
            outer = next(frame for frame in reversed(self.stack) if frame.word == word)
            self.mismatch(tag, top, outer)
            while self.stack[-1].word != word:
                self.forgiven[self.stack[-1].word] += 1
                self.close(tag)
            self.close(tag)
        elif self.forgiven[word]:
            self.forgiven[word] -= 1
        elif top.word:
            self.mismatch(tag, top, None)
            top.excused = True
        else:
            self.report(reports.stray_block_tag(self.span_of(tag), tag.word))

    def mismatch(self, tag: Tag, top: Frame, outer: Frame | None) -> None:
        if top.excused:
            self.broken = True
            return
        assert top.tag is not None, "the body itself is not a block"
        opening = self.span_of(top.tag)
        around = self.span_of(outer.tag) if outer is not None and outer.tag is not None else None
        self.report(reports.mismatched_end(self.span_of(tag), tag.word, opening, top.word, around))

    def open_for(self, tag: Tag) -> None:
        frame = Frame("for", tag)
        header = split_for(self.text, tag.inner_start, tag.inner_end)
        if header is None:
            self.report(reports.malformed_tag(self.span_of(tag), "for", "`in`"))
        else:
            if header.recursive is not None:
                self.report(reports.recursive_loop(self.span(*header.recursive)))
            frame.target = self.target(header.target.start, header.target.end, tag)
            frame.iterable = self.header_part(header.iterable.start, header.iterable.end, tag, "list")
            if header.test is not None:
                frame.test = self.header_part(header.test.start, header.test.end, tag, "condition")
                frame.iterable = frame.iterable if frame.test is not None else None
        self.push(frame)

    def header_part(self, start: int, end: int, tag: Tag, what: str) -> Expr | None:
        if start >= end:
            self.report(reports.malformed_tag(self.span_of(tag), tag.word, what))
            return None
        return self.expression(start, end, what)

    def target(self, start: int, end: int, tag: Tag) -> Ident | None:
        """The name that `for` or `set` binds."""
        text = self.text
        if start >= end:
            self.report(reports.malformed_tag(self.span_of(tag), tag.word, "name"))
            return None
        place = self.span(start, end)
        if NAME.fullmatch(text, start, end) is None:
            written = text[start:end]
            if "," in written or written[0] in "([":
                self.report(reports.unpacking_target(place, tag.word))
            elif "." in written or "[" in written:
                self.report(reports.attribute_target(place, tag.word))
            else:
                self.report(reports.malformed_tag(place, tag.word, "name"))
            return None
        if text[start:end] in NOT_BINDABLE:
            self.report(reports.reserved_target(place, text[start:end], tag.word))
            return None
        return Ident(span=place, name=text[start:end])

    def set_name(self, tag: Tag) -> None:
        header = split_set(self.text, tag.inner_start, tag.inner_end)
        if header is None:
            if tag.inner_start >= tag.inner_end:
                self.report(reports.malformed_tag(self.span_of(tag), "set", "name"))
            else:
                self.report(reports.block_set(self.span_of(tag)))
                self.push(Frame("set", tag, kept=False))
            return
        name = self.target(header.target.start, header.target.end, tag)
        if name is None:
            # What several names, or a part of a value, are set to has a form of its own; one finding is enough.
            return
        value = self.header_part(header.value.start, header.value.end, tag, "value")
        if value is not None:
            self.add(Set(span=self.span_of(tag), name=name, value=value))

    def include(self, tag: Tag) -> None:
        start, end = tag.inner_start, tag.inner_end
        if start >= end:
            self.report(reports.malformed_tag(self.span_of(tag), "include", "name"))
            return
        found = quoted_name(self.text, start, end)
        if found is None:
            self.report(reports.include_form(self.span(start, end), *_include_problem(self.text[start:end])))
            return
        name = self.text[found.start : found.end]
        if NAME.fullmatch(name) is None:
            self.report(reports.include_form(self.span(*found), *_NOT_A_NAME))
            return
        self.add(Include(span=self.span_of(tag), name=Ident(span=self.span(*found), name=name)))


_NOT_A_NAME = (
    "not the name of a section",
    'declare `section name @class from "path"` at top level and include it by that name',
)


def _include_problem(content: str) -> tuple[str, str]:
    """What stands behind `include` instead of a name, and what to do about it."""
    words = content.split()
    if "ignore" in words and "missing" in words:
        return "a section that may be missing", "a section exists or the spec does not compile; remove `ignore missing`"
    if words[-1] == "context":
        return "followed by a context clause", "a section sees the inputs it names; remove the clause"
    if content[0] in "[(":
        return "a list of candidates", "choose with `{% if condition %}` around two includes"
    if NAME.fullmatch(content):
        return "a name without quotes", f'write `{{% include "{content}" %}}`'
    return "computed", "choose with `{% if condition %}` around includes that each name one section"
