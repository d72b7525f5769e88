"""Which fields of a node may hold other nodes: what a walk over a program has to visit."""

from dataclasses import fields, is_dataclass
from functools import cache

from promptc.source import Span

_LEAVES = (str, int, bool, Span)


@cache
def field_names(kind: type) -> tuple[str, ...]:
    """All fields of a node class, in order; none for a class that is no dataclass."""
    return tuple(f.name for f in fields(kind)) if is_dataclass(kind) else ()


@cache
def child_names(kind: type) -> tuple[str, ...]:
    """The fields of a node class that may hold nodes: all but plain values and spans."""
    return tuple(f.name for f in fields(kind) if f.type not in _LEAVES) if is_dataclass(kind) else ()
