"""Recognise common slips in declarations, and say how much of the text each one spoils."""

import re
from dataclasses import dataclass, replace

from promptc.diagnostics.model import Diagnostic, Edit, Fix, Label
from promptc.diagnostics.suggest import suggest
from promptc.syntax.explain import Failure, SpanOf, describe, expectation
from promptc.syntax.mistakes import expression_mistake, unclosed_quote, unexpected
from promptc.syntax.outline import ITEMS, Item, Outline, is_first

_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
# Keywords that a name follows.
_NAMED = frozenset(
    ("record", "scope", "envelope", "input", "gate", "section", "prompt", "sample", "include", "group", "tool")
)
_KEYWORDS = frozenset(word for words in ITEMS.values() for word in words)


@dataclass(frozen=True, slots=True)
class Mistake:
    """A diagnostic with the range that recovery takes out.

    Attributes:
        diagnostic: What to report.
        block: The item whose block the mistake stands in; None at top level.
        start: First code point to take out.
        end: One past the last one.
        insert_at: Where `braces` belong instead of taking anything out; None otherwise.
        braces: What is missing.
    """

    diagnostic: Diagnostic
    block: Item | None
    start: int
    end: int
    insert_at: int | None = None
    braces: str = "}"


def explain_mistake(failure: Failure, marks: Outline, span: SpanOf, end_of: str) -> Mistake:
    """Say what is wrong where parsing stopped, and what to leave out so that it can go on.

    Args:
        failure: Where parsing stopped.
        marks: The outline of the same text.
        span: From a range of that text to the source.
        end_of: What ends where the text ends: the file, or one declaration of it.
    """
    return _Explainer(failure, marks, span, end_of).run()


class _Explainer:
    """The text around one failure.

    Attributes:
        block: The item whose block the failure stands in.
        complete: What stands before the failing token could end there.
    """

    def __init__(self, failure: Failure, marks: Outline, span: SpanOf, end_of: str) -> None:
        self.end_of = end_of
        self.failure = failure
        self.marks = marks
        self.span = span
        self.found = failure.found
        self.block = marks.block_at(failure.start)
        if self.found == "}" and self.block is not None and self.block.closing != failure.start:
            self.block = self.block.parent
        expected = failure.expected
        in_literal = bool(expected & {"]", ")"}) or {",", "or"} <= expected
        self.complete = bool(expected & {"}", "$END"}) and not in_literal
        self.place = failure.place(span)
        self.is_word = _WORD.fullmatch(self.found) is not None
        # A keyword that begins a line has probably nothing to do with the unfinished line before it.
        self.at_boundary = not self.found or self.found == "}" or (self.is_word and self.begins_item())

    def begins_item(self) -> bool:
        """Whether a line begins here with a keyword, or with what is probably meant as one."""
        known = ITEMS.get(self.block.keyword if self.block is not None else "module", ())
        keyword = self.found in _KEYWORDS or suggest(self.found, known) is not None
        return self.starts_line() and keyword and any(i.start == self.failure.start for i in self.marks.items)

    def run(self) -> Mistake:
        mistake = self.unclosed_text() if self.failure.start in self.marks.unclosed_texts else self.slip()
        block = mistake.block
        if mistake.insert_at is None and block is not None and block.keyword == "envelope":
            # Its two texts stand in a fixed order: without one of them the other cannot be read.
            end = block.closing + 1 if block.closing >= 0 else mistake.end
            return replace(mistake, block=block.parent, start=block.start, end=max(end, mistake.end))
        return mistake

    def slip(self) -> Mistake:
        return (
            self.extra_opening()
            or self.unfinished()
            or self.missing_brace()
            or self.missing_opening()
            or self.stray_brace()
            or self.early_brace()
            or self.missing_quotes()
            or self.region(
                unclosed_quote(self.failure, self.span)
                or self.missing_body()
                or self.single_quotes()
                or self.separator()
                or self.equals()
                or self.colon()
                or self.misplaced()
                or self.unknown_word()
                or self.in_expression()
                or self.expected()
            )
        )

    # -- how much to leave out -------------------------------------------------------------------

    def region(self, diagnostic: Diagnostic) -> Mistake:
        """The mistake with the item that it spoils: to the next item of its block, or the end of that."""
        start = self.failure.start
        if self.found in (",", ";") and self.complete:
            return Mistake(diagnostic, self.block, start, start + 1)
        item = self.marks.item_at(start - (1 if self.at_boundary and not self.complete else 0), self.block)
        if self.complete:
            begin = start
        elif item is not None:
            begin = item.start
        else:
            begin = self.block.opening + 1 if self.block is not None else start
        limit = self.block.closing if self.block is not None and self.block.closing >= 0 else len(self.failure.text)
        after = start - 1 if self.at_boundary and not self.complete else start
        end = self.marks.next_item(max(after, begin), self.block)
        return Mistake(diagnostic, self.block, begin, min(end if end is not None else limit, limit))

    def unclosed_text(self) -> Mistake:
        start = self.failure.start
        item = self.marks.item_at(start, self.block)
        diagnostic = Diagnostic(
            "PC103",
            f"a text opened with {describe(self.quotes(), self.end_of)} is never closed",
            Label(self.span(start, start + len(self.quotes())), "opened here"),
            help="close it with as many quotes, on a line of their own when the text has several lines",
        )
        begin = item.start if item is not None else start
        return Mistake(diagnostic, self.block, begin, self.marks.unclosed_texts[start])

    def quotes(self) -> str:
        text, start = self.failure.text, self.failure.start
        end = start
        while text[end : end + 1] == '"':
            end += 1
        return text[start:end]

    def missing_quotes(self) -> Mistake | None:
        """PC116 for a block text whose opening quotes are missing: its closing quotes are still there."""
        start = self.failure.start
        closing = next((at for at in sorted(self.marks.unclosed_texts) if at > start), None)
        if closing is None or "BLOCK" not in self.failure.expected or not self.found or self.at_boundary:
            return None
        if not self.starts_line() or not is_first(self.failure.text, closing):
            return None
        diagnostic = Diagnostic(
            "PC116",
            "a text stands here without its opening quotes",
            Label(self.place),
            (Label(self.span(closing, closing + 3), "its closing quotes"),),
            help='write `"""` at the end of the line above',
        )
        item = self.marks.item_at(start - 1, self.block)
        return Mistake(diagnostic, self.block, item.start if item is not None else start, closing + 3)

    def unfinished(self) -> Mistake | None:
        """PC100 for an item that breaks off, so that the keyword of the next one was read as a name of its own."""
        start = self.failure.start
        item = next((i for i in reversed(self.marks.items) if i.start < start), None)
        if item is None or item.keyword not in _NAMED or not self.is_word or "NAME" in self.failure.expected:
            return None
        head = item.start + len(item.keyword)
        before = next((i for i in reversed(self.marks.items) if i.parent is item.parent and i.start < item.start), None)
        if before is None or before.closing >= 0 or self.failure.text[head:start].strip(" \t"):
            return None
        diagnostic = Diagnostic(
            "PC100",
            f"found `{item.keyword}`, and the `{before.keyword}` before it is not finished",
            Label(self.span(item.start, head)),
            (Label(self.span(before.start, before.start + len(before.keyword)), "breaks off"),),
        )
        return Mistake(diagnostic, item.parent, before.start, item.start)

    # -- braces ----------------------------------------------------------------------------------

    def missing_brace(self) -> Mistake | None:
        """PC102: the text ends inside a block, or an item of an outer block begins."""
        block = self.block
        if block is None or not self.marks.open_braces or "}" not in self.failure.expected:
            return None
        if not self.found:
            item = self.unclosed_block(block)
            mistake = self.brace_report(item, f"the end of the {self.end_of}")
            return Mistake(mistake, block, 0, 0, len(self.failure.text), "}" * len(self.marks.open_braces))
        outer = block.parent
        known = ITEMS.get(outer.keyword if outer is not None else "module", ())
        start = self.failure.start
        if self.found not in known or not self.starts_line() or start == 0:
            return None
        return Mistake(self.brace_report(block, f"`{self.found}`"), block, start, start, start)

    def missing_opening(self) -> Mistake | None:
        """PC100 for a block without its `{`, where a `}` is left over that would close it."""
        start = self.failure.start
        if "{" not in self.failure.expected or not self.marks.stray_braces or start == 0:
            return None
        if not self.is_word or self.failure.text[start - 1] not in " \t\n":
            return None
        return Mistake(unexpected(self.failure, self.span, "file", self.end_of), self.block, start, start, start, "{")

    def unclosed_block(self, innermost: Item) -> Item:
        """The block whose brace is probably missing: one that is closed by a brace indented less than its head."""
        text = self.failure.text
        for item in self.marks.items:
            if item.opening < 0 or item.closing < 0 or not is_first(text, item.closing):
                continue
            if self.column(item.closing) < self.column(item.start):
                return item
        return innermost

    def column(self, offset: int) -> int:
        line = self.failure.text[self.failure.text.rfind("\n", 0, offset) + 1 :]
        return len(line) - len(line.lstrip(" \t"))

    def brace_report(self, item: Item, before: str) -> Diagnostic:
        opening = Label(self.span(item.opening, item.opening + 1), "opened here")
        name = f" of `{item.keyword}`" if item.keyword else ""
        return Diagnostic("PC102", f"the `{{`{name} is not closed before {before}", opening, help="add the `}`")

    def stray_brace(self) -> Mistake | None:
        """PC100 for a `}` that closes nothing: only itself is left out."""
        start = self.failure.start
        if self.found != "}" or start not in self.marks.stray_braces or not self.complete:
            return None
        fix = Fix("remove it", (Edit(self.place, ""),))
        diagnostic = Diagnostic("PC100", "found `}` that closes nothing", Label(self.place), fix=fix)
        return Mistake(diagnostic, self.block, start, start + 1)

    def early_brace(self) -> Mistake | None:
        """PC100 for one `}` too many that closes a block although more of its items follow."""
        start = self.failure.start
        if not self.marks.stray_braces or not self.complete or not self.starts_line():
            return None
        closed = [i for i in self.marks.items if 0 <= i.closing < start and self.found in ITEMS.get(i.keyword, ())]
        if not closed:
            return None
        item = max(closed, key=lambda i: i.closing)
        place = self.span(item.closing, item.closing + 1)
        diagnostic = Diagnostic(
            "PC100",
            f"found `}}` that closes `{item.keyword}` although `{self.found}` follows, which belongs inside",
            Label(place),
            (Label(self.place, f"belongs inside `{item.keyword}`"),),
            fix=Fix("remove it", (Edit(place, ""),)),
        )
        return Mistake(diagnostic, self.block, item.closing, item.closing + 1)

    def extra_opening(self) -> Mistake | None:
        """PC100 for one `{` too many: only itself is left out."""
        start = self.failure.start
        if self.found != "{" or len(self.marks.open_braces) != 1 or start not in (i.start for i in self.marks.items):
            return None
        wanted = unexpected(self.failure, self.span, "file", self.end_of)
        return Mistake(wanted, self.block, start, start + 1)

    # -- slips -----------------------------------------------------------------------------------

    def missing_body(self) -> Diagnostic | None:
        if not self.at_boundary or not {"STRING", "BLOCK", "from"} <= self.failure.expected:
            return None
        item = self.marks.item_at(self.failure.start - 1, self.block)
        start = item.start if item is not None else self.failure.start
        keyword = _WORD.match(self.failure.text, start)
        name = keyword[0] if keyword is not None else "this"
        return Diagnostic(
            "PC116",
            f"this `{name}` has no text",
            Label(self.span(start, keyword.end() if keyword is not None else self.failure.end)),
            help='write the text in `"..."` or `"""`, or name a file with `from "path"`',
        )

    def single_quotes(self) -> Diagnostic | None:
        if self.found[:1] != "'" or "STRING" not in self.failure.expected or "QUOTED" in self.failure.expected:
            return None
        inner = self.found[1:-1]
        fix = None if '"' in inner else Fix("use double quotes", (Edit(self.place, f'"{inner}"'),))
        return Diagnostic(
            "PC100",
            "found a text in single quotes, expected double quotes",
            Label(self.place),
            help="single quotes are for texts inside expressions",
            fix=fix,
        )

    def separator(self) -> Diagnostic | None:
        if self.found not in (",", ";") or not self.complete:
            return None
        fix = Fix("remove it", (Edit(self.place, ""),))
        return Diagnostic("PC120", f"`{self.found}` separates nothing here", Label(self.place), fix=fix)

    def equals(self) -> Diagnostic | None:
        # Only `=` fits behind the name, so the second sign is where parsing stops.
        start = self.failure.start
        if self.found != "=":
            return None
        if self.complete:
            fix = Fix("write `==`", (Edit(self.place, "=="),))
            return Diagnostic("PC115", "`=` does not compare", Label(self.place), help="`==` compares", fix=fix)
        if self.failure.text[start - 1 : start] != "=":
            return None
        place = self.span(start - 1, start + 1)
        fix = Fix("write `=`", (Edit(place, "="),))
        return Diagnostic("PC115", "`==` compares; a value is given with `=`", Label(place), fix=fix)

    def colon(self) -> Diagnostic | None:
        if self.failure.expected != {":"}:
            return None
        start = self.failure.start
        if self.found == "=":
            fix = Fix("write `:`", (Edit(self.place, ":"),))
        else:
            fix = Fix("insert `:`", (Edit(self.span(start, start), ": "),))
        return Diagnostic("PC114", "the `:` between the name and its type is missing", Label(self.place), fix=fix)

    def misplaced(self) -> Diagnostic | None:
        if not self.complete or self.found not in _KEYWORDS or self.found in self.failure.expected:
            return None
        where = sorted(name for name, words in ITEMS.items() if self.found in words and name in _PLACES)
        if not where or not is_first(self.failure.text, self.failure.start):
            return None
        here = f"inside `{self.block.keyword}`" if self.block is not None else "at top level"
        return Diagnostic(
            "PC119",
            f"`{self.found}` does not belong {here}",
            Label(self.place),
            help=f"it stands {' or '.join(_PLACES[name] for name in where)}",
        )

    def unknown_word(self) -> Diagnostic | None:
        """PC101 for a word that should be a keyword, PC113 for a class without its `@`."""
        keywords = sorted(word for word in self.failure.expected if word[0].isalpha() and word.islower())
        if not self.is_word or not keywords or "NAME" in self.failure.expected:
            return None
        meant = suggest(self.found, keywords)
        if meant is None and "@" in self.failure.expected and not self.at_boundary and not self.starts_line():
            fix = Fix(f"write `@{self.found}`", (Edit(self.place, f"@{self.found}"),))
            return Diagnostic(
                "PC113",
                f"the class {describe(self.found, self.end_of)} is written without its `@`",
                Label(self.place),
                fix=fix,
            )
        if self.at_boundary and not self.complete:
            return None
        if meant is not None:
            return Diagnostic(
                "PC101",
                f"{describe(self.found, self.end_of)} is not a keyword here",
                Label(self.place),
                help=f"did you mean `{meant}`?",
                fix=Fix(f"write `{meant}`", (Edit(self.place, meant),)),
            )
        if not self.starts_line():
            return None
        wanted = expectation(self.failure.expected, self.end_of)
        message = f"{describe(self.found, self.end_of)} is not a keyword here" + (
            f", expected {wanted}" if wanted else ""
        )
        return Diagnostic("PC101", message, Label(self.place))

    def starts_line(self) -> bool:
        return is_first(self.failure.text, self.failure.start)

    def in_expression(self) -> Diagnostic | None:
        failure = self.failure
        fraction = failure.text[: failure.start].endswith(".") and self.found[:1].isdigit()
        if not fraction and not failure.expected & {"and", "or", "|", "not", "else", ")", "]"}:
            return None
        if self.at_boundary:
            # What is open in the unfinished expression ends where the next item begins.
            begin = self.marks.item_at(failure.start - 1, self.block)
            head = begin.start if begin is not None else 0
            if failure.expected & {")", "]", "else"}:
                # Offsets stay as they are; only this declaration is looked at.
                text = " " * head + failure.text[head : failure.start]
                cut = Failure(text, failure.start, failure.start, failure.expected)
                return expression_mistake(cut, self.span, "expression", "declaration")
            return None
        diagnostic = expression_mistake(failure, self.span, "expression", self.end_of)
        return None if diagnostic.code == "PC100" else diagnostic

    def expected(self) -> Diagnostic:
        return unexpected(self.failure, self.span, "file", self.end_of)


_PLACES = {
    "module": "at top level",
    "prompt": "in a `prompt`",
    "tools": "in `tools`",
    "system": "in `system`",
    "preamble": "in `preamble` or `tail`",
    "conversation": "in `conversation`",
    "section": "in `deliver delta`",
    "tool": "in a `tool`",
    "envelope": "in an `envelope`",
    "sample": "in a `sample`",
}
