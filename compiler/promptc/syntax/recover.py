"""Read on after a syntax error: one diagnostic a mistake, and every item that is sound.

The text is cut at declarations in the first column, and each piece is parsed alone. Where a piece does not parse, the
item with the mistake is blanked out, offsets unchanged, and the piece is parsed again; each round removes one mistake.
A block whose head is wrong gets a plain head for these rounds, so that the mistakes inside it are found too; in the
module it is left out.
"""

from typing import Any

from lark.exceptions import UnexpectedInput

from promptc.diagnostics.sink import Sink
from promptc.source import TextMap
from promptc.syntax import nodes
from promptc.syntax.build_prompt import ModuleBuilder
from promptc.syntax.declaration_mistakes import Mistake, explain_mistake
from promptc.syntax.explain import Failure, SpanOf, failure_of, token_end
from promptc.syntax.grammar import Compiled, module_grammar
from promptc.syntax.map_slicer import MapSlicer
from promptc.syntax.outline import HEADS, ITEMS, Item, Outline, outline, top_level_starts

# A file with more mistakes than this is no spec; the rest is read after these are mended.
MAX_MISTAKES = 100


def recover(text: str, text_map: TextMap, sink: Sink) -> nodes.Module:
    """Parse a module that is known to have syntax errors.

    Args:
        text: The whole file.
        text_map: From its offsets to the source.
        sink: Takes one diagnostic a mistake, 100 at most.

    Returns:
        The module with `broken` set; items that could not be read are missing.
    """
    grammar, builder = module_grammar()
    places = MapSlicer(text_map)
    starts = [start for start in top_level_starts(text) if start > 0]
    items: list[nodes.Item] = []
    comments: list[nodes.Comment] = []
    budget = MAX_MISTAKES
    for start, end in zip([0, *starts], [*starts, len(text)], strict=True):
        piece = _Piece(text[start:end], places.part(start, end), grammar, builder)
        piece.end_of = "file" if end == len(text) else "declaration"
        budget = piece.run(sink, budget)
        items.extend(piece.items)
        comments.extend(piece.comments)
        if budget == 0:
            break
    return nodes.Module(
        span=text_map.span(0, len(text)),
        path=text_map.path,
        items=tuple(items),
        comments=tuple(comments),
        broken=True,
    )


class _Piece:
    """One piece of the file while its mistakes are taken out.

    Attributes:
        checked: The text of the next round.
        kept: The same with whole items blanked out: what the module is built from.
    """

    def __init__(self, text: str, text_map: TextMap, grammar: Compiled, builder: ModuleBuilder) -> None:
        self.checked = text
        self.kept = text
        self.text_map = text_map
        self.size = len(text)
        self.grammar = grammar
        self.builder = builder
        self.items: tuple[nodes.Item, ...] = ()
        self.comments: list[nodes.Comment] = []
        self.end_of = "file"

    def run(self, sink: Sink, budget: int) -> int:
        """Parse until nothing fails; returns how many mistakes may still be reported."""
        while (failure := self.parse(self.checked)) is not None:
            if budget == 0:
                return 0
            budget -= 1
            marks = outline(self.checked)
            mistake = explain_mistake(failure, marks, self.builder.span, self.end_of)
            reserved = [d for d in self.builder.found if self.builder.reserved_used]
            sink.extend(reserved[:1] or [mistake.diagnostic])
            before = self.checked
            self.mend(mistake, marks, failure)
            if self.checked == before:  # nothing left to take out: give the piece up
                self.checked = self.kept = _blank(before, 0, len(before))
        sink.extend(self.builder.found)
        if self.kept != self.checked and self.parse(self.kept) is not None:
            self.items = ()
        return budget

    def parse(self, text: str) -> Failure | None:
        self.builder.begin(self.text_map)
        self.builder.span = _within(self.builder.span, self.size)
        try:
            result: Any = self.grammar.lark.parse(text, start="module")
        except UnexpectedInput as error:
            return failure_of(error, text, self.grammar)
        if self.builder.unclosed is not None:
            start = self.builder.unclosed
            return Failure(text, start, token_end(text, start), frozenset())
        self.items = result
        self.comments = self.builder.comments
        return None

    def mend(self, mistake: Mistake, marks: Outline, failure: Failure) -> None:
        """Take one mistake out of both texts."""
        if mistake.insert_at is not None:
            for name in ("checked", "kept"):
                text = getattr(self, name)
                setattr(self, name, _insert(text, mistake.insert_at, mistake.braces))
            return
        start, end = mistake.start, max(mistake.end, mistake.start + 1)
        item = marks.item_at(start, mistake.block)
        if item is not None and item.start == start and _repairable(item, failure):
            head = HEADS[item.keyword]
            gap = item.opening + 1 - start
            self.checked = self.checked[:start] + head[:-1].ljust(gap - 1) + "{" + self.checked[item.opening + 1 :]
        else:
            self.checked = _blank(self.checked, start, end)
        self.kept = _blank(self.kept, start, end)


def _within(span: SpanOf, size: int) -> SpanOf:
    """What recovery adds behind the text has no place in the source."""
    return lambda start, end: span(min(start, size), min(end, size))


def _repairable(item: Item, failure: Failure) -> bool:
    """Whether the mistake is in the head of a block that can get a plain head of no greater length."""
    head = HEADS.get(item.keyword)
    return (
        head is not None
        and item.keyword in ITEMS.get(item.parent.keyword if item.parent is not None else "module", ())
        and failure.start <= item.opening
        and len(head) <= item.opening + 1 - item.start
        and failure.text[item.start : item.opening + 1].rstrip("{").rstrip() != head[:-1]
    )


def _blank(text: str, start: int, end: int) -> str:
    gap = "".join("\n" if char == "\n" else " " for char in text[start:end])
    return text[:start] + gap + text[end:]


def _insert(text: str, at: int, braces: str) -> str:
    """Add braces without moving anything: at the end, or in place of the blank before `at`."""
    return text + braces if at >= len(text) else text[: at - 1] + braces + text[at:]
