"""JSON as it was sent: key order, number spelling and duplicate keys kept.

An object is a tuple of pairs, an array a list, a number the bytes of its spelling; so two values are equal exactly when
they were sent alike, apart from blanks between tokens and the escapes inside strings, which a server never sees.
"""

from decimal import Decimal, InvalidOperation
from json.encoder import encode_basestring
from typing import Any, TypeAlias

JsonValue: TypeAlias = "str | bytes | bool | list[JsonValue] | tuple[tuple[str, JsonValue], ...] | None"
JsonObject: TypeAlias = tuple[tuple[str, JsonValue], ...]


def member(value: JsonValue, key: str) -> JsonValue:
    """The member of an object; None when absent or not an object. Of duplicate keys the last counts, as for servers."""
    found: JsonValue = None
    if isinstance(value, tuple):
        for name, item in value:
            if name == key:
                found = item
    return found


def has_member(value: JsonValue, key: str) -> bool:
    """Whether an object has a key."""
    return isinstance(value, tuple) and any(name == key for name, _ in value)


def without(value: JsonObject, *keys: str) -> JsonObject:
    """The object without some members."""
    return tuple(pair for pair in value if pair[0] not in keys)


def with_member(value: JsonObject, key: str, item: JsonValue) -> JsonObject:
    """The object with the value of an existing key replaced, in its place."""
    return tuple((name, item if name == key else old) for name, old in value)


def pointer(*parts: str | int) -> str:
    """A JSON pointer of unescaped parts (RFC 6901)."""
    return "".join(f"/{escape(part) if isinstance(part, str) else part}" for part in parts)


def escape(part: str) -> str:
    """One part of a JSON pointer, escaped."""
    return part.replace("~", "~0").replace("/", "~1")


def encode(value: JsonValue) -> str:
    """Compact JSON text with key order and number spelling as sent; non-ASCII characters stand for themselves."""
    if isinstance(value, str):
        return encode_basestring(value)
    if isinstance(value, tuple):
        return "{" + ",".join([f"{encode_basestring(key)}:{encode(item)}" for key, item in value]) + "}"
    if isinstance(value, list):
        return "[" + ",".join([encode(item) for item in value]) + "]"
    if isinstance(value, bytes):
        return value.decode("ascii")
    return "null" if value is None else "true" if value else "false"


def plain(value: JsonValue) -> Any:
    """The value as `json.loads` gives it; of duplicate keys the last counts, numbers beyond any arithmetic are infinite."""
    if isinstance(value, tuple):
        return {key: plain(item) for key, item in value}
    if isinstance(value, list):
        return [plain(item) for item in value]
    if isinstance(value, bytes):
        return _number(value)
    return value


def _number(spelling: bytes) -> int | float:
    try:
        return int(spelling)
    except ValueError:
        # A fraction, or more digits than Python converts.
        return float(spelling)


# Characters that JSON escapes with one more character, and those that it needs five more for.
_SHORT_ESCAPES = b'"\\\b\f\n\r\t'
# From here on, three passes that write nothing are faster than one that does.
_LONG_TEXT = 1000
_LONG_ESCAPES = bytes(code for code in range(32) if code not in _SHORT_ESCAPES)


def encoded_length(value: JsonValue) -> int:
    """Bytes of `encode(value)` in UTF-8, told without writing it."""
    if isinstance(value, str):
        return _quoted_length(value)
    if isinstance(value, tuple):
        return (
            sum([_quoted_length(key) + encoded_length(item) for key, item in value]) + 2 * len(value) + (not value) + 1
        )
    if isinstance(value, list):
        return sum([encoded_length(item) for item in value]) + len(value) + (not value) + 1
    return len(encode(value))


def _quoted_length(text: str) -> int:
    if len(text) < _LONG_TEXT:
        return utf8_length(encode_basestring(text))
    data = text.encode("utf-8", "surrogatepass")
    size = len(data)
    short = size - len(data.translate(None, _SHORT_ESCAPES))
    return size + 2 + short + 5 * (size - len(data.translate(None, _LONG_ESCAPES)))


def same_number(a: bytes, b: bytes) -> bool:
    """Whether two spellings are one number; spellings beyond any decimal arithmetic are compared as they are."""
    try:
        return Decimal(a.decode("ascii")) == Decimal(b.decode("ascii"))
    except InvalidOperation:
        return a == b


def utf8_length(text: str) -> int:
    """Bytes of a text in UTF-8; half a surrogate pair counts three, as it would be written."""
    return len(text) if text.isascii() else len(text.encode("utf-8", "surrogatepass"))
