"""Check what a caller passes, one function a type. All of them raise `InputError` and name the place."""

from collections.abc import Mapping, Sequence
from math import isfinite
from typing import Any

from promptc.runtime.errors import InputError
from promptc.runtime.json_text import JsonText, canonical

SAFE_INT = 2**53 - 1
MAX_DEPTH = 100


def check_text(value: object, where: str) -> None:
    """A text without lone surrogates."""
    if not isinstance(value, str):
        raise InputError(where, "expected a text")
    if not value.isascii():
        try:
            value.encode()
        except UnicodeEncodeError:
            raise InputError(where, "contains a lone surrogate") from None


def check_bool(value: object, where: str) -> None:
    """True or false."""
    if value is not True and value is not False:
        raise InputError(where, "expected a bool")


def check_int(value: object, low: int, high: int, where: str) -> None:
    """A whole number within bounds, both included; a bool is not one."""
    if not isinstance(value, int) or isinstance(value, bool):
        raise InputError(where, "expected an int")
    if not low <= value <= high:
        raise InputError(where, f"must be between {low} and {high}")


def check_member(value: object, members: tuple[str, ...], where: str) -> None:
    """One of a closed set of texts."""
    if not isinstance(value, str):
        raise InputError(where, "expected a text")
    if value not in members:
        raise InputError(where, "must be one of " + ", ".join([f"`{member}`" for member in members]))


def check_none(value: object, where: str) -> None:
    """None."""
    if value is not None:
        raise InputError(where, "expected none")


def check_list(value: object, where: str) -> None:
    """A list or a tuple; its elements are checked one by one elsewhere."""
    if not isinstance(value, list | tuple):
        raise InputError(where, "expected a list")


def check_json(value: object, where: str, depth: int = 0) -> None:
    """A value with a JSON form that is not nested too deeply."""
    if isinstance(value, str):
        check_text(value, where)
    elif value is None or isinstance(value, int | JsonText):
        return
    elif depth > MAX_DEPTH:
        raise InputError(where, f"is nested more than {MAX_DEPTH} levels deep")
    elif isinstance(value, float):
        if not isfinite(value):
            raise InputError(where, "contains a number that JSON cannot write")
    elif isinstance(value, list | tuple):
        for item in value:
            check_json(item, where, depth + 1)
    elif isinstance(value, dict):
        for key, item in value.items():
            if not isinstance(key, str):
                raise InputError(where, "has a key that is not a text")
            check_text(key, where)
            check_json(item, where, depth + 1)
    else:
        raise InputError(where, "is not a JSON value")


def json_text(value: object) -> JsonText:
    """Check a JSON value and write it once, for use in many requests."""
    check_json(value, "json")
    return JsonText(canonical(value))


def refuse_longer(value: str | None, limit: int, where: str) -> None:
    """A text of at most `limit` code points."""
    if value is not None and len(value) > limit:
        raise InputError(where, f"has {len(value)} characters, at most {limit} are allowed")


def take(given: Mapping[str, Any], name: str, where: str) -> Any:
    """A member of a decoded JSON object that must be there."""
    if name not in given:
        raise InputError(where, "is missing")
    return given[name]


def as_object(value: object, names: Sequence[str], where: str) -> dict[str, Any]:
    """A decoded JSON object without other members than those named."""
    if not isinstance(value, dict):
        raise InputError(where, "expected an object")
    for name in value:
        if name not in names:
            raise InputError(where, f"`{name}` is not a member")
    return value


def as_list(value: object, where: str) -> Sequence[Any]:
    """A decoded JSON array."""
    check_list(value, where)
    assert isinstance(value, list | tuple)
    return value
