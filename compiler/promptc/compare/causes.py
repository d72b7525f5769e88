"""Words for what happened: one sentence a finding."""

from unicodedata import combining

from promptc.compare.pairing import label
from promptc.compare.text_change import MAX_MIDDLE, TextChange
from promptc.compare.value_kind import value_kind
from promptc.compare.walk import Difference
from promptc.streams.json_value import JsonValue, encode
from promptc.streams.model import Element
from promptc.streams.result import ChangeClass

_SNIPPET = 40

_INVISIBLE = {
    "whitespace": "only white space differs",
    "line_endings": "only the line endings differ",
    "json_respelled": "the same JSON is spelled differently",
    "line_reorder": "the same lines stand in another order",
}


def cause_of_text(change: TextChange, a: str, b: str) -> str:
    """Why a text differs."""
    if max(change.end_a - change.at_a, change.end_b - change.at_b) > MAX_MIDDLE:
        return f"the texts differ over more than {MAX_MIDDLE:,} characters; changes behind the first are not told apart"
    if change.text_class == "unicode_normalisation":
        return f"only the Unicode normal form differs: {_points(a, change.at_a)} against {_points(b, change.at_b)}"
    if change.text_class == "lines_added":
        return f"{_count(change.lines, 'line')} added: {_snippet(b, change.at_b, change.end_b)}"
    if change.text_class == "lines_removed":
        return f"{_count(change.lines, 'line')} removed: {_snippet(a, change.at_a, change.end_a)}"
    if change.text_class in _INVISIBLE:
        return _INVISIBLE[change.text_class]
    was, now = _snippet(a, change.at_a, change.end_a), _snippet(b, change.at_b, change.end_b)
    if change.at_a == change.end_a:
        return f"text was added: {now}"
    if change.at_b == change.end_b:
        return f"text was removed: {was}"
    kind = value_kind(a, change.at_a, b, change.at_b)
    return f"{kind or 'the text'} changed: {was} became {now}"


def cause_of_difference(found: Difference) -> str:
    """Why two values differ where the difference is not one of text."""
    if found.kind == "type":
        return f"another type: {_json(found.value_a)} became {_json(found.value_b)}"
    if found.kind == "key_order":
        return "the keys of one object come in another order"
    if found.kind == "shape":
        return _shape(found)
    if found.kind == "respelled":
        return f"one number is spelled differently: {_json(found.value_a)} became {_json(found.value_b)}"
    if found.kind == "added":
        return f"the member {encode(found.name)} was added"
    if found.kind == "removed":
        return f"the member {encode(found.name)} was removed"
    if found.kind == "order":
        return "the items of one array come in another order"
    if found.kind == "items":
        return "the number of items in one array changed"
    return f"a value changed: {_json(found.value_a)} became {_json(found.value_b)}"


def _shape(found: Difference) -> str:
    if found.name is not None:
        return f"the member {encode(found.name)} is empty on one side and left out on the other"
    form = "a string became" if isinstance(found.value_a, str) else "blocks became"
    return f"the same text in another form: {form} {'a string' if isinstance(found.value_b, str) else 'blocks'}"


def cause_of_elements(change: ChangeClass, old: list[Element], new: list[Element]) -> str:
    """Why the elements of two streams differ as a list."""
    if change == "remove":
        return f"{_elements(old)} removed"
    if change == "insert":
        return f"{_elements(new)} inserted"
    if change == "reorder":
        return f"{_elements(old)} moved; the elements are the same in another order"
    if old and new and old[0].same_as(new[0]):
        return f"one block moved from `{old[0].pointer}` to `{new[0].pointer}`, into another message"
    return f"{_elements(old)} gave way to {_elements(new)}"


def cause_of_replacement(old: Element, new: Element) -> str:
    """Why two elements at one place are not one that changed."""
    if old.role != new.role:
        return f"another role: {encode(old.role)} became {encode(new.role)}"
    names = label(old).split(" ", 1)[1], label(new).split(" ", 1)[1]
    return f"one {old.kind} was replaced by another: {encode(names[0])} became {encode(names[1])}"


def _elements(elements: list[Element]) -> str:
    first = elements[0]
    noun = {"tool": "tool", "system": "system block", "content": "content block"}[first.kind]
    if first.kind != "tool":
        return _count(len(elements), noun)
    names = [encode(label(element).split(" ", 1)[1]) for element in elements[:3]]
    more = f" and {len(elements) - 3} more" if len(elements) > 3 else ""
    return f"{_count(len(elements), noun)} ({', '.join(names)}{more})"


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


def _snippet(text: str, start: int, end: int) -> str:
    cut = text[start : min(end, start + _SNIPPET)]
    return encode(cut) + ("…" if end - start > _SNIPPET else "")


def _json(value: JsonValue) -> str:
    text = encode(value)
    return text if len(text) <= _SNIPPET else text[:_SNIPPET] + "…"


def _points(text: str, start: int) -> str:
    """Code points of one letter and the marks on it."""
    end = start + 1
    while end < len(text) and combining(text[end]):
        end += 1
    return " ".join(f"U+{ord(character):04X}" for character in text[start:end])
