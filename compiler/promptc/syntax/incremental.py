"""Parse a file of the DSL again after an edit, reading only what changed.

Items that an edit did not touch are not read again: in the text that is parsed, a row of them is one short item of
their kind, and in the module that comes out the row stands in its place. So a sound text and a broken one take the
way that they always take, through the same parser and the same recovery, over a much shorter text. Offsets are
anchored (`AnchoredSource`), so that what was not read again is still where its nodes say.

Where a short text could be read otherwise than the whole one, the whole one is read.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from promptc.diagnostics.model import Diagnostic
from promptc.diagnostics.sink import Sink
from promptc.source import AnchoredSource, Segment, Span, TextMap
from promptc.syntax import nodes
from promptc.syntax.expressions import Node
from promptc.syntax.outline import ITEMS, TOKEN, is_first, outline
from promptc.syntax.parser import parse_text

# Code points that a part may grow by before everything is anchored anew.
_ROOM = 1 << 20
_HEADS = frozenset(
    ("language", "use", "stability", "record", "scope", "envelope", "input", "gate", "require", "limit", "sample",
     "section", "include", "group", "tool")
)  # fmt: skip
# What stands for a row of items: the shortest item that may stand wherever each of them may.
_STANDS_FOR = {"declaration": 'use ""', "section": 'section _ ""', "include": "include _", "tool": "tool _{}"}
_BETWEEN = re.compile(r"(?:[ \t\n]|#[^\n]*(?:\n|\Z))*")
_FOLLOWS = re.compile(rf"\}}|\Z|(?:{'|'.join(sorted({w for words in ITEMS.values() for w in words}))})\b")
_SPACE = frozenset(" \t\n")


@dataclass(slots=True)
class _Kept:
    """An item that need not be read again.

    Attributes:
        start, end: Its place in the text.
        at: Its anchored offset.
        joins: Whether nothing but blanks and comments stands between the item before and this one.
    """

    start: int
    end: int
    at: int
    kind: str
    node: Node
    has_block: bool
    joins: bool = False


@dataclass(slots=True)
class _Short:
    """The text that is parsed in place of the whole.

    Attributes:
        rows: The rows of items that are left out, by the anchored offset of the first.
    """

    parts: list[str] = field(default_factory=list)
    segments: list[Segment] = field(default_factory=list)
    length: int = 0
    rows: dict[int, list[_Kept]] = field(default_factory=dict)

    def raw(self, source: AnchoredSource, start: int, end: int) -> None:
        """Take a range of the text as it stands."""
        index = bisect_right(source.reals, start) - 1
        while start < end:
            last = index + 1 == len(source.reals)
            stop = end if last else min(end, source.reals[index + 1])
            at = source.anchors[index] + start - source.reals[index]
            self.segments.append(Segment(self.length, at, stop - start, stop - start))
            self.parts.append(source.text[start:stop])
            self.length += stop - start
            start = stop
            index += 1

    def row(self, items: list[_Kept]) -> None:
        """Put one short item for a row of them; it begins where the first does and ends where the last does."""
        kinds = {item.kind for item in items}
        word = _STANDS_FOR["include" if "include" in kinds else items[0].kind]
        size = len(word) - 1
        end = items[-1].at + items[-1].end - items[-1].start
        self.segments.append(Segment(self.length, items[0].at, size, size))
        self.segments.append(Segment(self.length + size, end - 1, 1, 1))
        self.parts.append(word)
        self.length += len(word)
        self.rows[items[0].at] = items

    @property
    def text(self) -> str:
        """The whole of it."""
        return "".join(self.parts)

    def is_faithful(self, start: int, end: int) -> bool:
        """Whether every item that was left out is one in the whole text too.

        None may lie in a text that opens further up. A text that is left open, but not between the anchored offsets of
        what changed, runs over items that recovery finds all the same, and ends nobody knows where.
        """
        text = self.text
        starts = [segment.at for segment in self.segments]
        for place in outline(text).unclosed_texts:
            segment = self.segments[bisect_right(starts, place) - 1]
            if not start <= segment.source + place - segment.at < end:
                return False
        rows = [segment.at for segment in self.segments if segment.source in self.rows]
        for match in TOKEN.finditer(text):
            if match["block"] is not None and "\n" in match[0]:
                index = bisect_left(rows, match.start())
                if index < len(rows) and rows[index] < match.end():
                    return False
        return True


class IncrementalModule:
    """One file of the DSL while it changes.

    Attributes:
        source: The text, with the offsets that the module's spans are in.
        module: What a parse of the whole text gives; of comments, only those of what was read last.
        found: What the parse reported.
        reads: How often the whole text was read.
    """

    def __init__(self, path: str, text: str) -> None:
        self.path = path
        self.reads = 0
        self._kept: list[_Kept] = []
        self._read_all(text)

    def update(self, text: str) -> None:
        """Take the text after an edit."""
        before = self.source.text
        if text == before:
            return
        if not self._read_again(text, *_changed(before, text)):
            self._read_all(text)

    def _read_all(self, text: str) -> None:
        self.reads += 1
        starts = sorted({i.start for i in outline(text).items if i.keyword in _HEADS and i.start > 0})
        reals = (0, *starts)
        anchors = tuple(real + index * _ROOM for index, real in enumerate(reals))
        self.source = AnchoredSource(self.path, text, reals, anchors)
        whole = _Short()
        whole.raw(self.source, 0, len(text))
        self.module = self._parse(whole)
        self._kept = list(self._keepers(self.module.items, whole.rows))
        self._join(0, len(self._kept))

    def _read_again(self, text: str, start: int, end: int) -> bool:
        """Read the changed range with the items beside it; False where that could differ from reading everything."""
        kept, before = self._kept, self.source
        delta = len(text) - len(before.text)
        first = bisect_left(kept, start, key=lambda k: k.end) - 1
        low = kept[first].start if first >= 0 else 0
        at = before.anchored(low)
        behind = self._with_room(bisect_right(kept, end, key=lambda k: k.start), low - delta, at)
        moved = kept[behind].start if behind < len(kept) else len(before.text)
        behind = self._last_open(behind, text, low, delta)
        high = kept[behind].end if behind < len(kept) else len(before.text)
        if '""""' in text[low : high + delta]:
            return False
        head, tail = kept[: max(first, 0)], kept[behind + 1 :]
        for item in tail:
            item.start += delta
            item.end += delta
        self.source = _moved(before, text, low, moved, at)
        short = self._shorten(head, low, high + delta, tail)
        if not short.is_faithful(at, self.source.anchored(high + delta)):
            return False
        module = self._parse(short)
        rows = {at: [k.node for k in row] for at, row in short.rows.items()}
        if any(_touches(d, short.rows) for d in self.found) or _edits_with(module, rows):
            return False
        inside = list(self._keepers(module.items, rows))
        self.module = replace(module, items=_expanded(module.items, rows))
        self._kept = [*head, *inside, *tail]
        if all(low <= item.start < high + delta for item in inside):
            self._join(len(head), len(head) + len(inside) + 1)
        else:
            # After a mistake further up was mended, items are back that were not kept before.
            self._kept.sort(key=lambda k: k.start)
            self._join(0, len(self._kept))
        return True

    def _with_room(self, index: int, low: int, at: int) -> int:
        """Index of the first item from an index on in front of which the offsets have room for what is new.

        Args:
            low: Where the new text begins, counted from where the items were.
            at: Its anchored offset.
        """
        kept = self._kept
        while index < len(kept) and at + kept[index].start - low > kept[index].at:
            index += 1
        return index

    def _last_open(self, index: int, text: str, low: int, delta: int) -> int:
        """Index of the last item that is read with what is new: the next may be taken for a part of what is unfinished.

        A text that was left open runs to the end of the next block text.
        """
        kept = self._kept
        if index < len(kept) and outline(text[low : kept[index].end + delta]).unclosed_texts:
            while index < len(kept) and not kept[index].has_block:
                index += 1
        return index

    def _shorten(self, head: Sequence[_Kept], low: int, high: int, tail: Sequence[_Kept]) -> _Short:
        short = _Short()
        place = 0
        for row in _rows(head):
            short.raw(self.source, place, row[0].start)
            short.row(row)
            place = row[-1].end
        short.raw(self.source, place, high)
        place = high
        for row in _rows(tail):
            short.raw(self.source, place, row[0].start)
            short.row(row)
            place = row[-1].end
        short.raw(self.source, place, len(self.source.text))
        return short

    def _parse(self, short: _Short) -> nodes.Module:
        sink = Sink()
        module = parse_text(short.text, TextMap(self.path, tuple(short.segments)), sink)
        self.found = sink.sorted()
        return module

    def _keepers(self, items: Iterable[Node], rows: dict[int, Any]) -> Iterator[_Kept]:
        text = self.source.text
        spoilt = [s for d in self.found for s in _spans(d)]
        for kind, node in _leaves(items):
            span = node.span
            if span.start in rows:
                continue
            start, end = self.source.real(span.start), self.source.real(span.end)
            alone = (start == 0 or text[start - 1] in _SPACE) and (end == len(text) or text[end] in _SPACE)
            if not alone or span.end - span.start != end - start or end - start < len(_STANDS_FOR[kind]):
                continue
            between = _BETWEEN.match(text, end)
            following = between.end() if between is not None else end
            behind = self.source.anchored(following)
            # What may follow depends on the item; what stands for it must be followed by something that always may.
            if any(s.start <= behind and span.start <= s.end for s in spoilt) or not _FOLLOWS.match(text, following):
                continue
            if _leans_out(text, start, end):
                continue
            yield _Kept(start, end, span.start, kind, node, '"""' in text[start:end])

    def _join(self, first: int, stop: int) -> None:
        kept, text = self._kept, self.source.text
        for index in range(max(first, 1), min(stop, len(kept))):
            before, item = kept[index - 1], kept[index]
            alike = before.kind == item.kind or {before.kind, item.kind} == {"section", "include"}
            item.joins = alike and _BETWEEN.fullmatch(text, before.end, item.start) is not None


def _changed(before: str, after: str) -> tuple[int, int]:
    """The range of `before` that an edit replaced."""
    least = min(len(before), len(after))
    start = _most(least, lambda n: before.startswith(after[:n]))
    end = _most(least - start, lambda n: n == 0 or before.endswith(after[-n:]))
    return start, len(before) - end


def _most(bound: int, holds: Callable[[int], bool]) -> int:
    """The greatest number up to a bound for which something holds that holds for all smaller ones."""
    low, high = 0, bound
    while low < high:
        middle = (low + high + 1) // 2
        if holds(middle):
            low = middle
        else:
            high = middle - 1
    return low


def _moved(before: AnchoredSource, text: str, low: int, high: int, at: int) -> AnchoredSource:
    """The source after the range from `low` to `high` was replaced; it is one part that begins at the offset `at`."""
    delta = len(text) - len(before.text)
    first = bisect_left(before.reals, low)
    rest = bisect_right(before.reals, high)
    reals = [*before.reals[:first], low]
    anchors = [*before.anchors[:first], at]
    if high < len(before.text):
        reals.append(high + delta)
        anchors.append(before.anchored(high))
    reals.extend(real + delta for real in before.reals[rest:])
    anchors.extend(before.anchors[rest:])
    return AnchoredSource(before.path, text, tuple(reals), tuple(anchors))


def _rows(items: Iterable[_Kept]) -> Iterator[list[_Kept]]:
    row: list[_Kept] = []
    for item in items:
        if row and not item.joins:
            yield row
            row = []
        row.append(item)
    if row:
        yield row


def _leaves(items: Iterable[Node]) -> Iterator[tuple[str, Node]]:
    """Items that hold no others, with the kind of what stands for them."""
    for item in items:
        match item:
            case nodes.PromptDecl(items=inner) | nodes.Lane(items=inner) | nodes.Block(items=inner):
                yield from _leaves(inner)
            case nodes.SectionDecl():
                yield "section", item
            case nodes.IncludeItem():
                yield "include", item
            case nodes.ToolGroup() | nodes.ToolDecl():
                yield "tool", item
            case (
                nodes.Language() | nodes.Use() | nodes.StabilityDecl() | nodes.RecordDecl() | nodes.ScopeDecl()
                | nodes.EnvelopeDecl() | nodes.InputDecl() | nodes.GateDecl() | nodes.RequireDecl()
                | nodes.SampleDecl() | nodes.LimitDecl()
            ):  # fmt: skip
                yield "declaration", item
            case _:
                continue


def _leans_out(text: str, start: int, end: int) -> bool:
    """Whether an item ends in a brace further left than it begins: what recovery takes for the sign of a lost one."""
    if text[end - 1] != "}" or not is_first(text, end - 1):
        return False
    return end - 1 - text.rfind("\n", 0, end - 1) < start - text.rfind("\n", 0, start)


def _spans(diagnostic: Diagnostic) -> Iterator[Span]:
    for label in (diagnostic.primary, *diagnostic.secondary):
        if label is not None:
            yield label.span
    for edit in diagnostic.fix.edits if diagnostic.fix is not None else ():
        yield edit.span


def _touches(diagnostic: Diagnostic, rows: dict[int, list[_Kept]]) -> bool:
    """Whether a finding says something of a row that was not read."""
    for span in _spans(diagnostic):
        for at, row in rows.items():
            end = row[-1].at + row[-1].end - row[-1].start
            if (span.start < end and at < span.end) or (span.start == span.end and at < span.start < end):
                return True
    return False


def _edits_with(module: nodes.Module, rows: dict[int, list[Node]]) -> bool:
    """Whether a row was taken for the one item of an edit."""
    prompts = (item for item in module.items if isinstance(item, nodes.PromptDecl))
    edits = (item for prompt in prompts for item in prompt.items if isinstance(item, nodes.Edit))
    return any(edit.item is not None and edit.item.span.start in rows for edit in edits)


def _expanded(items: tuple[Any, ...], rows: dict[int, list[Node]]) -> tuple[Any, ...]:
    """Some items with every row in its place."""
    out: list[Any] = []
    for item in items:
        row = rows.get(item.span.start)
        if row is not None:
            out.extend(row)
        elif isinstance(item, nodes.PromptDecl | nodes.Lane | nodes.Block):
            inner: Any = _expanded(item.items, rows)
            out.append(replace(item, items=inner))
        else:
            out.append(item)
    return tuple(out)
