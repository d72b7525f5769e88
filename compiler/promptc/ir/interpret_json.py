"""JSON text as the reference interpreter writes it: compact, and canonical where a program asks for it."""

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal


@dataclass(frozen=True, slots=True)
class RawJson:
    """A value that is JSON text already."""

    text: str


def number_text(value: float) -> str:
    """A finite double as ECMAScript's Number-to-string writes it (ECMA-262, Number::toString)."""
    if value == 0:
        return "0"
    sign, digits, exponent = Decimal(repr(value)).normalize().as_tuple()
    assert isinstance(exponent, int)
    text = "".join(map(str, digits))
    point = len(text) + exponent
    if len(text) <= point <= 21:
        body = text + "0" * (point - len(text))
    elif 0 < point <= 21:
        body = f"{text[:point]}.{text[point:]}"
    elif -6 < point <= 0:
        body = f"0.{'0' * -point}{text}"
    else:
        mantissa = text[0] + (f".{text[1:]}" if len(text) > 1 else "")
        body = f"{mantissa}e{point - 1:+d}"
    return f"-{body}" if sign else body


def compact(value: object) -> str:
    """A value as compact JSON, keys in the order given, whole numbers with all their digits."""
    return _write(value, canonical=False)


def canonical(value: object) -> str:
    """A value as compact JSON, keys by code point, every number as a double would be written."""
    return _write(value, canonical=True)


def _write(value: object, canonical: bool) -> str:
    if isinstance(value, RawJson):
        return value.text
    if value is None or isinstance(value, bool):
        return json.dumps(value)
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, int):
        exact = not canonical or abs(value) <= 2**53
        return str(value) if exact else number_text(float(value))
    if isinstance(value, float):
        if not math.isfinite(value):
            raise ValueError("not a finite number")
        return number_text(value)
    if isinstance(value, Mapping):
        names = sorted(value) if canonical else list(value)
        return "{" + ",".join(f"{_write(n, canonical)}:{_write(value[n], canonical)}" for n in names) + "}"
    if isinstance(value, list | tuple):
        return "[" + ",".join(_write(item, canonical) for item in value) + "]"
    raise TypeError(f"{type(value).__name__} has no JSON form")
