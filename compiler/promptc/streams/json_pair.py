"""Decodes two bodies of which the second repeats most of the first: what it repeats is taken over, not decoded again.

The arrays that are members of the first body are read item by item, with the place of each. Where the second body
has the same characters, up to the first that differs and again behind the last that does, its items are those of the
first one. So the second costs little more than finding where the two part.
"""

from bisect import bisect_left
from dataclasses import dataclass, field
from json.decoder import scanstring  # type: ignore[attr-defined]

from promptc.diagnostics.model import Diagnostic
from promptc.streams.common_prefix import common_prefix, common_suffix
from promptc.streams.json_decode import decode_json, inspected, scan_value
from promptc.streams.json_value import JsonObject, JsonValue

# Below this, finding out what is shared costs more than decoding.
MIN_BYTES = 1_000_000

Decoded = tuple[JsonValue, tuple[Diagnostic, ...]]


class _UnusualError(ValueError):
    """The text is no object, or is not JSON: it is left to the plain decoder, which says what is wrong."""


@dataclass(slots=True)
class _Array:
    """An array that is a member of the body.

    Attributes:
        starts: Where each item begins in the text.
        ends: Behind each item.
        fresh: Items that were decoded, and not taken over.
    """

    items: list[JsonValue] = field(default_factory=list)
    starts: list[int] = field(default_factory=list)
    ends: list[int] = field(default_factory=list)
    fresh: list[JsonValue] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class _Earlier:
    """What is known of the text from another one.

    Attributes:
        arrays: Of the other text, by member.
        head: Characters that both begin with.
        tail: Where the characters begin that both end with, in this text.
        shift: How much further on they stand in the other one.
    """

    arrays: dict[str, _Array] = field(default_factory=dict)
    head: int = 0
    tail: int = 0
    shift: int = 0


def decode_pair(a: tuple[bytes, str], b: tuple[bytes, str]) -> tuple[Decoded, Decoded]:
    """The values of two JSON texts, each exactly as `decode_json` gives it; equal items may be the same objects.

    Args:
        a: Bytes and name of the first text.
        b: Bytes and name of the second.

    Diagnostics:
        As of `decode_json`.
    """
    if min(len(a[0]), len(b[0])) < MIN_BYTES:
        return decode_json(*a), decode_json(*b)
    try:
        text_a, text_b = a[0].decode("utf-8-sig"), b[0].decode("utf-8-sig")
        first, arrays = _read(text_a, _Earlier())
        head = common_prefix(text_a, text_b)
        tail = common_suffix(text_a, text_b, head)
        earlier = _Earlier(arrays, head, len(text_b) - tail, len(text_a) - len(text_b))
        second, own = _read(text_b, earlier)
    except (ValueError, IndexError, StopIteration, RecursionError):
        return decode_json(*a), decode_json(*b)
    found_a = inspected(first, *a)
    if found_a == (first, ()):
        # What was taken over has been looked at with the first text.
        fresh = tuple((key, own[key].fresh if key in own else value) for key, value in second)
        # No character takes less than a byte, so this holds at least all that only the second text has.
        own_bytes = b[0][head : len(b[0]) - tail]
        if inspected(fresh, own_bytes, b[1]) == (fresh, ()):
            return found_a, (second, ())
    return found_a, inspected(second, *b)


def _read(text: str, earlier: _Earlier) -> tuple[JsonObject, dict[str, _Array]]:
    """The object in a text, and its arrays by member."""
    pairs: list[tuple[str, JsonValue]] = []
    arrays: dict[str, _Array] = {}
    at = _expect(text, _past_blanks(text, 0), "{")
    while text[at] != "}" or pairs:
        key, at = scanstring(text, _expect(text, at, '"', blanks=False), True)
        at = _expect(text, _past_blanks(text, at), ":")
        value: JsonValue
        if text[at] == "[":
            array, at = _array(text, at, earlier.arrays.get(key), earlier)
            arrays[key] = array
            value = array.items
        else:
            value, at = scan_value(text, at)
        pairs.append((key, value))
        at = _past_blanks(text, at)
        if text[at] == "}":
            break
        at = _expect(text, at, ",")
    if _past_blanks(text, at + 1) != len(text):
        raise _UnusualError
    return tuple(pairs), arrays


def _array(text: str, at: int, like: _Array | None, earlier: _Earlier) -> tuple[_Array, int]:
    """An array and where the text goes on behind it.

    Args:
        at: Its opening bracket.
        like: The array of the same member in the other text.
    """
    found = _Array()
    at = _past_blanks(text, at + 1)
    if text[at] == "]":
        return found, at + 1
    if like is not None and like.starts and like.starts[0] == at:
        # A number goes on until something else stands behind it, so that must be the same too.
        count = bisect_left(like.ends, earlier.head)
        if count:
            found.items.extend(like.items[:count])
            found.starts.extend(like.starts[:count])
            found.ends.extend(like.ends[:count])
            at = _past_blanks(text, like.ends[count - 1])
    while True:
        if len(found.items) and text[at] == "]":
            return found, at + 1
        if found.items:
            at = _expect(text, at, ",")
        if like is not None and at >= earlier.tail and _rest(found, like, at, earlier):
            return found, _expect(text, _past_blanks(text, found.ends[-1]), "]", blanks=False)
        value, end = scan_value(text, at)
        found.items.append(value)
        found.fresh.append(value)
        found.starts.append(at)
        found.ends.append(end)
        at = end if text[end] not in _BLANKS else _past_blanks(text, end)


def _rest(found: _Array, like: _Array, at: int, earlier: _Earlier) -> bool:
    """Take over all items from a place on, where an item of the other text stands at the same place of its end."""
    there = at + earlier.shift
    index = bisect_left(like.starts, there)
    if index == len(like.starts) or like.starts[index] != there:
        return False
    found.items.extend(like.items[index:])
    found.starts.extend(start - earlier.shift for start in like.starts[index:])
    found.ends.extend(end - earlier.shift for end in like.ends[index:])
    return True


def _past_blanks(text: str, at: int) -> int:
    while text[at : at + 1] in _BLANKS:
        at += 1
    return at


_BLANKS = frozenset(" \t\n\r")


def _expect(text: str, at: int, character: str, blanks: bool = True) -> int:
    """Behind a character that must stand here, and behind the blanks that follow it."""
    if text[at] != character:
        raise _UnusualError
    return _past_blanks(text, at + 1) if blanks else at + 1
