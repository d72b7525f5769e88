"""Attributes what fits no pattern by the lines that a section alone has: an older build, an edited or a joined prompt."""

from collections.abc import Iterable, Iterator, Sequence

from promptc.streams.attribution.model import Owner, Range
from promptc.streams.json_value import utf8_length
from promptc.streams.manifest_model import BranchPiece, LoopPiece, ManifestElement, PhasePiece, Piece, TextPiece

# Shorter lines are headings and bullets that many texts share.
MIN_LINE = 16


def known_lines(elements: Iterable[tuple[ManifestElement, Owner]]) -> dict[str, Owner]:
    """Lines of literal text that one section alone has, without the blanks around them."""
    found: dict[str, Owner | None] = {}
    for element, owner in elements:
        for text in _texts(element.pieces):
            for line in text.split("\n"):
                key = line.strip()
                if len(key) >= MIN_LINE:
                    found[key] = owner if found.get(key, owner) == owner else None
    return {line: owner for line, owner in found.items() if owner is not None}


def _texts(pieces: Sequence[Piece]) -> Iterator[str]:
    for piece in pieces:
        match piece:
            case TextPiece(text=text):
                yield text
            case BranchPiece(arms=arms, orelse=orelse):
                for arm in arms:
                    yield from _texts(arm.then)
                yield from _texts(orelse)
            case LoopPiece(body=body, orelse=orelse):
                yield from _texts(body)
                yield from _texts(orelse)
            case PhasePiece(pieces=inner):
                yield from _texts(inner)
            case _:
                pass


def by_lines(text: str, known: dict[str, Owner]) -> tuple[Range, ...] | None:
    """The ranges of a text, in bytes; None when no line of it is known.

    What stands between two lines of one section is that section's; between two sections, nobody's.
    """
    out: list[Range] = []
    at = open_from = 0
    last: Owner | None = None
    for line in text.split("\n"):
        size = utf8_length(line) + 1
        owner = known.get(line.strip())
        if owner is not None:
            if open_from < at:
                out.append(Range(open_from, at, owner, "lines", False) if owner == last else _nobody(open_from, at))
            out.append(Range(at, at + size, owner, "lines", True))
            last, open_from = owner, at + size
        at += size
    if not out:
        return None
    # The last line has no line end.
    end = at - 1
    if open_from < end:
        out.append(_nobody(open_from, end))
    elif out[-1].end > end:
        tail = out.pop()
        out.append(Range(tail.start, end, tail.owner, tail.by, tail.literal))
    return tuple(_joined(out))


def _nobody(start: int, end: int) -> Range:
    return Range(start, end, None, None, False)


def _joined(ranges: Sequence[Range]) -> list[Range]:
    out: list[Range] = []
    for found in ranges:
        last = out[-1] if out else None
        if last is not None and (last.owner, last.literal) == (found.owner, found.literal):
            out[-1] = Range(last.start, found.end, last.owner, last.by, last.literal)
        else:
            out.append(found)
    return out
