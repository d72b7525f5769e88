"""YAML text as a tree of nodes with exact spans, composed from parser events under limits.

PyYAML's own composer keeps the last of two equal keys, loses where an alias stands, and follows anchors without
bound, so the tree is composed here. Scalars stay text: what a plain scalar means is decided where its kind is known
(`syntax.yaml_values`).
"""

import re
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

import yaml

from promptc.diagnostics.model import Applicability, Diagnostic, Edit, Fix, Label
from promptc.diagnostics.sink import Sink
from promptc.source import Source, Span
from promptc.syntax.yaml_problems import syntax_problem

# libyaml's loader where the wheel has it: some fifty times faster, same events, same marks.
_LOADER: type = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

MAX_DEPTH = 100
MAX_NODES = 200_000

EXPRESSION_TAG = "!expr"

# Line ends for YAML 1.1 readers such as libyaml, but not for YAML 1.2, promptc or an editor.
_FOREIGN_LINE_ENDS = {"\r": "\\r", "\x85": "\\N", "\u2028": "\\L", "\u2029": "\\P"}

# Those, and what YAML does not allow in a file: libyaml counts bytes where it meets one, and cannot be handed a lone
# surrogate at all.
UNREADABLE = re.compile("[^\t\n\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]")

ScalarStyle: TypeAlias = Literal["plain", "single", "double", "literal", "folded"]
_STYLES: dict[str | None, ScalarStyle] = {
    None: "plain",
    "": "plain",
    "'": "single",
    '"': "double",
    "|": "literal",
    ">": "folded",
}


@dataclass(frozen=True, slots=True, eq=False)
class YamlScalar:
    """A scalar.

    Attributes:
        span: From the first character (quote, `|`) to the last; without anchor, tag and trailing blank lines.
        value: The text that YAML gives it, block scalars with their final newline.
        style: How it is written.
        expression: True when it carries the tag `!expr`: in a place for data, an expression.
        size, depth: Nodes below and including this one with aliases expanded; levels.
    """

    span: Span
    value: str
    style: ScalarStyle
    expression: bool = False
    size: int = 1
    depth: int = 0


@dataclass(frozen=True, slots=True, eq=False)
class YamlSequence:
    """A sequence; attributes as for `YamlScalar`."""

    span: Span
    items: tuple["YamlNode", ...]
    size: int
    depth: int


@dataclass(frozen=True, slots=True, eq=False)
class YamlMapping:
    """A mapping whose keys are scalars, each once; attributes as for `YamlScalar`."""

    span: Span
    pairs: tuple[tuple[YamlScalar, "YamlNode"], ...]
    size: int
    depth: int


YamlNode: TypeAlias = YamlScalar | YamlSequence | YamlMapping


def compose(source: Source, sink: Sink) -> tuple[YamlNode | None, bool]:
    """The one document of a source, and whether it is whole.

    Never raises on bad input: what is wrong is reported, and the tree holds what could be read before it.
    An empty document gives None.
    """
    foreign = UNREADABLE.search(source.text)
    if foreign:
        _report_unreadable(source, foreign.start(), sink)
        return None, False
    composer = _Composer(source, sink)
    try:
        for event in yaml.parse(source.text, Loader=_LOADER):
            if not composer.take(event):
                break
    except yaml.YAMLError as error:
        sink.report(syntax_problem(source, error))
        composer.whole = False
    return composer.finish(), composer.whole


@dataclass(slots=True)
class _Open:
    """A collection whose end has not come yet."""

    start: int
    anchor: str | None
    mapping: bool
    flow: bool
    children: list[YamlNode] = field(default_factory=list)


class _Composer:
    """Takes events one by one; `whole` turns False with the first problem that loses content, `full` at the limit."""

    def __init__(self, source: Source, sink: Sink) -> None:
        self.source = source
        self.sink = sink
        self.whole = True
        self.full = False
        self.root: YamlNode | None = None
        self.documents = 0
        self.nodes = 0
        self.stack: list[_Open] = []
        self.anchors: dict[str, YamlNode] = {}

    def take(self, event: yaml.Event) -> bool:
        """Take one event; False when reading on makes no sense."""
        start, end = _place(event)
        if isinstance(event, yaml.DocumentStartEvent):
            self.documents += 1
            if self.documents > 1:
                self._error(
                    "PC157",
                    start,
                    max(end, start),
                    "the file holds more than one YAML document",
                    "a second document begins here",
                    "one module is one document: give each its own file",
                )
                return False
        elif isinstance(event, yaml.AliasEvent):
            return self._alias(event.anchor or "", start, end)
        elif isinstance(event, yaml.ScalarEvent):
            if event.tag != EXPRESSION_TAG:
                self._check_tag(event.tag, start)
            node = self._scalar(event, start, end)
            self._remember(event.anchor, node)
            return self._add(node)
        elif isinstance(event, yaml.CollectionStartEvent):
            self._check_tag(event.tag, start)
            return self._open(event, start)
        elif isinstance(event, yaml.CollectionEndEvent):
            return self._close(end)
        return True

    def finish(self) -> YamlNode | None:
        """The root; collections that a syntax error left open are closed where it stands.

        None at a limit: nothing may walk what is too large.
        """
        while self.stack:
            self._close(len(self.source.text), cut=True)
        return None if self.full else self.root

    def _scalar(self, event: yaml.ScalarEvent, start: int, end: int) -> YamlScalar:
        text = self.source.text
        start = _skip_properties(text, start, end)
        style = _STYLES[event.style]
        if style in ("literal", "folded"):
            # The mark of a block scalar stands behind the blank lines that follow it.
            end = max(start + len(text[start:end].rstrip(" \n")), start + 1)
        span = Span(self.source.path, start, end)
        return YamlScalar(span, event.value, style, expression=event.tag == EXPRESSION_TAG)

    def _open(self, event: yaml.CollectionStartEvent, start: int) -> bool:
        if len(self.stack) >= MAX_DEPTH:
            self._error(
                "PC158",
                start,
                start + 1,
                f"the file nests deeper than {MAX_DEPTH} levels",
                "this level is one too many",
                None,
            )
            return False
        if event.anchor is not None:
            # From here on the name means this node, which is not there before its end.
            self.anchors.pop(event.anchor, None)
        start = _skip_properties(self.source.text, start, _place(event)[1])
        self.stack.append(_Open(start, event.anchor, isinstance(event, yaml.MappingStartEvent), bool(event.flow_style)))
        return True

    def _close(self, end: int, cut: bool = False) -> bool:
        frame = self.stack.pop()
        children = frame.children
        if not frame.flow or cut:
            # A block collection ends with its last child; the mark stands behind blank lines and comments.
            end = max(children[-1].span.end, frame.start) if children else frame.start
        span = Span(self.source.path, frame.start, end)
        size = 1 + sum(child.size for child in children)
        depth = 1 + max((child.depth for child in children), default=0)
        node: YamlNode
        if frame.mapping:
            # Cut by a syntax error, the last key may have no value.
            pairs = zip(children[::2], children[1::2], strict=False)
            node = YamlMapping(span, self._checked_keys(tuple(pairs)), size, depth)
        else:
            node = YamlSequence(span, tuple(children), size, depth)
        self._remember(frame.anchor, node)
        return self._add(node)

    def _add(self, node: YamlNode) -> bool:
        self.nodes += 1
        if self.stack:
            self.stack[-1].children.append(node)
        else:
            self.root = node
        if not self.full and (self.nodes > MAX_NODES or node.size > MAX_NODES):
            self._error(
                "PC158",
                node.span.start,
                min(node.span.end, node.span.start + 1),
                f"the file has more than {MAX_NODES} values, with aliases expanded",
                "too many values from here on",
                None,
            )
            return False
        return True

    def _remember(self, anchor: str | None, node: YamlNode) -> None:
        if anchor is not None:
            self.anchors[anchor] = node

    def _alias(self, name: str, start: int, end: int) -> bool:
        node = self.anchors.get(name)
        if node is None:
            opened = next((frame for frame in self.stack if frame.anchor == name), None)
            if opened is not None:
                self._error(
                    "PC159",
                    start,
                    end,
                    f"`*{name}` stands inside the value that it repeats",
                    "this would go on without end",
                    None,
                    Label(Span(self.source.path, opened.start, opened.start + 1), f"`&{name}` begins here"),
                )
            else:
                self._error(
                    "PC168", start, end, f"no anchor `&{name}` stands before `*{name}`", "nothing to repeat", None
                )
            self.whole = False
            node = YamlScalar(Span(self.source.path, start, end), "", "plain")
        if len(self.stack) + node.depth > MAX_DEPTH:
            self._error(
                "PC158",
                start,
                end,
                f"the file nests deeper than {MAX_DEPTH} levels",
                f"`*{name}` brings {node.depth} more levels here",
                None,
            )
            return False
        return self._add(node)

    def _checked_keys(self, pairs: tuple[tuple[YamlNode, YamlNode], ...]) -> tuple[tuple[YamlScalar, YamlNode], ...]:
        seen: dict[str, YamlScalar] = {}
        kept: list[tuple[YamlScalar, YamlNode]] = []
        for key, value in pairs:
            if not isinstance(key, YamlScalar):
                self._error(
                    "PC151",
                    key.span.start,
                    min(key.span.end, key.span.start + 1),
                    "a key is a name, not a list or a mapping",
                    "this key is not a name",
                    None,
                )
            elif key.value == "<<" and key.style == "plain":
                self._error(
                    "PC155",
                    key.span.start,
                    key.span.end,
                    "the merge key `<<` is not part of the language",
                    "merges another mapping",
                    "write the keys out, or share a section with `include`",
                )
            elif (first := seen.get(key.value)) is not None:
                self._error(
                    "PC154",
                    key.span.start,
                    key.span.end,
                    f"the key `{key.value}` stands twice in one mapping",
                    "again here",
                    "keep one of them",
                    Label(first.span, "first here"),
                )
            else:
                seen[key.value] = key
                kept.append((key, value))
        return tuple(kept)

    def _check_tag(self, tag: str | None, start: int) -> None:
        if tag is None:
            return
        text = self.source.text
        at = text.find("!", start)
        end = at
        while end < len(text) and text[end] not in " \n,]}":
            end += 1
        self._error(
            "PC156",
            at,
            end,
            f"the tag `{text[at:end]}` is not part of the language",
            "a YAML tag",
            "remove the tag: the kind of a value follows from its key",
        )

    def _error(
        self, code: str, start: int, end: int, message: str, label: str, help: str | None, *others: Label
    ) -> None:
        # A key that stands twice loses nothing but its second value.
        self.whole = self.whole and code == "PC154"
        self.full = self.full or code == "PC158"
        self.sink.report(
            Diagnostic(code, message, Label(Span(self.source.path, start, end), label), secondary=others, help=help)
        )


def _place(event: yaml.Event) -> tuple[int, int]:
    """Where an event begins and ends; the parser marks every event."""
    first, last = event.start_mark, event.end_mark
    return (first.index, last.index) if first is not None and last is not None else (0, 0)


def _skip_properties(text: str, start: int, end: int) -> int:
    """Where a node's content begins: behind its anchor and tag, and the comments and blanks between them."""
    while start < end:
        if text[start] in "&!":
            while start < end and text[start] not in " \n":
                start += 1
        elif text[start] in " \t\n":
            start += 1
        elif text[start] == "#":
            start = text.find("\n", start, end) if "\n" in text[start:end] else end
        else:
            break
    return start


def _report_unreadable(source: Source, at: int, sink: Sink) -> None:
    char = source.text[at]
    span = Span(source.path, at, at + 1)
    escape = _FOREIGN_LINE_ENDS.get(char)
    if escape is None:
        point = ord(char)
        spelled = f"\\x{point:02x}" if point < 0x100 else f"\\u{point:04x}"
        surrogate = 0xD800 <= point <= 0xDFFF
        sink.report(
            Diagnostic(
                "PC150",
                f"YAML does not allow the character U+{point:04X}",
                Label(span, "half of a surrogate pair" if surrogate else "this character"),
                help=None if surrogate else f"in a double-quoted text write it as `{spelled}`",
            )
        )
        return
    sink.report(
        Diagnostic(
            "PC163",
            f"U+{ord(char):04X} ends a line for some YAML readers and not for others",
            Label(span, "this character is read in two ways"),
            help=f"in a double-quoted text write it as `{escape}`, or write U+000A",
            fix=Fix("write a line feed", (Edit(span, "\n"),), Applicability.UNSAFE),
        )
    )
