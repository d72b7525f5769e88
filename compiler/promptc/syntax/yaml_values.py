"""What a plain scalar means: YAML 1.2's core words and whole numbers, and the spellings that YAML readers dispute."""

import re
from dataclasses import dataclass
from typing import TypeAlias

from promptc.syntax.yaml_nodes import YamlScalar

Core: TypeAlias = str | bool | int | None

MAX_DIGITS = 1_000

_NULLS = frozenset(("", "~", "null", "Null", "NULL"))
_BOOLS = {"true": True, "True": True, "TRUE": True, "false": False, "False": False, "FALSE": False}
_INT = re.compile(rf"[-+]?(?:0|[1-9][0-9]{{0,{MAX_DIGITS - 1}}})")

# YAML 1.1 reads these as bools, and several readers still do.
_OLD_BOOLS = {
    **dict.fromkeys(("y", "Y", "yes", "Yes", "YES", "on", "On", "ON"), True),
    **dict.fromkeys(("n", "N", "no", "No", "NO", "off", "Off", "OFF"), False),
}
_DISPUTED: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(r"[-+]?0[0-9_]+"), "a whole number with a leading zero, octal or decimal"),
    (re.compile(r"[-+]?0(?:x[0-9A-Fa-f_]+|o[0-7_]+|b[01_]+)"), "a number in another base"),
    (re.compile(r"[-+]?[1-9][0-9]*(?:_[0-9]+)+"), "a whole number with underscores"),
    (re.compile(r"[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?"), "a number to base 60"),
    (re.compile(r"[-+]?(?:[0-9][0-9_]*\.?[0-9_]*|\.[0-9][0-9_]*)(?:[eE][-+]?[0-9]+)?"), "a number with a fraction"),
    (re.compile(r"[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)"), "a number with a fraction"),
    (re.compile(r"[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}(?:[Tt \t][0-9:.]+.*)?"), "a date"),
)


@dataclass(frozen=True, slots=True)
class Disputed:
    """A spelling that other YAML readers take for something that is not a text.

    Attributes:
        reading: What they take it for: "a bool", "a date".
        value: The bool that is meant, for a YAML 1.1 bool.
    """

    reading: str
    value: bool | None = None


def core_value(node: YamlScalar) -> Core:
    """The value of a scalar: quoted and block scalars are texts, plain ones follow YAML 1.2's core schema.

    There are no fractions in the language, so `1.10` stays the text it is.
    """
    return _plain_value(node.value) if node.style == "plain" else node.value


def _plain_value(text: str) -> Core:
    if text in _NULLS:
        return None
    if text in _BOOLS:
        return _BOOLS[text]
    if _INT.fullmatch(text):
        return int(text)
    return text


def disputed(node: YamlScalar) -> Disputed | None:
    """How other readers take a plain scalar that is a text here; None for what is a text everywhere."""
    return _disputed(node.value) if node.style == "plain" else None


def is_plain_text(text: str) -> bool:
    """Whether every reader takes a plain scalar with this text for a text."""
    return isinstance(_plain_value(text), str) and _disputed(text) is None


def _disputed(text: str) -> Disputed | None:
    if text in _OLD_BOOLS:
        return Disputed("a bool", _OLD_BOOLS[text])
    if len(text) > 2 * MAX_DIGITS:
        return None
    for pattern, reading in _DISPUTED:
        if pattern.fullmatch(text):
            return Disputed(reading)
    return None
