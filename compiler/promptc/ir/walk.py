"""Which fields of a node may hold other nodes: what a walk over a program has to visit."""

from dataclasses import fields, is_dataclass
from typing import Any

from promptc.source import Span

_LEAVES = (str, int, bool, Span)
_FIELDS: dict[type, tuple[str, ...]] = {}
_CHILDREN: dict[type, tuple[str, ...]] = {}


def field_names(node: object) -> tuple[str, ...]:
    """All fields of a node, in order; none for what is no node."""
    kind = type(node)
    found = _FIELDS.get(kind)
    if found is None:
        found = _FIELDS[kind] = tuple(f.name for f in _fields(kind))
    return found


def child_names(node: object) -> tuple[str, ...]:
    """The fields of a node that may hold nodes: all but plain values and spans; none for what is no node."""
    kind = type(node)
    found = _CHILDREN.get(kind)
    if found is None:
        found = _CHILDREN[kind] = tuple(f.name for f in _fields(kind) if f.type not in _LEAVES)
    return found


def _fields(kind: Any) -> tuple[Any, ...]:
    return fields(kind) if is_dataclass(kind) else ()
