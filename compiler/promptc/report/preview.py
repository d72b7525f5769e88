"""`promptc preview`: every byte of a rendered request, section by section, with nothing invisible left."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from promptc.providers.tokens import TokenCount, estimate_tokens
from promptc.report.visible import visible
from promptc.runtime.request import Range

FORMAT = "promptc.preview/1"
_MARKERS = (b'"cache_control":', b'"cachePoint":', b'"prompt_cache_breakpoint":')
_OPEN, _CLOSE = "«", "»"
_KINDS = ("literal", "section", "interpolated", "seam", "conversation", "wire")


@dataclass(frozen=True, slots=True)
class Stretch:
    """Neighbouring bytes that one section, or the same thing outside sections, wrote.

    Attributes:
        what: Name of the section; `seam`, `conversation` or `wire` for what belongs to none.
        place: Where in the spec its first byte comes from; empty where there is none.
        parts: Text of each range, JSON escapes of string contents undone, and whether it is an inserted value.
        marker: Whether it holds a cache marker.
    """

    start: int
    end: int
    what: str
    kind: str
    place: str
    parts: tuple[tuple[str, bool], ...]
    marker: bool

    @property
    def text(self) -> str:
        """The whole text."""
        return "".join(text for text, _ in self.parts)


def stretches_of(body: bytes, ranges: Sequence[Range]) -> Iterator[Stretch]:
    """The bytes of a request in order, without gaps: what the prefix map leaves out is `wire`.

    Args:
        body: The bytes of the request.
        ranges: Its prefix map, in order and without overlaps.
    """
    for (what, outside), members in groupby(_whole(body, ranges), key=lambda r: (r.section or r.kind, not r.section)):
        row = list(members)
        start, end = row[0].start, row[-1].end
        parts = tuple((_text(body[r.start : r.end], r.kind), r.kind == "interpolated") for r in row)
        marker = outside and any(name in body[start:end] for name in _MARKERS) and row[0].kind == "wire"
        yield Stretch(start, end, what, row[0].kind if outside else "section", row[0].place, parts, marker)


def _whole(body: bytes, ranges: Sequence[Range]) -> Iterator[Range]:
    at = 0
    for found in ranges:
        if found.start > at:
            yield Range(at, found.start, "", "wire", "")
        yield found
        at = found.end
    if at < len(body):
        yield Range(at, len(body), "", "wire", "")


def _text(data: bytes, kind: str) -> str:
    raw = data.decode("utf-8", "replace")
    if kind == "wire":
        return raw
    try:
        # What stands inside a JSON string is shown as the text that it spells; whole values fail here and stay JSON.
        return str(json.loads(f'"{raw}"'))
    except ValueError:
        return raw


def preview_text(body: bytes, ranges: Sequence[Range], model: str | None = None) -> str:
    """The request for a person, with a final newline.

    Every stretch has a heading with its byte range, and its text below: a line end is shown as `␊` and ends the line,
    blanks in front of one are dots, inserted values stand between `«` and `»`. Characters that control a terminal or
    cannot be seen are written by name.

    Args:
        model: Model that tokens are estimated for.
    """
    found = tuple(stretches_of(body, ranges))
    width = len(str(len(body)))
    lines: list[str] = []
    for stretch in found:
        lines.append(_heading(stretch, width, model))
        shown = "".join(f"{_OPEN}{text}{_CLOSE}" if inserted else text for text, inserted in stretch.parts)
        lines += [f"    {row}" for row in _rows(shown)]
    return "\n".join([*lines, "", *_summary(body, ranges, found, model)]) + "\n"


def _heading(stretch: Stretch, width: int, model: str | None) -> str:
    size = stretch.end - stretch.start
    text = f"{stretch.start:>{width}}..{stretch.end:<{width}}  {visible(stretch.what)}"
    if stretch.kind in ("section", "conversation"):
        count = stretch.text.count("\n") + 1
        tokens = estimate_tokens(stretch.text, model).value
        text += f"  {size:,} bytes, {count:,} {'line' if count == 1 else 'lines'}, ~{tokens:,} tokens"
    else:
        text += f"  {size:,} {'byte' if size == 1 else 'bytes'}"
    if stretch.place:
        text += f"  {visible(stretch.place)}"
    return text + ("  cache marker" if stretch.marker else "")


def _rows(text: str) -> Iterator[str]:
    rows = text.split("\n")
    for index, row in enumerate(rows):
        bare = row.rstrip(" ")
        dots = "·" * (len(row) - len(bare))
        last = index == len(rows) - 1
        if not (last and index and not row):
            yield visible(bare) + dots + ("" if last else "␊")


def _summary(body: bytes, ranges: Sequence[Range], found: Sequence[Stretch], model: str | None) -> Iterator[str]:
    sizes = dict.fromkeys(_KINDS, 0)
    for piece in _whole(body, ranges):
        sizes[piece.kind] = sizes.get(piece.kind, 0) + piece.end - piece.start
    named = {
        "literal": "literal text",
        "section": "sections as a whole",
        "interpolated": "inserted values",
        "seam": "seams",
        "conversation": "conversation",
        "wire": "the format's own",
    }
    parts = ", ".join(f"{named.get(kind, kind)} {size:,}" for kind, size in sizes.items() if size)
    tokens = _tokens(found, model)
    yield f"{len(body):,} bytes: {parts}"
    yield f"~{tokens.value:,} tokens of text ({tokens.method}, mean error {tokens.error:.1%})"
    last = max((s.start for s in found if s.marker), default=None)
    if last is None:
        yield "no cache marker"
    else:
        yield f"in front of the last cache marker: {last:,} bytes, {last / len(body):.0%}"


def _tokens(found: Sequence[Stretch], model: str | None) -> TokenCount:
    return estimate_tokens("".join(s.text for s in found if s.kind != "wire"), model)


def preview_json(body: bytes, ranges: Sequence[Range]) -> dict[str, Any]:
    """The same as plain data: every stretch with its range and its text."""
    return {
        "format": FORMAT,
        "bytes": len(body),
        "stretches": [
            {
                "start": s.start,
                "end": s.end,
                "what": s.what,
                "kind": s.kind,
                "place": s.place,
                "marker": s.marker,
                "parts": [{"text": text, "inserted": inserted} for text, inserted in s.parts],
            }
            for s in stretches_of(body, ranges)
        ],
    }
