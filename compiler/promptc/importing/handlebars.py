"""Handlebars and Mustache templates as parts, with the helpers of dotprompt."""

import re
from dataclasses import dataclass, field

from promptc.importing import lost
from promptc.importing.handlebars_expressions import Words, call, expression
from promptc.importing.handlebars_tags import Tag, literals, scan
from promptc.importing.model import BOOL, ROLES, TEXT, Arm, For, If, Out, Part, Parts, Role, RoleName, Text, Type
from promptc.importing.scope import Findings, Scope, UnsupportedError, hole, identifier, name, path_of
from promptc.source import Span, TextMap
from promptc.syntax import expressions as ex
from promptc.syntax.map_slicer import MapSlicer

MAX_DEPTH = 40


@dataclass(frozen=True, slots=True)
class Dialect:
    """What differs between the users of these templates.

    Attributes:
        partial_names: Where a partial is looked for; `{}` is its name.
        lists: Inputs that are known to be lists: a section over one is a loop.
    """

    partial_names: tuple[str, ...] = ("_{}.prompt", "{}.prompt", "partials/{}.prompt", "{}.hbs")
    lists: frozenset[str] = frozenset()


@dataclass(slots=True)
class _Frame:
    """An open block: what it has so far."""

    word: str
    tag: Tag | None
    scope: Scope
    arms: list[tuple[ex.Expr | None, list[Part]]] = field(default_factory=list)
    loop: tuple[str, ex.Expr] | None = None
    silent: bool = False

    @property
    def parts(self) -> list[Part]:
        return self.arms[-1][1]


def handlebars_parts(
    text: str, places: TextMap, found: Findings, dialect: Dialect, scope: Scope | None = None
) -> Parts | None:
    """The parts of a template; None where its blocks do not fit together, which is reported.

    Diagnostics:
        PC941, PC942, PC944, PC945, PC948, PC950.
    """
    return _Reader(text, places, found, dialect, scope or Scope()).read()


class _Reader:
    """Takes the tags in order; `stack` holds what is open."""

    def __init__(self, text: str, places: TextMap, found: Findings, dialect: Dialect, scope: Scope) -> None:
        self.text = text
        self.span = MapSlicer(places).span
        self.found = found
        self.dialect = dialect
        self.stack = [_Frame("", None, scope, [(None, [])])]
        self.failed = False

    def read(self) -> Parts | None:
        tags, escapes, unclosed = scan(self.text)
        ranges = literals(self.text, tags)
        for index, tag in enumerate(tags):
            self.literal(*ranges[index], escapes)
            self.take(tag)
            if self.failed:
                return None
        if unclosed is not None:
            at = unclosed.start
            self.fail(self.span(at, at + 2), "a tag is not closed", "opened here")
            return None
        self.literal(*ranges[-1], escapes)
        top = self.stack[-1]
        if top.tag is not None:
            self.fail(self.at(top.tag), f"`{{{{#{top.word}}}}}` is not closed", "opened here")
            return None
        return tuple(top.parts)

    # -- steps -----------------------------------------------------------------------------------

    @property
    def top(self) -> _Frame:
        return self.stack[-1]

    @property
    def silent(self) -> bool:
        return any(frame.silent for frame in self.stack)

    def at(self, tag: Tag) -> Span:
        return self.span(tag.start, tag.end)

    def inner(self, tag: Tag) -> str:
        return self.text[tag.inner_start : tag.inner_end]

    def fail(self, span: Span, message: str, label: str) -> None:
        self.failed = True
        self.found.sink.report(lost.unreadable(span, message, label))

    def drop(self, span: Span, what: str, reason: str) -> None:
        if not self.silent:
            self.found.sink.report(lost.construct(span, what, reason))

    def literal(self, start: int, end: int, escapes: list[int]) -> None:
        cuts = [at for at in escapes if start <= at < end]
        for low, high in zip([start, *(at + 1 for at in cuts)], [*cuts, end], strict=True):
            if high > low:
                self.top.parts.append(Text(self.text[low:high], self.span(low, high)))

    def take(self, tag: Tag) -> None:
        match tag.kind:
            case "output":
                self.output(tag)
            case "open" | "inverse":
                self.open(tag)
            case "else":
                self.branch(tag)
            case "close":
                self.close(tag)
            case "partial" | "block_partial":
                self.partial(tag)
            case _:
                return

    def words(self, tag: Tag) -> Words | None:
        try:
            return Words(self.inner(tag))
        except UnsupportedError as why:
            self.drop(self.at(tag), f"`{lost.short(self.inner(tag))}`", str(why))
            return None

    def value(self, word: object, tag: Tag, type: Type | None) -> ex.Expr | None:
        """The expression of a word, or an input that the host computes."""
        if self.silent:
            return None
        span = self.at(tag)
        try:
            found = expression(word, span, self.top.scope)
            self.renamed(word, span)
            return found
        except UnsupportedError as why:
            raw = self.inner(tag) if isinstance(word, list) else str(word)
            return hole(raw, span, str(why), type, self.top.scope, self.found)

    def renamed(self, word: object, span: Span) -> None:
        """Say which names of a path a spec cannot have."""
        if not isinstance(word, str) or word[:1] in "\"'@" or word.isdigit() or word in ("true", "false"):
            return
        for step in re.split(r"[./\[\]]+", word):
            if step not in ("", "this") and identifier(step) != step:
                self.found.sink.report(lost.renamed(span, step, identifier(step)))

    # -- outputs ---------------------------------------------------------------------------------

    def output(self, tag: Tag) -> None:
        words = self.words(tag)
        if words is None or not words.positional:
            return
        helper, *args = words.positional
        span = self.at(tag)
        if helper == "role" and args:
            self.role(str(args[0]).strip("\"'"), span)
        elif helper == "history" and not args:
            self.role("history", span)
        elif helper in ("media", "section"):
            reason = "a spec holds text only" if helper == "media" else "a message is one text here"
            self.drop(span, f"`{lost.short(self.inner(tag))}`", reason)
        elif helper == "json" and args:
            self.json(args[0], tag)
        elif args or words.named:
            if not self.silent:
                value = hole(
                    self.inner(tag), span, f"a body has no helper `{helper}`", TEXT, self.top.scope, self.found
                )
                self.top.parts.extend([Out(value, span)] if value is not None else [])
        else:
            value = self.value(helper, tag, TEXT)
            if value is not None:
                self.top.parts.append(Out(value, span))

    def json(self, word: object, tag: Tag) -> None:
        if self.silent:
            return
        span = self.at(tag)
        try:
            value = expression(word, span, self.top.scope)
        except UnsupportedError as why:
            text = hole(self.inner(tag), span, str(why), TEXT, self.top.scope, self.found)
            self.top.parts.extend([Out(text, span)] if text is not None else [])
            return
        self.found.sink.report(lost.altered(span, "what `json` writes", "is compact here, with keys in order"))
        self.top.parts.append(
            Out(ex.Filter(span=span, value=value, name=ex.Ident(span=span, name="json"), args=()), span)
        )

    def role(self, word: str, span: Span) -> None:
        role: RoleName | None = "history" if word == "history" else ROLES.get(word.lower())
        if role is None:
            self.drop(span, f"the role `{lost.short(word)}`", "a spec knows system, user and assistant")
        elif len(self.stack) > 1:
            self.drop(
                span, f"the role `{word}` inside a block", "which messages there are is known when the spec is built"
            )
        else:
            self.top.parts.append(Role(role, span))

    # -- blocks ----------------------------------------------------------------------------------

    def open(self, tag: Tag) -> None:
        if len(self.stack) > MAX_DEPTH:
            self.failed = True
            message = f"the template nests deeper than {MAX_DEPTH} blocks"
            self.found.sink.report(lost.too_large(self.at(tag), message, "one too many"))
            return
        words = self.words(tag)
        helper = str(words.positional[0]) if words and words.positional else ""
        args = words.positional[1:] if words else []
        frame = _Frame(helper, tag, self.top.scope)
        if helper in ("if", "unless", "ifEquals", "unlessEquals") and args:
            frame.arms.append((self.test(helper, args, tag), []))
        elif helper == "each" and args and words is not None:
            self.loop(args[0], words.block, tag, frame)
        elif helper == "with" and args:
            value = self.value(args[0], tag, None)
            frame.scope = frame.scope.within(value)
            frame.arms.append((None, []))
        elif helper in ("role", "section") and args:
            if helper == "role":
                self.role(str(args[0]).strip("\"'"), self.at(tag))
            else:
                self.drop(self.at(tag), "the tag `section`", "a message is one text here")
            frame.arms.append((None, []))
        elif not args and helper:
            self.section(helper, tag, frame)
        else:
            self.drop(self.at(tag), f"the block `{helper}`", "a body has no such helper; its text is left out")
            frame.silent = True
            frame.arms.append((None, []))
        self.stack.append(frame)

    def test(self, helper: str, args: list[object], tag: Tag) -> ex.Expr | None:
        span = self.at(tag)
        if helper.endswith("Equals"):
            try:
                test: ex.Expr | None = call(["eq", *args], span, self.top.scope)
            except UnsupportedError as why:
                test = hole(self.inner(tag), span, str(why), BOOL, self.top.scope, self.found)
        else:
            test = self.value(args[0], tag, BOOL)
        if test is None or not helper.startswith("unless"):
            return test
        if isinstance(test, ex.Compare) and test.op == "==":
            return ex.Compare(span=span, op="!=", left=test.left, right=test.right)
        return ex.Not(span=span, operand=test)

    def loop(self, word: object, names: list[str], tag: Tag, frame: _Frame) -> None:
        source = self.value(word, tag, None)
        frame.arms.append((None, []))
        if source is None:
            frame.silent = True
            return
        taken = {*frame.scope.loops, *frame.scope.names}
        base = names[0] if names else _singular(path_of(source) or ("item",))
        target, number = base, 1
        while target in taken:
            number += 1
            target = f"{base}_{number}"
        span = self.at(tag)
        # A name that only the spec has must not catch a field of the same name.
        bound: dict[str, ex.Expr] = {target: name(target, span)} if names else {}
        if len(names) > 1:
            bound[names[1]] = ex.Attribute(span=span, value=name("loop", span), name=ex.Ident(span=span, name="index0"))
        scope = frame.scope.loop(target, span, bound)
        frame.scope = scope.within(name(target, span))
        frame.loop = (target, source)

    def section(self, word: str, tag: Tag, frame: _Frame) -> None:
        """`{{#name}}`: a loop over a list, else a condition; `{{^name}}` where it is empty or absent."""
        value = self.value(word, tag, None)
        inverse = tag.kind == "inverse"
        if value is not None and word in self.dialect.lists and not inverse:
            self.loop(word, [], tag, frame)
            return
        if value is not None and inverse:
            value = ex.Not(span=self.at(tag), operand=value)
        frame.arms.append((value, []))

    def branch(self, tag: Tag) -> None:
        frame = self.top
        if frame.tag is None or frame.word == "with":
            self.fail(self.at(tag), "`else` stands outside a block", "this tag")
            return
        words = self.words(tag)
        rest = words.positional if words else []
        if frame.loop is not None:
            frame.scope = self.stack[-2].scope
        test = None
        if rest:
            helper = str(rest[0])
            test = self.test(helper, rest[1:], tag) if helper in ("if", "unless") and len(rest) > 1 else None
        frame.arms.append((test, []))

    def close(self, tag: Tag) -> None:
        frame = self.top
        word = self.inner(tag)
        if frame.tag is None or frame.word != word:
            self.fail(self.at(tag), f"`{{{{/{lost.short(word)}}}}}` closes nothing that is open", "this tag")
            return
        self.stack.pop()
        if frame.silent:
            return
        span = self.at(frame.tag).to(self.at(tag))
        if frame.loop is not None:
            orelse = tuple(frame.arms[1][1]) if len(frame.arms) > 1 else ()
            self.top.parts.append(For(frame.loop[0], frame.loop[1], None, tuple(frame.arms[0][1]), orelse, span))
            return
        arms = [Arm(test, tuple(parts)) for test, parts in frame.arms if test is not None]
        orelse = tuple(frame.arms[-1][1]) if frame.arms[-1][0] is None else ()
        self.top.parts.extend([If(tuple(arms), orelse, span)] if arms else orelse)

    # -- partials --------------------------------------------------------------------------------

    def partial(self, tag: Tag) -> None:
        """Take in another template in place, with its arguments as names."""
        words = self.words(tag)
        called = str(words.positional[0]).strip("\"'") if words and words.positional else ""
        if tag.kind == "block_partial":
            frame = _Frame(called, tag, self.top.scope, [(None, [])])
            self.stack.append(frame)
            self.drop(self.at(tag), f"the partial `{called}`", "the text of its block is taken instead")
            return
        if self.silent or words is None:
            return
        if not called or called.startswith("("):
            self.drop(self.at(tag), "this partial", "which file is taken in is known when the spec is built")
            return
        scope = self.top.scope
        if len(words.positional) > 1 and (inner := self.value(words.positional[1], tag, None)) is not None:
            scope = scope.within(inner)
        for key, word in words.named.items():
            if (value := self.value(word, tag, TEXT)) is not None:
                scope = scope.bind(key, value)
        names = [form.format(called) for form in self.dialect.partial_names]
        chosen = next((n for n in names if self.found.fetch(n) is not None), names[0])
        source = self.found.part(chosen, self.at(tag))
        if source is None:
            return
        start = body_start(source.text)
        text = source.text[start:].removesuffix("\n")
        places = TextMap.identity(source.path, len(text), start)
        parts = _Reader(text, places, self.found, self.dialect, scope).read()
        self.found.open.pop()
        self.failed = parts is None
        self.top.parts.extend(parts or ())


def body_start(text: str) -> int:
    """Where the text begins behind front matter; 0 without any."""
    marker = "---\n"
    if not text.startswith(marker):
        return 0
    end = text.find("\n---\n", 3)
    return end + 5 if end >= 0 else 0


def _singular(words: tuple[str, ...]) -> str:
    last = words[-1]
    return last[:-1] if len(last) > 2 and last.endswith("s") and not last.endswith("ss") else f"{last}_item"
