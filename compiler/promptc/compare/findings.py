"""Divergences to findings: the exact place, the class, the cause and the certainty of each."""

from collections.abc import Iterator, Sequence
from typing import TypedDict

from promptc.compare.causes import cause_of_difference, cause_of_elements, cause_of_replacement, cause_of_text
from promptc.compare.divergences import Divergence
from promptc.compare.pairing import label
from promptc.compare.places import excerpt, place_of_difference
from promptc.compare.text_change import TextChange, text_changes
from promptc.compare.walk import Difference, DifferenceKind, element_differences
from promptc.streams.common_prefix import common_prefix
from promptc.streams.json_value import encode
from promptc.streams.model import Element, Piece
from promptc.streams.result import Certainty, ChangeClass, Finding, SpecPlace, TextClass

MAX_FINDINGS = 200

_CLASS: dict[DifferenceKind, ChangeClass] = {"key_order": "key_order", "shape": "shape", "order": "reorder"}
# Key order breaks caches in many reports, and the vendors warn of it; that a string equals its one block is documented
# by one and contradicted by measurements. A number that means the same may be rendered alike after parsing.
_CERTAINTY: dict[DifferenceKind, Certainty] = {
    "key_order": "measured",
    "shape": "contested",
    "respelled": "provider_dependent",
}


class _WrittenBy(TypedDict):
    """Who wrote the place of a finding, in the words of `Finding`."""

    section: str | None
    span: SpecPlace | None
    by: str | None
    inserted: bool


def findings_of(a: Sequence[Element], b: Sequence[Element], found: list[Divergence]) -> tuple[list[Finding], int]:
    """Findings in stream order, and how many places were left out because there are too many."""
    out: list[Finding] = []
    for index, divergence in enumerate(found):
        if len(out) >= MAX_FINDINGS:
            return out[:MAX_FINDINGS], len(out) - MAX_FINDINGS + len(found) - index
        out.extend(_of_divergence(a, b, divergence))
    return out[:MAX_FINDINGS], max(len(out) - MAX_FINDINGS, 0)


def _of_divergence(a: Sequence[Element], b: Sequence[Element], found: Divergence) -> Iterator[Finding]:
    old = a[found.at_a] if found.at_a < len(a) else None
    new = b[found.at_b] if found.at_b < len(b) else None
    if found.change_class == "edit" and old is not None and new is not None:
        yield from _edits(old, new)
        return
    cause = cause_of_elements(found.change_class, [a[i] for i in found.old], [b[j] for j in found.new])
    yield _at_elements(old, new, found.change_class, None, cause)


def _edits(old: Element, new: Element) -> Iterator[Finding]:
    if old.role != new.role or label(old) != label(new):
        text_class: TextClass | None = None if old.role != new.role else _first_text_class(old, new)
        yield _at_elements(old, new, "edit", text_class, cause_of_replacement(old, new))
        return
    for found in element_differences(old, new):
        if found.kind == "text" and isinstance(found.value_a, str) and isinstance(found.value_b, str):
            for change in text_changes(found.value_a, found.value_b):
                yield _text_finding(old, new, found, change)
        else:
            yield _value_finding(old, new, found)


def _first_text_class(old: Element, new: Element) -> TextClass | None:
    first = next(element_differences(old, new), None)
    if first is None or first.kind != "text":
        return None
    if isinstance(first.value_a, str) and isinstance(first.value_b, str):
        return text_changes(first.value_a, first.value_b)[0].text_class
    return None


def _text_finding(old: Element, new: Element, found: Difference, change: TextChange) -> Finding:
    text_a, text_b = str(found.value_a), str(found.value_b)
    place = place_of_difference(text_a, text_b, change.at_a, change.at_b)
    there = place_of_difference(text_b, text_a, change.at_b, change.at_a)
    piece = _piece(old, new, place.byte_offset, there.byte_offset)
    return Finding(
        pointer_a=found.pointer_a,
        pointer_b=found.pointer_b,
        byte_offset=place.byte_offset,
        char_offset=place.char_offset,
        line=place.line,
        column=place.column,
        rest_a=excerpt(text_a, change.at_a),
        rest_b=excerpt(text_b, change.at_b),
        change_class="edit",
        text_class=change.text_class,
        cause=cause_of_text(change, text_a, text_b),
        **_written_by(piece),
        certainty="derived" if change.text_class == "unicode_normalisation" else "documented",
        char_offset_b=change.at_b,
    )


def _value_finding(old: Element, new: Element, found: Difference) -> Finding:
    text_class: TextClass | None = (
        "json_respelled" if found.kind == "respelled" else "value" if found.kind == "scalar" else None
    )
    return _plain(old, new, found, _CLASS.get(found.kind, "edit"), text_class, cause_of_difference(found))


def _plain(
    old: Element | None,
    new: Element | None,
    found: Difference,
    change_class: ChangeClass,
    text_class: TextClass | None,
    cause: str,
) -> Finding:
    """A finding at one difference; with offsets where both sides are text."""
    a, b = found.value_a, found.value_b
    piece = _piece(old, new, 0, 0)
    if isinstance(a, str) and isinstance(b, str):
        at = common_prefix(a, b)
        place = place_of_difference(a, b, at, at)
        offsets = (place.byte_offset, place.char_offset, place.line, place.column)
        rests: tuple[str | None, str | None] = (excerpt(a, at), excerpt(b, at))
    else:
        offsets = None
        rests = (_shown(found, "removed"), _shown(found, "added"))
    return Finding(
        pointer_a=found.pointer_a,
        pointer_b=found.pointer_b,
        byte_offset=offsets[0] if offsets else None,
        char_offset=offsets[1] if offsets else None,
        line=offsets[2] if offsets else None,
        column=offsets[3] if offsets else None,
        rest_a=rests[0],
        rest_b=rests[1],
        change_class=change_class,
        text_class=text_class,
        cause=cause,
        **_written_by(piece),
        certainty=_CERTAINTY.get(found.kind, "documented"),
        char_offset_b=offsets[1] if offsets else None,
    )


def _shown(found: Difference, only_side: DifferenceKind) -> str | None:
    """Excerpt of one side of a difference; None for the side that has nothing."""
    value = found.value_a if only_side == "removed" else found.value_b
    if value is None and found.kind in ("added", "removed", "items", "shape"):
        return None
    return excerpt(value if isinstance(value, str) else encode(value))


def _at_elements(
    old: Element | None, new: Element | None, change_class: ChangeClass, text_class: TextClass | None, cause: str
) -> Finding:
    """A finding about whole elements, at the first place where what stands on the two sides differs."""
    if old is not None and new is not None and old.kind == new.kind and old.role == new.role:
        first = next(element_differences(old, new), None)
        if first is not None:
            return _plain(old, new, first, change_class, text_class, cause).model_copy(
                update={"certainty": "documented"}
            )
    # What is gone was written by the older side.
    piece = _piece(old, None if change_class == "remove" else new, 0, 0)
    return Finding(
        pointer_a=old.pointer if old else None,
        pointer_b=new.pointer if new else None,
        byte_offset=None,
        char_offset=None,
        line=None,
        column=None,
        rest_a=_beginning(old),
        rest_b=_beginning(new),
        change_class=change_class,
        text_class=text_class,
        cause=cause,
        **_written_by(piece),
    )


def _beginning(element: Element | None) -> str | None:
    if element is None:
        return None
    text = element.text
    return excerpt(encode(element.value) if text is None else text)


def _piece(old: Element | None, new: Element | None, byte_old: int, byte_new: int) -> Piece | None:
    """The section that wrote the place: that of the newer side first, since its byte is the one that broke."""
    for element, byte in ((new, byte_new), (old, byte_old)):
        piece = element.piece_at(byte) if element is not None else None
        if piece is not None:
            return piece
    return None


def _written_by(piece: Piece | None) -> _WrittenBy:
    if piece is None:
        return {"section": None, "span": None, "by": None, "inserted": False}
    place = None if piece.path is None else SpecPlace(path=piece.path, line=piece.line, column=piece.column)
    return {"section": piece.section, "span": place, "by": piece.by, "inserted": piece.inserted}
