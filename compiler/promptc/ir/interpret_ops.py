"""What each operation of the catalogue does, written for clarity: the reference that every target is tested against."""

import string
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from promptc.ir.interpret_json import canonical
from promptc.runtime.trust import neutral

_BLANKS = " \t\n\x0b\x0c\r"
_UPPER = str.maketrans(string.ascii_lowercase, string.ascii_uppercase)
_LOWER = str.maketrans(string.ascii_uppercase, string.ascii_lowercase)


def _indent(text: str, width: int, first: bool) -> str:
    lines = text.split("\n")
    return "\n".join(
        " " * width + line if line != "" and (first or number > 0) else line for number, line in enumerate(lines)
    )


def _cut(text: str, limit: int, marker: str) -> str:
    return text if len(text) <= limit else text[: max(limit, 0)] + marker


def _unique(items: Sequence[Any]) -> list[Any]:
    kept: list[Any] = []
    for item in items:
        if item not in kept:
            kept.append(item)
    return kept


def _by_field(items: Sequence[Mapping[str, Any]], name: str) -> list[Mapping[str, Any]]:
    return sorted(items, key=lambda item: item[name])


# `and` and `or` are not here: they do not evaluate both sides.
STRICT: dict[str, Callable[..., Any]] = {
    "not": lambda a: not a,
    "eq": lambda a, b: a == b,
    "ne": lambda a, b: a != b,
    "lt_int": lambda a, b: a < b,
    "le_int": lambda a, b: a <= b,
    "lt_text": lambda a, b: a < b,
    "le_text": lambda a, b: a <= b,
    "in_text": lambda needle, text: needle in text,
    "in_list": lambda item, items: any(item == other for other in items),
    "defined": lambda a: a is not None,
    "filled_text": lambda a: a != "",
    "filled_list": lambda a: len(a) > 0,
    "nonzero": lambda a: a != 0,
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "mul": lambda a, b: a * b,
    "floordiv": lambda a, b: a // b,
    "mod": lambda a, b: a % b,
    "neg": lambda a: -a,
    "int_text": lambda a: format(a, "d"),
    "concat": lambda *parts: "".join(parts),
    "upper": lambda a: a.translate(_UPPER),
    "lower": lambda a: a.translate(_LOWER),
    "trim": lambda a: a.strip(_BLANKS),
    "replace": lambda text, old, new: text.replace(old, new) if old else text,
    "indent": _indent,
    "cut": _cut,
    "neutral": neutral,
    "length_text": len,
    "length_list": len,
    "join": lambda items, separator: separator.join(items),
    "first": lambda items: items[0] if items else None,
    "last": lambda items: items[-1] if items else None,
    "sort": lambda items: sorted(items),
    "sort_by": _by_field,
    "pluck": lambda items, name: [item[name] for item in items],
    "unique": _unique,
    "reverse_list": lambda items: list(reversed(items)),
    "default": lambda value, other: other if value is None else value,
    "json": canonical,
}
