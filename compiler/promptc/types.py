"""The types of the language: what an input, a field or an expression can be."""

from dataclasses import dataclass
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class Text:
    """Unicode text without lone surrogates."""


@dataclass(frozen=True, slots=True)
class Bool:
    """True or false. Has no text form: a body must say what it prints for each."""


@dataclass(frozen=True, slots=True)
class Int:
    """A whole number.

    Attributes:
        low, high: Bounds, both included, for `int 1..5`; None for a plain `int`, which is held to ±(2**53 - 1) so
            that every target language counts alike.
    """

    low: int | None = None
    high: int | None = None


@dataclass(frozen=True, slots=True)
class Enum:
    """One of a closed set of texts, in declared order."""

    members: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Json:
    """An opaque JSON value; written with keys in code point order so that no host map order reaches the bytes."""


@dataclass(frozen=True, slots=True)
class Nothing:
    """The type of `none` alone."""


@dataclass(frozen=True, slots=True)
class Record:
    """A declared record, by name."""

    name: str


@dataclass(frozen=True, slots=True)
class List:
    """A list of one type."""

    item: "Type"


@dataclass(frozen=True, slots=True)
class Optional:
    """A value that may be absent; never nested."""

    item: "Type"


Type: TypeAlias = Text | Bool | Int | Enum | Json | Nothing | Record | List | Optional


def describe(kind: Type) -> str:
    """The type as a spec writes it."""
    match kind:
        case Text():
            return "text"
        case Bool():
            return "bool"
        case Int(low=None):
            return "int"
        case Int(low=low, high=high):
            return f"int {low}..{high}"
        case Enum(members=members):
            return " | ".join(f'"{m}"' for m in members)
        case Json():
            return "json"
        case Nothing():
            return "none"
        case Record(name=name):
            return name
        case List(item=item):
            return f"list[{describe(item)}]"
        case Optional(item=item):
            inner = describe(item)
            return f"({inner})?" if " " in inner else f"{inner}?"
