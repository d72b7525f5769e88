"""Jinja2 templates as parts: its tags through promptc's own scanner, its white space by its own rules."""

import re
from dataclasses import dataclass, field

from promptc.diagnostics.model import Diagnostic
from promptc.diagnostics.sink import Sink
from promptc.importing import lost
from promptc.importing.jinja_expressions import condition, lower
from promptc.importing.model import BOOL, ROLES, TEXT, Arm, For, If, Let, Out, Part, Parts, Role, Text, Type
from promptc.importing.scope import MAX_STEPS, Findings, Scope, UnsupportedError, attribute, hole, identifier, name
from promptc.source import Span, TextMap
from promptc.syntax import expressions as ex
from promptc.syntax.body_scanner import Tag, scan
from promptc.syntax.map_slicer import MapSlicer
from promptc.syntax.parser import parse_expression
from promptc.syntax.tag_headers import split_for, split_set

MAX_DEPTH = 40
_UNPACKED = re.compile(r"\s*([A-Za-z_]\w*)\s*,\s*([A-Za-z_]\w*)\s*", re.ASCII)
_PLAIN = re.compile(r"[A-Za-z_]\w*", re.ASCII)
_ITEMS = re.compile(r"\s*(?:\.items\(\s*\)|\|\s*(?:dictsort|items))\s*$")
_VALUES = re.compile(r"\s*(?:\.values\(\s*\)|\|\s*list)\s*$")
_INCLUDED = re.compile(r"\s*([\"'])([^\"'\\\n]+)\1")
_CACHE_MARK = re.compile(r"\s*\|\s*cache_control\([^()]*\)\s*$")
_CHAT = re.compile(r"\s*role\s*=\s*[\"'](\w+)[\"']\s*")
# Blocks whose content stands where they stand, once the tag itself is gone.
_TRANSPARENT = {
    "block": "its text is taken as it stands here",
    "filter": "its text is taken without the filter",
    "autoescape": "nothing is escaped in a spec",
    "call": "there are no macros; its text is taken",
    "trans": "its text is taken untranslated",
}
_DROPPED = {
    "extends": "a body extends nothing; import the other file as well, and let one prompt extend the other",
    "import": "there are no macros",
    "from": "there are no macros",
    "do": "nothing in a body has an effect",
    "break": "a loop runs over all its elements",
    "continue": "a loop runs over all its elements",
    "debug": "a prompt does not show its program",
}


@dataclass(frozen=True, slots=True)
class JinjaOptions:
    """Settings of the environment that a template was written for."""

    trim_blocks: bool = False
    lstrip_blocks: bool = False


@dataclass(slots=True)
class _Frame:
    """An open block: what it has so far."""

    word: str
    tag: Tag | None
    scope: Scope
    parts: list[Part] = field(default_factory=list)
    arms: list[tuple[ex.Expr | None, list[Part]]] = field(default_factory=list)
    loop: tuple[str, ex.Expr, ex.Expr | None] | None = None
    silent: bool = False


def jinja_parts(text: str, places: TextMap, found: Findings, options: JinjaOptions | None = None) -> Parts | None:
    """The parts of a template; None where its blocks do not fit together, which is reported.

    Diagnostics:
        PC941, PC942, PC944, PC945.
    """
    return _Reader(text, places, found, options or JinjaOptions(), Scope()).read()


class _Reader:
    """Takes the tags in order; `stack` holds what is open."""

    def __init__(self, text: str, places: TextMap, found: Findings, options: JinjaOptions, scope: Scope) -> None:
        self.text = text.removesuffix("\n")
        self.places = MapSlicer(places)
        self.span = self.places.span
        self.found = found
        self.options = options
        self.stack = [_Frame("", None, scope)]
        self.chat: list[Part] = []
        self.failed = False

    def read(self) -> Parts | None:
        tags = scan(self.text)
        ranges = _literals(self.text, tags, self.options)
        for index, tag in enumerate(tags):
            self.literal(*ranges[index])
            if not tag.closed:
                self.fail(tag, "a tag is not closed", "opened here")
            else:
                self.take(tag)
            if self.failed:
                return None
        self.literal(*ranges[-1])
        if len(self.stack) > 1 and self.stack[-1].tag is not None:
            self.fail(self.stack[-1].tag, f"`{self.stack[-1].word}` is not closed", "opened here")
            return None
        if not self.chat:
            return tuple(self.stack[0].parts)
        for part in self.stack[0].parts:
            if not isinstance(part, Text) or part.text.strip():
                self.report(lost.construct(part.span, "what stands outside `chat`", "it belongs to no message"))
        return tuple(self.chat)

    # -- steps -----------------------------------------------------------------------------------

    @property
    def top(self) -> _Frame:
        return self.stack[-1]

    def literal(self, start: int, end: int) -> None:
        if end > start:
            self.top.parts.append(Text(self.text[start:end], self.span(start, end)))

    def fail(self, tag: Tag, message: str, label: str) -> None:
        self.failed = True
        self.found.sink.report(lost.unreadable(self.span(tag.start, tag.end), message, label))

    def at(self, tag: Tag) -> Span:
        return self.span(tag.start, tag.end)

    def take(self, tag: Tag) -> None:
        if tag.kind in ("comment", "raw", "endraw"):
            return
        if tag.kind == "output":
            value = self.value(tag.inner_start, tag.inner_end, TEXT)
            if value is not None:
                self.top.parts.append(Out(value, self.at(tag)))
            return
        word = tag.word
        if word.startswith("end"):
            self.end(tag, word.removeprefix("end"))
        elif word in ("elif", "else"):
            self.branch(tag)
        elif word in ("if", "for", "with", "macro") or word in _TRANSPARENT or word in ("chat", "completion"):
            self.open(tag)
        elif word == "set":
            self.assign(tag)
        elif word == "include":
            self.include(tag)
        else:
            self.drop(tag, _DROPPED.get(word, "a body has no such tag"))

    def drop(self, tag: Tag, reason: str) -> None:
        what = f"`{{% {lost.short(self.text[tag.word_start : tag.inner_end])} %}}`"
        self.report(lost.construct(self.at(tag), what, reason))

    def include(self, tag: Tag) -> None:
        """Take in another template, which sees the names of this place."""
        named = _INCLUDED.match(self.text, tag.inner_start, tag.inner_end)
        if named is None:
            self.drop(tag, "which file is taken in is known when the spec is built")
            return
        if any(frame.silent for frame in self.stack):
            return
        source = self.found.part(named[2], self.at(tag))
        if source is None:
            return
        places = TextMap.identity(source.path, len(source.text))
        parts = _Reader(source.text, places, self.found, self.options, self.top.scope).read()
        self.found.open.pop()
        self.failed = parts is None
        self.top.parts.extend(parts or ())

    def report(self, finding: Diagnostic) -> None:
        if not any(frame.silent for frame in self.stack):
            self.found.sink.report(finding)

    # -- values ----------------------------------------------------------------------------------

    def value(self, start: int, end: int, type: Type | None, decides: bool = False) -> ex.Expr | None:
        """The expression in a range, or an input that the host computes; None where neither can be had."""
        raw = _without(_CACHE_MARK, self.text[start:end])
        if len(raw) < end - start:
            reason = "a spec declares what is cached with a block, `cache SCOPE { ... }`"
            self.report(lost.construct(self.span(start + len(raw), end), "the mark `cache_control`", reason))
            end = start + len(raw)
        quiet = Sink()
        parsed = parse_expression(raw, self.places.part(start, end), quiet)
        reason = next((d.message for d in quiet.sorted()), "it is no expression of a spec")
        if any(frame.silent for frame in self.stack):
            return None
        if raw.count(".") > MAX_STEPS:
            reason = f"a path has at most {MAX_STEPS} steps"
        elif parsed is not None and not quiet.has_errors:
            try:
                return (condition if decides else lower)(parsed, self.top.scope)
            except UnsupportedError as why:
                reason = str(why)
        return hole(raw, self.span(start, end), reason, type, self.top.scope, self.found)

    # -- blocks ----------------------------------------------------------------------------------

    def open(self, tag: Tag) -> None:
        if len(self.stack) > MAX_DEPTH:
            self.failed = True
            message = f"the template nests deeper than {MAX_DEPTH} blocks"
            self.found.sink.report(lost.too_large(self.at(tag), message, "one too many"))
            return
        frame = _Frame(tag.word, tag, self.top.scope)
        if tag.word == "if":
            test = self.value(tag.inner_start, tag.inner_end, BOOL, decides=True)
            frame.arms.append((test, frame.parts))
        elif tag.word == "for":
            self.open_loop(tag, frame)
        elif tag.word == "macro":
            self.report(lost.construct(self.at(tag), "a macro", "a body has none; its calls are computed by the host"))
            frame.silent = True
        elif tag.word in ("chat", "completion"):
            self.open_chat(tag, frame)
        elif tag.word == "with":
            header = split_set(self.text, tag.inner_start, tag.inner_end)
            if header is not None and _PLAIN.fullmatch(self.text[header.target.start : header.target.end]):
                value = self.value(header.value.start, header.value.end, TEXT)
                if value is not None:
                    target = self.text[header.target.start : header.target.end]
                    frame.scope = frame.scope.bind(target, value)
        else:
            self.report(lost.construct(self.at(tag), f"the tag `{tag.word}`", _TRANSPARENT[tag.word]))
        self.stack.append(frame)

    def open_chat(self, tag: Tag, frame: _Frame) -> None:
        told = _CHAT.fullmatch(self.text, tag.inner_start, tag.inner_end)
        role = ROLES.get(told[1]) if told else None
        if tag.word == "completion" or role is None or len(self.stack) > 1:
            reason = (
                "a spec sends one request" if tag.word == "completion" else "a role is known when the spec is built"
            )
            self.report(lost.construct(self.at(tag), f"the tag `{tag.word}`", reason))
            frame.silent = tag.word == "completion"
            return
        frame.parts.append(Role(role, self.at(tag)))

    def open_loop(self, tag: Tag, frame: _Frame) -> None:
        header = split_for(self.text, tag.inner_start, tag.inner_end)
        if header is None:
            self.fail(tag, "`for` has no `in`", "this loop")
            return
        target = self.text[header.target.start : header.target.end]
        start, end = header.iterable
        scope = frame.scope
        pair = _UNPACKED.fullmatch(target)
        span = self.span(*header.target)
        if pair is not None:
            entry = f"{pair[1]}_{pair[2]}"
            names: dict[str, ex.Expr] = {part: attribute(name(entry, span), part, span) for part in pair.groups()}
            source = self.value(start, start + len(_without(_ITEMS, self.text[start:end])), None)
            fields = " and ".join(f"`{part}`" for part in pair.groups())
            self.report(
                lost.altered(self.span(start, end), "what this loop runs over", f"is a list of records with {fields}")
            )
            frame.scope, target = scope.loop(entry, span, names), entry
        elif _PLAIN.fullmatch(target):
            plain = _without(_VALUES, self.text[start:end])
            if len(plain) < end - start:
                how = "is a list, and no mapping"
                self.report(lost.altered(self.span(start, end), "what this loop runs over", how))
            source = self.value(start, start + len(plain), None)
            frame.scope = scope.loop(target, span)
        else:
            self.report(lost.construct(self.at(tag), "this loop", "a loop binds one name"))
            frame.silent = True
            return
        if source is None:
            frame.silent = True
            return
        test = None
        if header.test is not None:
            self.stack.append(frame)
            test = self.value(header.test.start, header.test.end, BOOL, decides=True)
            self.stack.pop()
        frame.loop = (target, source, test)

    def branch(self, tag: Tag) -> None:
        frame = self.top
        if frame.word not in ("if", "for"):
            self.fail(tag, f"`{tag.word}` stands outside `if` and `for`", "this tag")
            return
        if frame.word == "for":
            frame.arms.append((None, frame.parts))
            frame.scope = self.stack[-2].scope
            frame.parts = []
            return
        frame.parts = []
        test = self.value(tag.inner_start, tag.inner_end, BOOL, decides=True) if tag.word == "elif" else None
        frame.arms.append((test, frame.parts))

    def end(self, tag: Tag, word: str) -> None:
        frame = self.top
        if frame.tag is None or frame.word != word:
            self.fail(tag, f"`{tag.word}` closes nothing that is open", "this tag")
            return
        self.stack.pop()
        span = self.at(frame.tag).to(self.at(tag)) if frame.tag else self.at(tag)
        if frame.silent:
            return
        if word == "if":
            self.top.parts.extend(_chain(frame.arms, span))
        elif word == "for" and frame.loop is not None:
            target, source, test = frame.loop
            body = frame.arms[0][1] if frame.arms else frame.parts
            orelse = tuple(frame.parts) if frame.arms else ()
            self.top.parts.append(For(target, source, test, tuple(body), orelse, span))
        elif frame.parts and isinstance(frame.parts[0], Role):
            self.chat.extend(frame.parts)
        else:
            self.top.parts.extend(frame.parts)

    def assign(self, tag: Tag) -> None:
        header = split_set(self.text, tag.inner_start, tag.inner_end)
        target = self.text[header.target.start : header.target.end] if header else ""
        if header is None or not _PLAIN.fullmatch(target):
            self.drop(tag, "a body binds one name to one value")
            if header is None:
                self.stack.append(_Frame("set", tag, self.top.scope, silent=True))
            return
        if any(frame.word == "if" for frame in self.stack):
            reason = "what only one branch sets cannot be read behind it; it is an input here"
            self.report(lost.construct(self.at(tag), f"the assignment of `{target}`", reason))
            return
        value = self.value(header.value.start, header.value.end, TEXT)
        if value is None:
            return
        if isinstance(value, ex.Name) and value.name == identifier(self.text[header.value.start : header.value.end]):
            self.top.scope = self.top.scope.bind(target, value)
            return
        self.top.parts.append(Let(target, value, self.at(tag)))
        self.top.scope = self.top.scope.bind(target, name(target, self.at(tag)))


def _without(ending: re.Pattern[str], text: str) -> str:
    """A text without an ending; the search is quadratic in blanks, so a long text is left alone."""
    return ending.sub("", text) if len(text) < 500 else text


def _chain(arms: list[tuple[ex.Expr | None, list[Part]]], span: Span) -> list[Part]:
    """An `if` from its arms; one whose condition was left out is left out, and the `else` stays."""
    tests = [Arm(test, tuple(body)) for test, body in arms if test is not None]
    orelse = tuple(arms[-1][1]) if len(arms) > 1 and arms[-1][0] is None else ()
    if not tests:
        return list(orelse)
    return [If(tuple(tests), orelse, span)]


def _literals(text: str, tags: list[Tag], options: JinjaOptions) -> list[tuple[int, int]]:
    """The literal text before each tag and behind the last, cut as Jinja2 cuts it."""
    ranges: list[tuple[int, int]] = []
    start = 0
    for index, tag in enumerate(tags):
        end = tag.start
        if tag.strip_before:
            while end > start and text[end - 1].isspace():
                end -= 1
        elif options.lstrip_blocks and tag.kind != "output" and not text.startswith("+", tag.start + 2):
            line = max(text.rfind("\n", 0, end) + 1, start if index else 0)
            if not text[line:end].strip(" \t") and (line == 0 or text[line - 1] == "\n"):
                end = max(line, start)
        ranges.append((start, end))
        start = tag.end
        if tag.strip_after:
            while start < len(text) and text[start].isspace():
                start += 1
        elif options.trim_blocks and tag.kind not in ("output", "raw") and text.startswith("\n", start):
            start += not text.startswith("+", tag.end - 3)
    ranges.append((start, len(text)))
    return ranges
