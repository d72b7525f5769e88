"""Residual values as text, spelled as a spec would spell them: one text for one value."""

import json
from collections.abc import Iterator
from dataclasses import fields, is_dataclass

from promptc.ir import model as ir

# Levels of binding, loosest first.
_CHOICE, _OR, _AND, _NOT, _COMPARE, _CONCAT, _SUM, _PRODUCT, _FILTER, _SIGN, _PRIMARY = range(11)
_INFIX = {
    "and": (_AND, "and"),
    "or": (_OR, "or"),
    "eq": (_COMPARE, "=="),
    "ne": (_COMPARE, "!="),
    "lt_int": (_COMPARE, "<"),
    "le_int": (_COMPARE, "<="),
    "lt_text": (_COMPARE, "<"),
    "le_text": (_COMPARE, "<="),
    "in_text": (_COMPARE, "in"),
    "in_list": (_COMPARE, "in"),
    "add": (_SUM, "+"),
    "sub": (_SUM, "-"),
    "mul": (_PRODUCT, "*"),
    "floordiv": (_PRODUCT, "//"),
    "mod": (_PRODUCT, "%"),
}
# A condition is written without the operation that turns its value into a bool, as in a spec.
_SILENT = frozenset({"filled_text", "filled_list", "nonzero", "int_text"})
_FILTER_NAMES = {
    "length_text": "length",
    "length_list": "length",
    "sort_by": "sort",
    "pluck": "map",
    "reverse_list": "reverse",
}


def value_text(value: ir.Value) -> str:
    """The value on one line."""
    return _unit(value)[1]


def local_text(name: str) -> str:
    """A local as the text spells it: never like an input, which it may hide in the source."""
    return f"${name}"


def _at(value: ir.Value, level: int) -> str:
    own, text = _unit(value)
    return text if own >= level else f"({text})"


def _unit(value: ir.Value) -> tuple[int, str]:
    match value:
        case ir.Const(value=constant):
            return _PRIMARY, "none" if constant is None else json.dumps(constant, ensure_ascii=False)
        case ir.InputRef(name=name) | ir.GateRef(name=name):
            return _PRIMARY, name
        case ir.Local(name=name):
            return _PRIMARY, local_text(name)
        case ir.LoopProperty(loop=loop, property=name):
            return _PRIMARY, f"loop({local_text(loop)}).{name}"
        case ir.Get(record=record, field=name):
            return _PRIMARY, f"{_at(record, _PRIMARY)}.{name}"
        case ir.Choose(test=test, then=then, orelse=orelse):
            return _CHOICE, f"{_at(then, _OR)} if {_at(test, _OR)} else {_at(orelse, _CHOICE)}"
        case ir.ListOf(items=items):
            return _PRIMARY, f"[{', '.join(value_text(item) for item in items)}]"
        case ir.Apply(op=op, args=args):
            return _applied(op, args)


def _applied(op: str, args: tuple[ir.Value, ...]) -> tuple[int, str]:
    if op in _SILENT:
        return _unit(args[0])
    if op in _INFIX:
        level, sign = _INFIX[op]
        # A comparison of comparisons gets parentheses on both sides; the others bind to the left.
        left = _at(args[0], level + 1 if level == _COMPARE else level)
        return level, f"{left} {sign} {_at(args[1], level + 1)}"
    if op == "not":
        return _negated(args[0])
    if op == "defined":
        return _FILTER, f"{_at(args[0], _FILTER)} is defined"
    if op == "neg":
        return _SIGN, f"-{_at(args[0], _SIGN)}"
    if op == "concat":
        return _CONCAT, " ~ ".join(_at(arg, _CONCAT + 1) for arg in args)
    rest = ", ".join(value_text(arg) for arg in args[1:])
    return _FILTER, f"{_at(args[0], _FILTER)} | {_FILTER_NAMES.get(op, op)}{f'({rest})' if rest else ''}"


def _negated(value: ir.Value) -> tuple[int, str]:
    match value:
        case ir.Apply(op="defined", args=(inner,)):
            return _FILTER, f"{_at(inner, _FILTER)} is not defined"
        case ir.Apply(op="in_text" | "in_list", args=(left, right)):
            return _COMPARE, f"{_at(left, _COMPARE + 1)} not in {_at(right, _COMPARE + 1)}"
        case _:
            return _NOT, f"not {_at(value, _NOT)}"


def leaves(node: object) -> Iterator[ir.InputRef | ir.GateRef | ir.Local | ir.LoopProperty]:
    """Everything that a value reads, outermost first and left to right."""
    if isinstance(node, ir.InputRef | ir.GateRef | ir.Local | ir.LoopProperty):
        yield node
    elif isinstance(node, tuple):
        for item in node:
            yield from leaves(item)
    elif is_dataclass(node):
        for field in fields(node):
            yield from leaves(getattr(node, field.name))
