"""JSON values as text: canonical for what a spec calls `json`, as given for what stands in a conversation."""

from collections.abc import Mapping
from json.encoder import encode_basestring
from math import isfinite

_EXACT = 2**53


def number_text(value: float) -> str:
    """A finite number as ECMAScript's Number-to-string writes it, so that every target writes the same bytes."""
    text = repr(value)
    if text.endswith(".0"):
        text = text[:-2]
    if "e" not in text:
        # repr has no exponent from 1e-4 up to 1e16; there both notations agree.
        return "0" if text == "-0" else text
    mantissa, _, exponent_text = text.partition("e")
    exponent = int(exponent_text)
    if 16 <= exponent < 21 or -7 < exponent < -4:
        sign = "-" if mantissa.startswith("-") else ""
        digits = mantissa.lstrip("-").replace(".", "")
        if exponent > 0:
            return sign + digits + "0" * (exponent + 1 - len(digits))
        return f"{sign}0.{'0' * (-exponent - 1)}{digits}"
    return f"{mantissa}e{'+' if exponent > 0 else '-'}{abs(exponent)}"


def canonical(value: object) -> str:
    """A checked JSON value as compact text, keys in code point order, numbers as doubles."""
    if type(value) is str:
        return encode_basestring(value)
    if isinstance(value, JsonText):
        return value.text
    if isinstance(value, dict):
        if len(value) == 1:
            ((key, item),) = value.items()
            return f"{{{encode_basestring(key)}:{canonical(item)}}}"
        return "{" + ",".join([f"{encode_basestring(key)}:{canonical(value[key])}" for key in sorted(value)]) + "}"
    if isinstance(value, list | tuple):
        return "[" + ",".join([canonical(item) for item in value]) + "]"
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) > _EXACT:
        return number_text(float(value))
    return _scalar(value)


def as_given(value: object) -> str:
    """A checked JSON value as compact text, keys in their order, whole numbers with all their digits."""
    if type(value) is str:
        return encode_basestring(value)
    if isinstance(value, Mapping):
        return "{" + ",".join([f"{encode_basestring(key)}:{as_given(item)}" for key, item in value.items()]) + "}"
    if isinstance(value, list | tuple):
        return "[" + ",".join([as_given(item) for item in value]) + "]"
    return _scalar(value)


def _scalar(value: object) -> str:
    if value is None:
        return "null"
    if value is True:
        return "true"
    if value is False:
        return "false"
    if isinstance(value, str):
        return encode_basestring(value)
    if isinstance(value, int):
        return int.__repr__(value)
    if isinstance(value, float) and isfinite(value):
        return number_text(value)
    if isinstance(value, JsonText):
        return value.text
    raise TypeError(f"{type(value).__name__} has no JSON form")


class JsonText:
    """A JSON value that has been checked and written already.

    Pass it wherever a `json` is expected; tool schemas that do not change between requests are worth it.

    Attributes:
        text: The canonical text.
        data: The same as UTF-8.
    """

    __slots__ = ("data", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        self.data = text.encode()
