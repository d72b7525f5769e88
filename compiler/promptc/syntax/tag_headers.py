"""Take the content of a block tag apart: the target of `for` and `set`, the name of `include`."""

import re
from typing import NamedTuple

from promptc.syntax.build_expressions import RESERVED

NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")

NOT_BINDABLE = RESERVED | {"loop"}

_IN = re.compile(r"\bin\b\s*+")
_ASSIGN = re.compile(r"=(?!=)\s*+")
_HEADER_WORD = re.compile(
    # A pair `\\.` outside a quoted text is stepped over, or each of its quotes would be tried as a beginning.
    r"\\.|\"(?:[^\"\\]|\\.)*+\"|'(?:[^'\\]|\\.)*+'|[\[({]|[\])}]|(?<![\w.])(?:if|recursive)(?!\w)",
    re.DOTALL,
)
_QUOTED = re.compile(r"([\"'])([^\"'\\\n]*+)\1")


class Part(NamedTuple):
    """A stretch of a tag's content, in code points from the beginning of the body; empty where nothing stands."""

    start: int
    end: int


class ForHeader(NamedTuple):
    """`target in iterable [if test] [recursive]`; `target` is everything before `in`."""

    target: Part
    iterable: Part
    test: Part | None
    recursive: Part | None


class SetHeader(NamedTuple):
    """`target = value`."""

    target: Part
    value: Part


def split_for(text: str, start: int, end: int) -> ForHeader | None:
    """The parts of a `for` tag's content `text[start:end]`; None when it has no `in`."""
    found = _IN.search(text, start, end)
    if found is None:
        return None
    target = _trimmed(text, start, found.start())
    words = _top_level_words(text, found.end(), end)
    test_word = next((w for w in words if text[w.start : w.end] == "if"), None)
    recursive = next((w for w in words if text[w.start : w.end] == "recursive" and w.end == end), None)
    stop = recursive.start if recursive else end
    iterable = _trimmed(text, found.end(), test_word.start if test_word else stop)
    test = _trimmed(text, test_word.end, stop) if test_word else None
    return ForHeader(target, iterable, test, recursive)


def split_set(text: str, start: int, end: int) -> SetHeader | None:
    """The parts of a `set` tag's content `text[start:end]`; None when nothing is assigned."""
    found = _ASSIGN.search(text, start, end)
    if found is None:
        return None
    return SetHeader(_trimmed(text, start, found.start()), _trimmed(text, found.end(), end))


def quoted_name(text: str, start: int, end: int) -> Part | None:
    """The part between the quotes when the content is exactly one plain quoted text."""
    found = _QUOTED.fullmatch(text, start, end)
    return Part(*found.span(2)) if found else None


def _top_level_words(text: str, start: int, end: int) -> list[Part]:
    """Where `if` and `recursive` stand outside quotes and brackets."""
    depth = 0
    words: list[Part] = []
    for found in _HEADER_WORD.finditer(text, start, end):
        sign = found[0]
        if sign in "[({":
            depth += 1
        elif sign in "])}":
            depth -= 1
        elif depth == 0 and sign[0] not in "\"'":
            words.append(Part(*found.span()))
    return words


def _trimmed(text: str, start: int, end: int) -> Part:
    part = text[start:end]
    kept = part.strip()
    low = start + len(part) - len(part.lstrip()) if kept else start
    return Part(low, low + len(kept))
