"""Print values of the residual program as Python expressions that a strict type checker accepts."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import assert_never

from promptc.emit.python_literals import text_literal
from promptc.ir.infer import Types
from promptc.ir.model import (
    Apply,
    Choose,
    Const,
    GateRef,
    Get,
    InputRef,
    ListOf,
    Local,
    LoopProperty,
    Value,
)
from promptc.types import List, Optional, Record, Type

# How tightly Python binds: an operand of a lower level than its place needs brackets.
TERNARY, OR, AND, NOT, COMPARE, SUM, PRODUCT, UNARY, ATOM = range(9)

_BINARY = {
    "eq": ("==", COMPARE),
    "ne": ("!=", COMPARE),
    "lt_int": ("<", COMPARE),
    "le_int": ("<=", COMPARE),
    "lt_text": ("<", COMPARE),
    "le_text": ("<=", COMPARE),
    "in_text": ("in", COMPARE),
    "in_list": ("in", COMPARE),
    "add": ("+", SUM),
    "sub": ("-", SUM),
    "mul": ("*", PRODUCT),
    "floordiv": ("//", PRODUCT),
    "mod": ("%", PRODUCT),
}
_RUNTIME = {"upper", "lower", "trim", "replace", "indent", "cut", "neutral", "first", "last", "default"}
_TAKES_ABSENT = {"eq", "ne", "in_list", "defined", "default", "json"}


@dataclass
class Frame:
    """What names mean in one function of the emitted module.

    Attributes:
        types: Types by name.
        inputs: Expression of every input.
        gates: Variable of every gate.
        fields: Attribute of every record field, by record and field.
        plain: Function that turns a record into a dict, by record; filled on demand by `need_plain`.
        locals: Variable of every local.
        local_types: Type of every local.
        loops: Index and length variables of every loop whose properties are read.
        known: Optional values that were tested and that a type checker knows to be there.
        runtime: Names that the module needs from the runtime; added to while printing.
        plain_needed: Records for which a dict form is needed; added to while printing.
    """

    types: Types
    inputs: Mapping[str, str]
    gates: Mapping[str, str]
    fields: Mapping[tuple[str, str], str]
    plain: Mapping[str, str]
    runtime: set[str]
    plain_needed: set[str]
    locals: dict[str, str] = field(default_factory=dict)
    local_types: dict[str, Type] = field(default_factory=dict)
    loops: dict[str, tuple[str, str]] = field(default_factory=dict)
    known: frozenset[Value] = frozenset()

    def knowing(self, facts: frozenset[Value]) -> "Frame":
        """The same frame where more values are known to be there."""
        return replace(self, known=self.known | facts) if facts else self


def when_true(test: Value) -> frozenset[Value]:
    """Optional values that are there when a test holds."""
    match test:
        case Apply(op="defined", args=(value,)) if _stable(value):
            return frozenset((value,))
        case Apply(op="and", args=(left, right)):
            return when_true(left) | when_true(right)
        case Apply(op="not", args=(value,)):
            return when_false(value)
        case _:
            return frozenset()


def when_false(test: Value) -> frozenset[Value]:
    """Optional values that are there when a test does not hold."""
    match test:
        case Apply(op="or", args=(left, right)):
            return when_false(left) | when_false(right)
        case Apply(op="not", args=(value,)):
            return when_true(value)
        case _:
            return frozenset()


def _stable(value: Value) -> bool:
    """Whether a type checker keeps what it learned about a value: names and attributes of what does not change."""
    return isinstance(value, InputRef) or (isinstance(value, Get) and _stable(value.record))


def expression(value: Value, frame: Frame, level: int = TERNARY) -> str:
    """The value as an expression that may stand where `level` is needed."""
    text, own = _print(value, frame)
    return f"({text})" if own < level else text


def _operand(value: Value, frame: Frame, level: int) -> str:
    """The value where it must be there."""
    kind = frame.types.of(value, frame.local_types)
    if isinstance(kind, Optional) and value not in frame.known:
        frame.runtime.add("present")
        return f"present({expression(value, frame)})"
    return expression(value, frame, level)


def _print(value: Value, frame: Frame) -> tuple[str, int]:
    match value:
        case Const(value=known):
            if isinstance(known, str):
                return text_literal(known), ATOM
            return repr(known), UNARY if isinstance(known, int) and known < 0 else ATOM
        case InputRef(name=name):
            return frame.inputs[name], ATOM
        case GateRef(name=name):
            return frame.gates[name], ATOM
        case Local(name=name):
            return frame.locals[name], ATOM
        case LoopProperty(loop=loop, property=name):
            return _loop_property(name, *frame.loops[loop])
        case Get(record=record, field=name):
            kind = frame.types.of(record, frame.local_types)
            owner = kind.item if isinstance(kind, Optional) else kind
            assert isinstance(owner, Record)
            return f"{_operand(record, frame, ATOM)}.{frame.fields[owner.name, name]}", ATOM
        case Choose(test=test, then=then, orelse=orelse):
            yes = expression(then, frame.knowing(when_true(test)), OR)
            no = expression(orelse, frame.knowing(when_false(test)))
            return f"{yes} if {expression(test, frame, OR)} else {no}", TERNARY
        case ListOf(items=items):
            return f"[{', '.join(expression(item, frame) for item in items)}]", ATOM
        case Apply(op=op, args=args):
            return _operation(op, args, frame)
        case _:
            assert_never(value)


def _loop_property(name: str, index: str, length: str) -> tuple[str, int]:
    return {
        "index": (f"{index} + 1", SUM),
        "index0": (index, ATOM),
        "revindex": (f"{length} - {index}", SUM),
        "revindex0": (f"{length} - {index} - 1", SUM),
        "first": (f"{index} == 0", COMPARE),
        "last": (f"{index} == {length} - 1", COMPARE),
        "length": (length, ATOM),
    }[name]


def _operation(op: str, args: tuple[Value, ...], frame: Frame) -> tuple[str, int]:
    if op == "and":
        right = expression(args[1], frame.knowing(when_true(args[0])), NOT)
        return f"{expression(args[0], frame, AND)} and {right}", AND
    if op == "or":
        right = expression(args[1], frame.knowing(when_false(args[0])), AND)
        return f"{expression(args[0], frame, OR)} or {right}", OR
    if op in ("eq", "ne") and Const(None) in args:
        other = args[1] if args[0] == Const(None) else args[0]
        return f"{expression(other, frame, SUM)} is {'not ' if op == 'ne' else ''}None", COMPARE
    if op in _BINARY:
        sign, level = _BINARY[op]
        show = expression if op in _TAKES_ABSENT else _operand
        right_place = SUM if level == COMPARE else level + 1
        left_place = SUM if level == COMPARE else level
        left = show(args[0], frame, left_place)
        return f"{left} {sign} {_right(op, args[1], frame, right_place)}", level
    if op == "json":
        frame.runtime.add("canonical")
        return (
            f"canonical({plain_form(frame.types.of(args[0], frame.local_types), expression(args[0], frame), frame)})",
            ATOM,
        )
    if op in _RUNTIME:
        frame.runtime.add(op)
        show = expression if op in _TAKES_ABSENT else _operand
        return f"{op}({', '.join([show(args[0], frame, TERNARY), *(expression(a, frame) for a in args[1:])])})", ATOM
    return _unary(op, args, frame)


def _right(op: str, value: Value, frame: Frame, level: int) -> str:
    return expression(value, frame, level) if op in ("eq", "ne") else _operand(value, frame, level)


def _unary(op: str, args: tuple[Value, ...], frame: Frame) -> tuple[str, int]:
    def own(level: int = TERNARY) -> str:
        return _operand(args[0], frame, level)

    match op:
        case "not":
            return f"not {own(NOT)}", NOT
        case "defined":
            return f"{expression(args[0], frame, SUM)} is not None", COMPARE
        case "filled_text":
            return f'{own(SUM)} != ""', COMPARE
        case "filled_list":
            return f"len({own()}) > 0", COMPARE
        case "nonzero":
            return f"{own(SUM)} != 0", COMPARE
        case "neg":
            return f"-{own(UNARY)}", UNARY
        case "int_text":
            return f"str({own()})", ATOM
        case "concat" if not args:
            return '""', ATOM
        case "concat" if len(args) == 1:
            return _print(args[0], frame)
        case "concat":
            return " + ".join(_operand(arg, frame, SUM) for arg in args), SUM
        case "length_text" | "length_list":
            return f"len({own()})", ATOM
        case "join":
            return f"{_operand(args[1], frame, ATOM)}.join({own()})", ATOM
        case "sort":
            return f"sorted({own()})", ATOM
        case "sort_by":
            return f"sorted({own()}, key=lambda each: each.{_field_of(args, frame)})", ATOM
        case "pluck":
            return f"[each.{_field_of(args, frame)} for each in {own(OR)}]", ATOM
        case "unique":
            return f"list(dict.fromkeys({own()}))", ATOM
        case "reverse_list":
            return f"list(reversed({own()}))", ATOM
        case _:
            raise AssertionError(f"`{op}` is not in the catalogue of operations")


def _field_of(args: tuple[Value, ...], frame: Frame) -> str:
    kind, name = frame.types.of(args[0], frame.local_types), args[1]
    kind = kind.item if isinstance(kind, Optional) else kind
    assert isinstance(kind, List) and isinstance(kind.item, Record) and isinstance(name, Const)
    return frame.fields[kind.item.name, str(name.value)]


def plain_form(kind: Type, text: str, frame: Frame) -> str:
    """An expression of some type as one without records: each becomes a dict."""
    match kind:
        case Record(name=name):
            frame.plain_needed.add(name)
            return f"{frame.plain[name]}({text})"
        case List(item=item) if _has_record(item):
            return f"[{plain_form(item, 'each', frame)} for each in {text}]"
        case Optional(item=item) if _has_record(item):
            return f"None if {text} is None else {plain_form(item, text, frame)}"
        case _:
            return text


def _has_record(kind: Type) -> bool:
    match kind:
        case Record():
            return True
        case List(item=item) | Optional(item=item):
            return _has_record(item)
        case _:
            return False
