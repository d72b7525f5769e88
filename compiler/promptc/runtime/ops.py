"""The operations of the language that Python does not spell in one expression."""

import string
from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")

# ASCII only, and these six blanks only: what Python and JavaScript strip and fold by themselves differs.
_BLANKS = " \t\n\v\f\r"
_UPPER = str.maketrans(string.ascii_lowercase, string.ascii_uppercase)
_LOWER = str.maketrans(string.ascii_uppercase, string.ascii_lowercase)


def upper(text: str) -> str:
    """The text with a-z as A-Z."""
    return text.upper() if text.isascii() else text.translate(_UPPER)


def lower(text: str) -> str:
    """The text with A-Z as a-z."""
    return text.lower() if text.isascii() else text.translate(_LOWER)


def trim(text: str) -> str:
    """The text without space, tab, LF, CR, VT and FF at its ends."""
    return text.strip(_BLANKS)


def replace(text: str, old: str, new: str) -> str:
    """Every `old` in the text becomes `new`; an empty `old` occurs nowhere."""
    return text.replace(old, new) if old else text


def indent(text: str, width: int, first: bool) -> str:
    """Every line that is not empty, the first one only if asked for, with blanks in front."""
    pad = " " * width
    head, *rest = text.split("\n")
    lines = [pad + head if first and head else head]
    lines += [pad + line if line else line for line in rest]
    return "\n".join(lines)


def cut(text: str, limit: int, marker: str) -> str:
    """At most `limit` code points, then the marker where something was cut off; a negative limit counts as 0."""
    return text[: max(limit, 0)] + marker if len(text) > limit else text


def first(items: Sequence[T]) -> T | None:
    """The first element, None when there is none."""
    return items[0] if items else None


def last(items: Sequence[T]) -> T | None:
    """The last element, None when there is none."""
    return items[-1] if items else None


def default(value: T | None, other: T) -> T:
    """The value when it is there, else the other."""
    return other if value is None else value


def present(value: T | None) -> T:
    """The value; the compiler has shown that it is there."""
    if value is None:
        raise AssertionError("a value that was tested for is absent")
    return value
