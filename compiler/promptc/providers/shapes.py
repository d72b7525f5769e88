"""What a request body of each format is made of: compact tables in `data/shapes`, read when first asked for."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Literal, TypeAlias

import yaml

from promptc.providers.model import WireFormat

_FOLDER = Path(__file__).resolve().parent / "data" / "shapes"
_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_PLAIN = ("text", "whole", "number", "bool", "object", "any")
_RANGE = re.compile(r"(-?[0-9.]+?)\.\.([0-9.]*)")

Required: TypeAlias = Literal["", "always", "unless in the path", "usually"]
_MARKS: dict[str, Required] = {"": "always", "path": "unless in the path", "?": "usually"}


@dataclass(frozen=True, slots=True)
class Value:
    """One thing that a member's value can be.

    Attributes:
        kind: `text`, `whole`, `number`, `bool`, `object`, `any`, `list`, `one`, or `type` for a type of the table.
        least, most: Bounds of a number, or of the length of a list; None where there is none.
        words: What `one` takes.
        item: What a list holds.
        name: Name of a type.
    """

    kind: str
    least: float | None = None
    most: float | None = None
    words: tuple[str, ...] = ()
    item: "Value | None" = None
    name: str = ""


@dataclass(frozen=True, slots=True)
class Member:
    """One member of an object: what its value can be, and whether it must be there."""

    values: tuple[Value, ...]
    required: Required


@dataclass(frozen=True, slots=True)
class Object:
    """An object with known members; others may stand beside them."""

    members: Mapping[str, Member]


@dataclass(frozen=True, slots=True)
class Union:
    """Objects of several kinds.

    Attributes:
        by: The member that tells the kind.
        cases: Kind to object.
        default: Kind of an object without that member; None where it must be there.
        closed: Whether another kind is refused for certain.
        open: Whether other kinds are common.
    """

    by: str
    cases: Mapping[str, Object]
    default: str | None
    closed: bool
    open: bool


@dataclass(frozen=True, slots=True)
class Shape:
    """A format.

    Attributes:
        request: The body itself.
        types: Types by name.
        either_case: Whether members may be written in snake case too.
        words: What the vendor calls the kinds of values in its errors; empty where that is not known.
        bracketed: Whether its errors write indices in brackets.
    """

    request: Object
    types: Mapping[str, Object | Union]
    either_case: bool
    words: Mapping[str, str]
    bracketed: bool


@cache
def shape_of(format: WireFormat) -> Shape:
    """The table of a format."""
    data = yaml.load((_FOLDER / f"{format}.yaml").read_bytes(), Loader=_LOADER)
    types: dict[str, Object | Union] = {}
    for name, found in data["types"].items():
        types[name] = _type(name, found, types)
    request = _object("request", data["request"], types)
    return Shape(request, types, bool(data.get("either_case")), data.get("words", {}), bool(data.get("bracketed")))


def _type(name: str, found: Mapping[str, Any], types: dict[str, Object | Union]) -> Object | Union:
    if "by" not in found:
        return _object(name, found, types)
    cases = {kind: _object(f"{name}.{kind}", members, types) for kind, members in found["cases"].items()}
    return Union(found["by"], cases, found.get("default"), bool(found.get("closed")), bool(found.get("open")))


def _object(name: str, found: Mapping[str, Any], types: dict[str, Object | Union]) -> Object:
    members: dict[str, Member] = {}
    for key, said in found.items():
        if isinstance(said, Mapping):
            # An object that stands in one place only is written there.
            inner = f"{name}.{key}"
            types[inner] = _object(inner, said, types)
            members[key] = Member((Value("type", name=inner),), "")
        else:
            members[key] = _member(said)
    return Object(members)


def _member(said: str) -> Member:
    text, mark, where = said.partition("!")
    values = tuple(_value(part.split()) for part in text.split("|"))
    return Member(values, _MARKS[where.strip()] if mark else "")


def _value(words: list[str]) -> Value:
    kind, *rest = words
    least, most = _bounds(rest[-1]) if rest else (None, None)
    if kind == "list":
        return Value("list", least, most, item=_value(rest[:1]))
    if kind == "one":
        return Value("one", words=tuple(rest))
    if kind in _PLAIN:
        return Value(kind, least, most)
    return Value("type", name=kind)


def _bounds(word: str) -> tuple[float | None, float | None]:
    match = _RANGE.fullmatch(word)
    if match is None:
        return None, None
    return float(match[1]), float(match[2]) if match[2] else None
