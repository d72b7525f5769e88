"""Find the tags of a Handlebars or Mustache template, and settle its white space."""

import re
from typing import Literal, NamedTuple, TypeAlias

Kind: TypeAlias = Literal["output", "open", "inverse", "else", "close", "partial", "block_partial", "comment"]

_OPEN = re.compile(r"\\?\{\{")
_TAG = re.compile(r"\{\{(~?)([#/^>!&]|#>|else\b)?\s*")
_BLANK_TO_LINE = re.compile(r"[ \t]*(?:\n|\Z)")
# What leaves no line where it has one to itself.
_STANDALONE = frozenset({"open", "inverse", "else", "close", "partial", "block_partial", "comment"})


class Tag(NamedTuple):
    """One tag; positions are code points of the template's text."""

    kind: Kind
    start: int
    end: int
    inner_start: int
    inner_end: int
    strip_before: bool
    strip_after: bool


class Unclosed(NamedTuple):
    """A tag without its end."""

    start: int


def scan(text: str) -> tuple[list[Tag], list[int], Unclosed | None]:
    """The tags of a template; offsets of backslashes that make a tag text; the first tag that is not closed."""
    tags: list[Tag] = []
    escapes: list[int] = []
    at = 0
    while (found := _OPEN.search(text, at)) is not None:
        if found[0].startswith("\\"):
            escapes.append(found.start())
            at = found.end()
            continue
        start = found.start()
        tag = _comment(text, start) or _tag(text, start)
        if tag is None:
            return tags, escapes, Unclosed(start)
        tags.append(tag)
        at = tag.end
    return tags, escapes, None


def _comment(text: str, start: int) -> Tag | None:
    mark = re.compile(r"\{\{~?!").match(text, start)
    if mark is None:
        return None
    long = text.startswith("--", mark.end())
    close = re.compile(r"--~?\}\}" if long else r"~?\}\}").search(text, mark.end() + 2 * long)
    if close is None:
        return None
    before, after = text[start + 2] == "~", "~" in close[0]
    return Tag("comment", start, close.end(), mark.end(), close.start(), before, after)


def _tag(text: str, start: int) -> Tag | None:
    triple = text.startswith("{{{", start)
    opening = start + 1 if triple else start
    head = _TAG.match(text, opening)
    close_text = "}}}" if triple else "}}"
    close = text.find(close_text, opening)
    inside = text.find("{{", opening + 2)
    if head is None or close < 0 or 0 <= inside < close:
        return None
    end = close + len(close_text)
    after = text[close - 1] == "~"
    inner_end = close - after
    sign, inner_start = head[2] or "", head.end()
    kind: Kind = "output"
    if sign == "#" and text.startswith(">", inner_start):
        kind, inner_start = "block_partial", inner_start + 1
    elif sign == "^" and not text[inner_start:inner_end].strip():
        kind = "else"
    elif sign:
        kinds: dict[str, Kind] = {"#": "open", "/": "close", "^": "inverse", ">": "partial", "else": "else"}
        kind = kinds.get(sign, "output")
    inner = text[inner_start:inner_end]
    inner_start += len(inner) - len(inner.lstrip())
    return Tag(
        kind,
        start,
        end,
        inner_start,
        max(inner_start, inner_end - (len(inner) - len(inner.rstrip()))),
        bool(head[1]),
        after,
    )


def literals(text: str, tags: list[Tag]) -> list[tuple[int, int]]:
    """The literal text before each tag and behind the last, after `~` and lines that hold one tag alone."""
    starts = [0, *(tag.end for tag in tags)]
    ends = [*(tag.start for tag in tags), len(text)]
    for index, tag in enumerate(tags):
        if tag.kind in _STANDALONE:
            low, high = starts[index], ends[index + 1]
            line = text.rfind("\n", low, tag.start) + 1 or (0 if low == 0 else -1)
            if index and line <= 0 and text[low - 1 : low] == "\n":
                line = low
            behind = _BLANK_TO_LINE.match(text, tag.end, len(text))
            alone = line >= 0 and line >= low and not text[line : tag.start].strip(" \t")
            if alone and behind is not None and behind.end() <= max(high, tag.end):
                ends[index] = min(ends[index], max(line, starts[index]))
                starts[index + 1] = behind.end()
    for index, tag in enumerate(tags):
        if tag.strip_before:
            while ends[index] > starts[index] and text[ends[index] - 1].isspace():
                ends[index] -= 1
        if tag.strip_after:
            while starts[index + 1] < ends[index + 1] and text[starts[index + 1]].isspace():
                starts[index + 1] += 1
    return [(start, max(start, end)) for start, end in zip(starts, ends, strict=True)]
