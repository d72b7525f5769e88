"""A tree of YAML nodes as plain data, with the place of every value and key by its path."""

from collections.abc import Callable
from typing import TypeAlias

from promptc.source import Span
from promptc.syntax.yaml_nodes import YamlNode, YamlScalar, YamlSequence
from promptc.syntax.yaml_values import core_value

Loc: TypeAlias = tuple[str | int, ...]
Spans: TypeAlias = dict[Loc, Span]

KEY = -1
"""Last step of the path of a key: no value has it, since indices begin at 0."""


def plain_data(
    node: YamlNode, spans: Spans, loc: Loc = (), scalar: Callable[[YamlScalar], object] = core_value
) -> object:
    """The data of a node.

    Args:
        spans: Takes the places: of values by their path of keys and indices, of keys by the path with `KEY` behind it.
        loc: Path of the node.
        scalar: What a scalar means.
    """
    spans[loc] = node.span
    if isinstance(node, YamlScalar):
        return scalar(node)
    if isinstance(node, YamlSequence):
        return [plain_data(item, spans, (*loc, index), scalar) for index, item in enumerate(node.items)]
    out: dict[str, object] = {}
    for key, value in node.pairs:
        out[key.value] = plain_data(value, spans, (*loc, key.value), scalar)
        spans[(*loc, key.value, KEY)] = key.span
    return out


def place_of(loc: Loc, spans: Spans) -> Span | None:
    """The place of a value, or of the nearest thing around it."""
    for length in range(len(loc), -1, -1):
        if loc[:length] in spans:
            return spans[loc[:length]]
    return None
