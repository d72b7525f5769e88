"""Order that carries no meaning: bring the declarations of a module into one order.

Order means something inside a lane, a record, a stability chain and among declarations of one kind (where it is the
order of every listing). Between kinds, and between the parts of a prompt, it means nothing; YAML groups by kind.
"""

from dataclasses import fields, is_dataclass, replace
from typing import Any

from promptc.syntax import nodes
from promptc.syntax.bodies_ast import Template
from promptc.syntax.traffic_nodes import ORDER, TrafficDecl

KIND_ORDER: tuple[type[nodes.Item], ...] = (
    nodes.Language,
    nodes.Use,
    nodes.StabilityDecl,
    nodes.ScopeDecl,
    nodes.RecordDecl,
    nodes.EnvelopeDecl,
    nodes.InputDecl,
    nodes.GateDecl,
    nodes.RequireDecl,
    nodes.SectionDecl,
    nodes.PromptDecl,
    nodes.SampleDecl,
    nodes.LimitDecl,
    TrafficDecl,
    nodes.Allow,
)

LANE_ORDER: tuple[nodes.LaneKind, ...] = ("tools", "system", "preamble", "conversation", "tail")


def ordered(module: nodes.Module) -> nodes.Module:
    """The module with its declarations grouped by kind, and the parts of its prompts in one order."""
    items = [_ordered_parts(item) for item in module.items]
    items.sort(key=lambda item: KIND_ORDER.index(type(item)))
    return replace(module, items=tuple(items))


def canonical(module: nodes.Module) -> nodes.Module:
    """The program alone: ordered, without path and comments, and with no trace of how a text was quoted.

    Two modules are the same program, whatever surface they came from, when `dump` of their canonical forms is equal.
    """
    program: nodes.Module = _unquoted(ordered(module))
    return replace(program, path="", comments=())


def _ordered_parts(item: nodes.Item) -> nodes.Item:
    if isinstance(item, nodes.PromptDecl):
        return replace(item, items=tuple(sorted(item.items, key=_part_rank)))
    if isinstance(item, TrafficDecl):
        return replace(item, items=tuple(sorted(item.items, key=lambda part: ORDER.index(type(part)))))
    return item


def _part_rank(item: nodes.PromptItem) -> int:
    if isinstance(item, nodes.Lane):
        return 5 + LANE_ORDER.index(item.kind)
    if isinstance(item, nodes.Edit):
        return 5 + len(LANE_ORDER)
    return (nodes.Target, nodes.Model, nodes.MaxTokens, nodes.CacheAuto, nodes.CacheKey).index(type(item))


def _unquoted(value: Any) -> Any:
    if isinstance(value, Template):
        return replace(value, block=False)
    if isinstance(value, tuple):
        return tuple(_unquoted(item) for item in value)
    if is_dataclass(value) and not isinstance(value, type) and hasattr(value, "span"):
        changed = {field.name: _unquoted(getattr(value, field.name)) for field in fields(value)}
        return replace(value, **changed)
    return value
