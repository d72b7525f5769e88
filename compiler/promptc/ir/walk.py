"""Which fields of a node may hold other nodes: what a walk over a program has to visit."""

from dataclasses import fields, is_dataclass
from functools import cache

from promptc.source import Span

_LEAVES = (str, int, bool, Span)


def child_names(node: object) -> tuple[str, ...]:
    """The fields of a node that may hold nodes: all but plain values and spans; none for what is no node."""
    return _child_names(type(node))


@cache
def _child_names(kind: object) -> tuple[str, ...]:
    if not isinstance(kind, type) or not is_dataclass(kind):
        return ()
    return tuple(f.name for f in fields(kind) if f.type not in _LEAVES)


def field_names(node: object) -> tuple[str, ...]:
    """All fields of a node, in order; none for what is no node."""
    return _field_names(type(node))


@cache
def _field_names(kind: object) -> tuple[str, ...]:
    return tuple(f.name for f in fields(kind)) if isinstance(kind, type) and is_dataclass(kind) else ()
