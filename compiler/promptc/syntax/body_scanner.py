"""Find the tags of a body: where each begins and ends, and what its whitespace markers say.

The delimiters are Jinja2's. A delimiter inside a quoted text does not end a tag. Everything here is linear in the
length of the body, whatever it holds.
"""

import re
from typing import Literal, NamedTuple, TypeAlias

TagKind: TypeAlias = Literal["output", "block", "comment", "raw", "endraw"]


class Tag(NamedTuple):
    """One tag. All positions are code points of the body's text.

    Attributes:
        kind: `raw` and `endraw` are the two ends of a literal stretch; `block` is every other `{% ... %}`.
        start: The opening delimiter.
        end: One past the closing delimiter; where reading goes on, when that is missing.
        word: The first word of a block tag; empty for other kinds and where a block tag begins with none.
        word_start: Where that word stands.
        inner_start: First code point of the content: behind the word of a block tag, blanks skipped.
        inner_end: One past the last code point of the content, blanks before it dropped.
        strip_before: The tag opens with a `-`.
        strip_after: The tag closes with a `-`.
        closed: The closing delimiter is there.
        wrong_close: Range of a closing delimiter of another kind, in a tag that is not closed.
    """

    kind: TagKind
    start: int
    end: int
    word: str
    word_start: int
    inner_start: int
    inner_end: int
    strip_before: bool
    strip_after: bool
    closed: bool
    wrong_close: tuple[int, int] | None


_OPEN = re.compile(r"\{[{%#]")
_HEAD = re.compile(r"\{[{%]([-+]?)\s*+")
_WORD = re.compile(r"[A-Za-z_]\w*+")
_PLAIN_OUTPUT = re.compile(r"[^\"'{}]*+\}\}")
_PLAIN_BLOCK = re.compile(r"[^\"'{}%]*+%\}")
_STOP = re.compile(r"[\"']|%\}|[{}]")
_STRING = {
    '"': re.compile(r'"[^"\\\n]*+(?:\\[^\n][^"\\\n]*+)*+"'),
    "'": re.compile(r"'[^'\\\n]*+(?:\\[^\n][^'\\\n]*+)*+'"),
}
_ENDRAW = re.compile(r"\{%([-+]?)\s*+(endraw)\s*+([-+]?)%\}")


def scan(text: str) -> list[Tag]:
    """All tags of a body in order; what lies between two of them is literal text.

    A tag that is not closed ends where the next one opens, behind a closing delimiter of the wrong kind, or at the
    end of its line, whichever comes first; reading goes on there.
    """
    return _Scanner(text).run()


class _Scanner:
    """State of one scan: what is known not to come any more, so that no search is made twice."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.tags: list[Tag] = []
        self.no_comment_end = False
        self.unterminated = {'"': -1, "'": -1}

    def run(self) -> list[Tag]:
        text = self.text
        pos = 0
        while (found := _OPEN.search(text, pos)) is not None:
            start = found.start()
            tag = self.comment(start) if text[start + 1] == "#" else self.tag(start)
            self.tags.append(tag)
            pos = self.raw_end(tag.end) if tag.kind == "raw" and tag.closed else tag.end
        return self.tags

    def comment(self, start: int) -> Tag:
        text = self.text
        inner = start + 3 if text[start + 2 : start + 3] in ("-", "+") else start + 2
        close = -1 if self.no_comment_end else text.find("#}", inner)
        strip_before = text.startswith("-", start + 2)
        if close < 0:
            self.no_comment_end = True
            return Tag("comment", start, inner, "", inner, inner, inner, strip_before, False, False, None)
        strip_after = close > inner and text[close - 1] == "-"
        return Tag("comment", start, close + 2, "", inner, inner, close, strip_before, strip_after, True, None)

    def tag(self, start: int) -> Tag:
        """The output or block tag that opens at `start`."""
        text = self.text
        block = text[start + 1] == "%"
        head = _HEAD.match(text, start)
        assert head is not None, "the caller saw the delimiter"
        inner = word_start = head.end()
        word = ""
        if block and (named := _WORD.match(text, inner)) is not None:
            word = named[0]
            inner = named.end()
        plain = (_PLAIN_BLOCK if block else _PLAIN_OUTPUT).match(text, inner)
        if plain is not None:
            end, closed, wrong = plain.end(), True, None
        else:
            end, closed, wrong = self.find_end(inner, "%}" if block else "}}")
        inner_end, strip_after = self.content_end(inner, end, block, closed, wrong)
        while inner < inner_end and text[inner].isspace():
            inner += 1
        kind: TagKind = "output" if not block else "raw" if word == "raw" else "block"
        return Tag(kind, start, end, word, word_start, inner, inner_end, head[1] == "-", strip_after, closed, wrong)

    def content_end(
        self, inner: int, end: int, block: bool, closed: bool, wrong: tuple[int, int] | None
    ) -> tuple[int, bool]:
        """Where the content ends, without closing delimiter, marker and blanks; whether the marker is `-`."""
        text = self.text
        last = end - 2 if closed else wrong[0] if wrong else end
        strip_after = False
        # Jinja2 knows `-}}`, `-%}` and `+%}`, but no `+}}`: there the `+` is an operator.
        if closed and last > inner and (text[last - 1] == "-" or (block and text[last - 1] == "+")):
            last -= 1
            strip_after = text[last] == "-"
        while last > inner and text[last - 1].isspace():
            last -= 1
        return max(last, inner), strip_after

    def find_end(self, pos: int, close: str) -> tuple[int, bool, tuple[int, int] | None]:
        """End of a tag whose content has quotes or braces; whether it is closed; what closes it wrongly."""
        text = self.text
        opened = pos
        depth = 0
        early = -1  # a closing delimiter that was passed because a brace was open
        wrong: tuple[int, int] | None = None
        stop = len(text)
        while (found := _STOP.search(text, pos)) is not None:
            at, sign = found.start(), found[0]
            pos = found.end()
            if sign in _STRING:
                after = self.string_end(at, sign)
                if after < 0:
                    return self.end_in_open_string(at, close)
                pos = after
            elif sign == "{":
                if text[pos : pos + 1] in ("{", "%", "#"):
                    stop = at
                    break
                depth += 1
            elif sign == close:
                return pos, True, None
            elif sign == "}" and depth:
                depth -= 1
                if early < 0 and close == "}}" and text.startswith("}}", at):
                    early = at + 2
            elif sign == "}" and text.startswith("}", pos):
                if close == "}}":
                    return pos + 1, True, None
                wrong = wrong or (at, pos + 1)
                pos += 1
            else:
                wrong = wrong or (at, pos)
        if early >= 0:
            return early, True, None
        if wrong is not None:
            return wrong[1], False, wrong
        line = text.find("\n", opened, stop)
        return (stop if line < 0 else line), False, None

    def end_in_open_string(self, at: int, close: str) -> tuple[int, bool, tuple[int, int] | None]:
        """End of a tag in which a quote opens at `at` and does not close on its line."""
        line = self.line_end(at)
        found = self.text.find(close, at, line)
        return (found + 2, True, None) if found >= 0 else (line, False, None)

    def string_end(self, at: int, quote: str) -> int:
        """One past the closing quote on the same line, or -1."""
        # Once one string has no end on its line, every quote of that kind behind it is an escaped one: a string that
        # began there would have no end either. Remembering this keeps a line of such quotes linear.
        if at < self.unterminated[quote]:
            return -1
        found = _STRING[quote].match(self.text, at)
        if found is not None:
            return found.end()
        self.unterminated[quote] = self.line_end(at)
        return -1

    def line_end(self, at: int) -> int:
        """Offset of the line feed that ends the line, or of the end of the text."""
        line = self.text.find("\n", at)
        return len(self.text) if line < 0 else line

    def raw_end(self, pos: int) -> int:
        """Take the `endraw` that closes a raw stretch; without one the rest of the body is literal."""
        found = _ENDRAW.search(self.text, pos)
        if found is None:
            return len(self.text)
        end = found.end()
        self.tags.append(
            Tag(
                "endraw",
                found.start(),
                end,
                "endraw",
                found.start(2),
                found.end(2),
                found.end(2),
                found[1] == "-",
                found[3] == "-",
                True,
                None,
            )
        )
        return end
