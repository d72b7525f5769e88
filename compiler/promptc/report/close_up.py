"""A close look at one divergence as HTML: both texts around it, what differs marked, and the bytes themselves."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from html import escape
from itertools import pairwise
from typing import TypeAlias

from promptc.report.page import safe
from promptc.report.texts_at import TextPair
from promptc.report.visible import visible
from promptc.streams.result import Finding

_BEFORE, _AFTER = 160, 240
_HEX_AROUND = 32
# Eight bytes fit on a phone with their offset and their characters.
_HEX_ROW = 8
# Code points between two marks that are worth showing as the same.
_APART = 8
_WORD = re.compile(r"\w+|\s|.", re.DOTALL)

Stretch: TypeAlias = tuple[int, int]


@dataclass(frozen=True, slots=True)
class _Look:
    """How text is shown: plain spaces as dots, combining marks as code points."""

    blanks: bool
    marks: bool

    def shown(self, text: str) -> str:
        """Escaped; every line end is seen, and ends the line too."""
        lines = text.split("\n")
        # The picture of a line feed is in few fonts, and stands at the end of every line here.
        return "↵\n".join(escape(visible(line, self.blanks, self.marks)) for line in lines)


def close_up(found: Finding, pair: TextPair | None) -> Iterator[str]:
    """Both sides of a finding.

    Args:
        pair: The texts that it compares; None where only its excerpts are known.
    """
    look = _Look(found.text_class == "whitespace", found.text_class == "unicode_normalisation")
    if pair is None:
        lead_a, lead_b, rest_a, rest_b = "", "", found.rest_a, found.rest_b
        cut_a = cut_b = False
    else:
        lead_a, lead_b = _lead(pair.text_a, pair.at_a), _lead(pair.text_b, pair.at_b)
        rest_a, rest_b = pair.text_a[pair.at_a :][:_AFTER], pair.text_b[pair.at_b :][:_AFTER]
        cut_a, cut_b = len(pair.text_a) > pair.at_a + _AFTER, len(pair.text_b) > pair.at_b + _AFTER
    if found.text_class in ("lines_added", "lines_removed"):
        marks_a, marks_b = _line_marks(rest_a or "", rest_b or "", found.text_class == "lines_added")
    else:
        marks_a, marks_b = _marks(rest_a or "", rest_b or "", cut_a, cut_b)
    yield '<div class="sides">'
    yield _side("was", lead_a, rest_a, marks_a, cut_a, look)
    yield _side("is", lead_b, rest_b, marks_b, cut_b, look)
    yield "</div>"
    if pair is not None:
        yield "<details><summary>the bytes</summary>"
        yield '<div class="sides">'
        yield from _bytes("was", pair.text_a, pair.at_a, pair.byte_a)
        yield from _bytes("is", pair.text_b, pair.at_b, pair.byte_b)
        yield "</div></details>"


def _lead(text: str, at: int) -> str:
    start = max(at - _BEFORE, 0)
    lead = text[start:at]
    # Two lines tell where one is; more push the divergence off a small screen.
    lines = lead.split("\n")
    return ("…" if start and len(lines) < 3 else "") + "\n".join(lines[-3:])


def _marks(a: str, b: str, cut_a: bool, cut_b: bool) -> tuple[list[Stretch], list[Stretch]]:
    """Stretches of each side that the other has not, from the divergence on."""
    words_a, words_b = _WORD.findall(a), _WORD.findall(b)
    places_a, places_b = _places(words_a), _places(words_b)
    codes = SequenceMatcher(None, words_a, words_b, autojunk=False).get_opcodes()
    if len(codes) > 1 and codes[-1][0] != "equal" and (cut_a or cut_b):
        # The windows end at different places of the texts; what is left over there is no difference.
        codes.pop()
    marks_a: list[Stretch] = []
    marks_b: list[Stretch] = []
    for kind, start_a, end_a, start_b, end_b in codes:
        if kind != "equal":
            _mark(marks_a, places_a[start_a], places_a[end_a])
            _mark(marks_b, places_b[start_b], places_b[end_b])
    return marks_a, marks_b


def _mark(marks: list[Stretch], start: int, end: int) -> None:
    """Add a stretch; a word or two between two of them is chance, and no reader wants it apart."""
    if marks and start - marks[-1][1] < _APART:
        marks[-1] = (marks[-1][0], end)
    elif start < end:
        marks.append((start, end))


def _line_marks(a: str, b: str, added: bool) -> tuple[list[Stretch], list[Stretch]]:
    """Of lines that only one side has: those lines, up to where the other side goes on."""
    longer, other = (b, a) if added else (a, b)
    onward = other.partition("\n")[0][:_BEFORE]
    end = longer.find(onward) if onward.strip() else -1
    whole: list[Stretch] = [(0, end if end > 0 else len(longer))] if longer else []
    return ([], whole) if added else (whole, [])


def _places(words: Sequence[str]) -> list[int]:
    places = [0]
    for word in words:
        places.append(places[-1] + len(word))
    return places


def _side(name: str, lead: str, rest: str | None, marks: list[Stretch], cut: bool, look: _Look) -> str:
    if rest is None:
        inside = '<span class="none">nothing here</span>'
    else:
        inside = f'<span class="lead">{look.shown(lead)}</span>' if lead else ""
        inside += _marked(rest, marks, look) if rest else '<span class="at end">end of the text</span>'
        inside += "…" if cut else ""
    return f'<figure><figcaption>{name}</figcaption><pre class="{name}">{inside}</pre></figure>'


def _marked(rest: str, marks: list[Stretch], look: _Look) -> str:
    """What follows the divergence; its first character is boxed, for there the bytes part."""
    edges = sorted({0, 1, len(rest), *(edge for mark in marks for edge in mark)})
    parts: list[str] = []
    for start, end in pairwise(edges):
        shown = look.shown(rest[start:end])
        if start == 0:
            shown = f'<b class="at">{shown}</b>'
        differs = any(first <= start and end <= last for first, last in marks)
        parts.append(f"<mark>{shown}</mark>" if differs else shown)
    return "".join(parts)


def _bytes(name: str, text: str, at: int, byte: int) -> Iterator[str]:
    before = _encoded(text[max(at - _HEX_AROUND, 0) : at])
    after = _encoded(text[at : at + _HEX_AROUND + 1])
    # The differing byte may stand inside the character at the place.
    whole = len(_encoded(text[:at]))
    data, first = before + after, whole - len(before)
    start = max(byte - _HEX_AROUND, first)
    data = data[start - first : byte - first + _HEX_AROUND]
    yield f"<figure><figcaption>{name}, byte {byte:,}</figcaption>"
    yield f'<pre class="hex" tabindex="0" role="region" aria-label="{name}: the bytes around {byte}">'
    width = len(str(start + len(data)))
    yield "\n".join(_hex_row(start + i, data[i : i + _HEX_ROW], byte, width) for i in range(0, len(data), _HEX_ROW))
    if byte >= start + len(data):
        yield '<b class="at end">end of the text</b>'
    yield "</pre></figure>"


def _hex_row(start: int, data: bytes, byte: int, width: int) -> str:
    def boxed(index: int, shown: str) -> str:
        return f'<b class="at">{shown}</b>' if start + index == byte else shown

    digits = " ".join(boxed(i, f"{value:02x}") for i, value in enumerate(data))
    padding = " " * (3 * (_HEX_ROW - len(data)))
    letters = "".join(boxed(i, safe(chr(value)) if 32 <= value < 127 else "·") for i, value in enumerate(data))
    return f'<span class="lead">{start:>{width}}</span>  {digits}{padding}  {letters}'


def _encoded(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")
