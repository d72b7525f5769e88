"""Recognises what kind of value changed at one place: a clock, a date, an identifier, a counter.

A guess from looks, made only where a value really changed; it words the cause and decides nothing.
"""

import re

_TOKEN_BEFORE = re.compile(r"[\w:.+\-/]*\Z")
_TOKEN_AFTER = re.compile(r"[\w:.+\-/]*")
_REACH = 80

_KINDS: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("a point in time", re.compile(r"\d{4}-\d\d-\d\d[T_ ]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)?[.,;]?")),
    ("a time of day", re.compile(r"\d{1,2}:\d\d(:\d\d(\.\d+)?)?[.,;]?")),
    ("a calendar date", re.compile(r"\d{4}-\d\d-\d\d[.,;]?|\d{1,2}[./]\d{1,2}[./]\d{2,4}[.,;]?")),
    ("an identifier", re.compile(r".*[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}.*")),
    ("an identifier", re.compile(r".*[0-9A-HJKMNP-TV-Z]{26}.*")),
    ("a counter", re.compile(r"\d{1,15}[.,;:]?")),
    ("an identifier", re.compile(r"(?=.*\d)(?=.*[A-Za-z])[\w\-]*[0-9a-f]{5,}[\w\-]*[.,;]?")),
)


def value_kind(a: str, at_a: int, b: str, at_b: int) -> str | None:
    """What both values look like, None when they look like nothing known or like different things.

    Args:
        a: First text.
        at_a: First differing code point in it.
        b: Second text.
        at_b: First differing code point in that.
    """
    token_a, token_b = _token(a, at_a), _token(b, at_b)
    return next((name for name, form in _KINDS if form.fullmatch(token_a) and form.fullmatch(token_b)), None)


def _token(text: str, at: int) -> str:
    before = _TOKEN_BEFORE.search(text[max(at - _REACH, 0) : at])
    after = _TOKEN_AFTER.match(text[at : at + _REACH])
    return (before[0] if before else "") + (after[0] if after else "")
