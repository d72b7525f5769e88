"""Walks two JSON values side by side and yields where they differ, in the order in which they were sent."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, TypeAlias

from promptc.streams.json_value import JsonObject, JsonValue, escape, has_member, member, same_number
from promptc.streams.model import Element, plain_text

DifferenceKind: TypeAlias = Literal[
    "text", "type", "scalar", "respelled", "key_order", "shape", "added", "removed", "items", "order"
]


@dataclass(frozen=True, slots=True)
class Difference:
    """One place where two values differ.

    Attributes:
        kind: What differs.
        pointer_a: Place in the first request; for something added, what stands where it would be.
        pointer_b: Place in the second.
        value_a: What is at the first place; None where nothing is (and for null).
        value_b: What is at the second.
        name: Key that was added or removed, or the first key out of order.
    """

    kind: DifferenceKind
    pointer_a: str
    pointer_b: str
    value_a: JsonValue = None
    value_b: JsonValue = None
    name: str | None = None


def element_differences(a: Element, b: Element) -> Iterator[Difference]:
    """Differences of two elements of one kind."""
    for found in _walk(a.value, b.value, a.at, b.at, block=True):
        # A string and its one block have different pointers; the member that changed its form holds them both.
        if found.kind == "shape" and found.pointer_a == a.at and found.pointer_b == b.at:
            yield Difference("shape", a.container, b.container, found.value_a, found.value_b)
        else:
            yield found


def _walk(a: JsonValue, b: JsonValue, at_a: str, at_b: str, block: bool = False) -> Iterator[Difference]:
    if a == b and type(a) is type(b):
        return
    if isinstance(a, str) and isinstance(b, str):
        yield Difference("text", at_a, at_b, a, b)
    elif isinstance(a, tuple) and isinstance(b, tuple):
        yield from _objects(a, b, at_a, at_b, block)
    elif isinstance(a, list) and isinstance(b, list):
        yield from _lists(a, b, at_a, at_b, block)
    elif isinstance(a, bytes) and isinstance(b, bytes):
        yield Difference("respelled" if same_number(a, b) else "scalar", at_a, at_b, a, b)
    else:
        text_a, text_b = text_in(a), text_in(b)
        if text_a is None or text_b is None:
            yield Difference("scalar", at_a, at_b, a, b)
        elif text_a[0] == text_b[0]:
            yield Difference("shape", at_a, at_b, a, b)
        else:
            yield Difference("text", at_a + text_a[1], at_b + text_b[1], text_a[0], text_b[0])


def text_in(value: JsonValue) -> tuple[str, str] | None:
    """The text that a string, a text block or a list of one text block says, and its pointer inside."""
    if isinstance(value, list) and len(value) == 1:
        text = plain_text(value[0])
        return None if text is None else (text, "/0" if isinstance(value[0], str) else "/0/text")
    text = plain_text(value)
    return None if text is None else (text, "" if isinstance(value, str) else "/text")


def _objects(a: JsonObject, b: JsonObject, at_a: str, at_b: str, block: bool) -> Iterator[Difference]:
    if block and has_member(a, "type") and has_member(b, "type") and member(a, "type") != member(b, "type"):
        # Another kind of block: nothing below can be compared.
        yield Difference("type", f"{at_a}/type", f"{at_b}/type", member(a, "type"), member(b, "type"))
        return
    keys_a, keys_b = _keys(a), _keys(b)
    if keys_a == keys_b:
        for key in keys_a:
            yield from _member(a, b, key, at_a, at_b)
        return
    placed: list[tuple[int, int, Difference]] = []
    for index, key in enumerate(keys_a):
        if key in keys_b:
            placed.extend((index, 2, found) for found in _member(a, b, key, at_a, at_b))
        else:
            there = f"{at_b}/{escape(list(keys_b)[index])}" if index < len(keys_b) else at_b
            placed.append((index, 1, _one_sided("removed", f"{at_a}/{escape(key)}", there, member(a, key), key)))
    for index, key in enumerate(keys_b):
        if key not in keys_a:
            there = f"{at_a}/{escape(list(keys_a)[index])}" if index < len(keys_a) else at_a
            placed.append((index, 1, _one_sided("added", there, f"{at_b}/{escape(key)}", member(b, key), key)))
    order = _order_difference(a, b, keys_a, keys_b, at_a, at_b)
    if order is not None:
        placed.append((keys_a[order.name or ""], 0, order))
    yield from (found for _, _, found in sorted(placed, key=lambda entry: entry[:2]))


def _keys(value: JsonObject) -> dict[str, int]:
    """Keys with their places; of duplicates the first place."""
    places: dict[str, int] = {}
    for key, _ in value:
        places.setdefault(key, len(places))
    return places


def _member(a: JsonObject, b: JsonObject, key: str, at_a: str, at_b: str) -> Iterator[Difference]:
    part = escape(key)
    return _walk(member(a, key), member(b, key), f"{at_a}/{part}", f"{at_b}/{part}", block=key == "content")


def _one_sided(
    kind: Literal["added", "removed"], pointer_a: str, pointer_b: str, value: JsonValue, key: str
) -> Difference:
    # Leaving a member out and sending it empty are two spellings of one thing.
    empty = value is None or value == "" or value == []
    old, new = (None, value) if kind == "added" else (value, None)
    return Difference("shape" if empty else kind, pointer_a, pointer_b, old, new, key)


def _order_difference(
    a: JsonObject, b: JsonObject, keys_a: dict[str, int], keys_b: dict[str, int], at_a: str, at_b: str
) -> Difference | None:
    shared_a = [key for key in keys_a if key in keys_b]
    shared_b = [key for key in keys_b if key in keys_a]
    for key_a, key_b in zip(shared_a, shared_b, strict=True):
        if key_a != key_b:
            pointers = (f"{at_a}/{escape(key_a)}", f"{at_b}/{escape(key_b)}")
            return Difference("key_order", *pointers, ((key_a, member(a, key_a)),), ((key_b, member(b, key_b)),), key_a)
    return None


def _lists(a: list[JsonValue], b: list[JsonValue], at_a: str, at_b: str, block: bool) -> Iterator[Difference]:
    head = next((i for i, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))
    if len(a) == len(b):
        if sorted(map(repr, a)) == sorted(map(repr, b)):
            yield Difference("order", f"{at_a}/{head}", f"{at_b}/{head}", a[head], b[head])
            return
        for index in range(head, len(a)):
            yield from _walk(a[index], b[index], f"{at_a}/{index}", f"{at_b}/{index}", block)
        return
    yield Difference(
        "items",
        f"{at_a}/{head}" if head < len(a) else at_a,
        f"{at_b}/{head}" if head < len(b) else at_b,
        a[head] if head < len(a) else None,
        b[head] if head < len(b) else None,
    )
