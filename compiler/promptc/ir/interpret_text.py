"""Evaluate values and render text operations of a residual program, one node at a time."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, assert_never

from promptc.ir.interpret_ops import STRICT
from promptc.ir.model import (
    Apply,
    Bind,
    Branch,
    Choose,
    Const,
    Each,
    GateRef,
    Get,
    InputRef,
    ListOf,
    Lit,
    Local,
    LoopProperty,
    Put,
    TextOp,
    Value,
)


@dataclass(frozen=True, slots=True)
class Loop:
    """Where a loop stands."""

    index: int
    length: int

    def get(self, name: str) -> int | bool:
        """A loop property by the name that Jinja2 gives it."""
        return {
            "index": self.index + 1,
            "index0": self.index,
            "revindex": self.length - self.index,
            "revindex0": self.length - self.index - 1,
            "first": self.index == 0,
            "last": self.index == self.length - 1,
            "length": self.length,
        }[name]


@dataclass(slots=True)
class Scope:
    """Everything that a value can refer to. Records are mappings by field name.

    Attributes:
        inputs, gates: By name.
        locals: Loop elements and `set` variables of the text being rendered.
        loops: By the name of the loop's element.
    """

    inputs: Mapping[str, Any]
    gates: dict[str, bool] = field(default_factory=dict)
    locals: dict[str, Any] = field(default_factory=dict)
    loops: dict[str, Loop] = field(default_factory=dict)


def evaluate(value: Value, scope: Scope) -> Any:
    """The value of an expression."""
    match value:
        case Const(value=known):
            return known
        case InputRef(name=name):
            return scope.inputs[name]
        case GateRef(name=name):
            return scope.gates[name]
        case Local(name=name):
            return scope.locals[name]
        case LoopProperty(loop=loop, property=name):
            return scope.loops[loop].get(name)
        case Get(record=record, field=name):
            return evaluate(record, scope)[name]
        case Apply(op="and", args=(left, right)):
            return evaluate(left, scope) and evaluate(right, scope)
        case Apply(op="or", args=(left, right)):
            return evaluate(left, scope) or evaluate(right, scope)
        case Apply(op=op, args=args):
            return STRICT[op](*(evaluate(arg, scope) for arg in args))
        case Choose(test=test, then=then, orelse=orelse):
            return evaluate(then if evaluate(test, scope) else orelse, scope)
        case ListOf(items=items):
            return [evaluate(item, scope) for item in items]
        case _:
            assert_never(value)


def render(ops: Sequence[TextOp], scope: Scope) -> str:
    """The text that some operations write. Locals of `scope` are changed by `Bind` and by loops."""
    return "".join(_render(op, scope) for op in ops)


def _render(op: TextOp, scope: Scope) -> str:
    match op:
        case Lit(text=text):
            return text
        case Put(value=value, is_int=is_int):
            inserted = evaluate(value, scope)
            return format(inserted, "d") if is_int else inserted
        case Branch(arms=arms, orelse=orelse):
            for arm in arms:
                if evaluate(arm.test, scope):
                    return render(arm.body, scope)
            return render(orelse, scope)
        case Bind(local=local, value=value):
            scope.locals[local] = evaluate(value, scope)
            return ""
        case Each():
            return _loop(op, scope)
        case _:
            assert_never(op)


def _loop(loop: Each, scope: Scope) -> str:
    chosen = []
    for item in evaluate(loop.items, scope):
        scope.locals[loop.local] = item
        if loop.test is None or evaluate(loop.test, scope):
            chosen.append(item)
    if not chosen:
        return render(loop.orelse, scope)
    parts = []
    for index, item in enumerate(chosen):
        scope.locals[loop.local] = item
        scope.loops[loop.local] = Loop(index, len(chosen))
        parts.append(render(loop.body, scope))
    return "".join(parts)
