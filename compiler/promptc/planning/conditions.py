"""Conditions of a spec as decision diagrams: every input becomes a variable with the few values that matter."""

import operator
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from typing import TypeAlias

from promptc.planning.diagrams import FALSE, TRUE, Diagrams
from promptc.semantics.facts import Facts
from promptc.syntax import expressions as ex
from promptc.syntax.dump import dump
from promptc.types import Bool, Enum, Int, List, Optional, Text, Type


@dataclass(frozen=True, slots=True)
class Special:
    """A value of a variable that stands for many: `absent`, `other` (something else, not empty), `filled`."""

    name: str


ABSENT = Special("absent")
OTHER = Special("other")
FILLED = Special("filled")
# An empty list; an empty text is the text "".
EMPTY = Special("empty")
HOLDS = Special("holds")
FAILS = Special("fails")

DomainValue: TypeAlias = str | int | bool | Special
Predicate: TypeAlias = Callable[[DomainValue], bool]
Relation: TypeAlias = Callable[[DomainValue, DomainValue], bool]


@dataclass(frozen=True, slots=True)
class Variable:
    """An input, or a condition that has no finite domain and is taken as a fact of its own.

    Attributes:
        name: Input name; for an opaque condition its text form.
    """

    name: str
    values: tuple[DomainValue, ...]


class Conditions:
    """Translates the conditions of one prompt.

    Args:
        facts: Names and types of the expressions.
        expressions: Every condition that will be asked for: they decide which values of a text matter.
        presence: Inputs whose emptiness matters although no condition names them.
    """

    def __init__(self, facts: Facts, expressions: Iterable[ex.Expr], presence: Iterable[str] = ()) -> None:
        self.facts = facts
        self._literals: dict[str, dict[DomainValue, None]] = {}
        self._opaque: dict[str, None] = {}
        self._used: dict[str, None] = dict.fromkeys(presence)
        for expression in expressions:
            self._scan(expression)
        self.variables: tuple[Variable, ...] = tuple(
            Variable(name, self._domain(name)) for name in facts.symbols.inputs if name in self._used
        ) + tuple(Variable(text, (FAILS, HOLDS)) for text in self._opaque)
        self._index = {v.name: i for i, v in enumerate(self.variables)}
        self.diagrams = Diagrams(len(v.values) for v in self.variables)
        self._nodes: dict[ex.Expr, int] = {}

    # -- what matters --------------------------------------------------------------------------------

    def _scan(self, expr: ex.Expr) -> None:
        match expr:
            case ex.Not(operand=operand):
                self._scan(operand)
            case ex.Logical(left=left, right=right):
                self._scan(left)
                self._scan(right)
            case ex.Conditional(test=test, then=then, orelse=orelse):
                for part in (test, then, orelse):
                    self._scan(part)
            case ex.Name():
                self._scan_name(expr)
            case ex.Test(value=ex.Name() as name):
                self._scan_name(name)
            case ex.Compare(op=op, left=left, right=right) if op in ("==", "!=", "in", "not in"):
                if not self._scan_equality(left, right):
                    self._opaque.setdefault(dump(expr))
            case ex.Compare(left=left, right=right) if self._all_ranges((left, right)):
                for side in (left, right):
                    if isinstance(side, ex.Name):
                        self._scan_name(side)
            case ex.BoolLiteral():
                return
            case _:
                self._opaque.setdefault(dump(expr))

    def _scan_name(self, name: ex.Name) -> None:
        resolution = self.facts.names.get(name)
        if resolution is None:
            return
        if resolution.kind == "gate":
            self._scan(self.facts.symbols.gates[resolution.name].condition)
        elif resolution.kind == "input":
            self._used.setdefault(resolution.name)
        else:
            self._opaque.setdefault(dump(name))

    def _scan_equality(self, left: ex.Expr, right: ex.Expr) -> bool:
        for side, other in ((left, right), (right, left)):
            literals = _literals(other)
            if isinstance(side, ex.Name) and literals is not None and self._input(side) is not None:
                self._scan_name(side)
                self._literals.setdefault(self._input(side) or "", {}).update(dict.fromkeys(literals))
                return True
        names = [s for s in (left, right) if isinstance(s, ex.Name) and self._closed(s)]
        for name in names:
            self._scan_name(name)
        return len(names) == 2

    def _input(self, name: ex.Name) -> str | None:
        resolution = self.facts.names.get(name)
        return resolution.name if resolution is not None and resolution.kind == "input" else None

    def _closed(self, name: ex.Name) -> bool:
        declared = self.facts.symbols.input_types.get(self._input(name) or "")
        inner = declared.item if isinstance(declared, Optional) else declared
        return isinstance(inner, Bool | Enum) or (isinstance(inner, Int) and inner.low is not None)

    def _all_ranges(self, sides: tuple[ex.Expr, ...]) -> bool:
        return all(
            isinstance(s, ex.IntLiteral)
            or (isinstance(s, ex.Name) and isinstance(k := self.facts.types.get(s), Int) and k.low is not None)
            for s in sides
        )

    def _domain(self, name: str) -> tuple[DomainValue, ...]:
        declared = self.facts.symbols.input_types.get(name)
        if isinstance(declared, Optional):
            return (ABSENT, *self._plain_domain(name, declared.item))
        return self._plain_domain(name, declared)

    def _plain_domain(self, name: str, kind: Type | None) -> tuple[DomainValue, ...]:
        named = self._literals.get(name, {})
        match kind:
            case Bool():
                return (False, True)
            case Enum(members=members):
                return members
            case Int(low=int() as low, high=int() as high) if high - low < 4096:
                return tuple(range(low, high + 1))
            case Int():
                return (*dict.fromkeys([0, *named]), OTHER)
            case Text():
                return (*dict.fromkeys(["", *named]), OTHER)
            case List():
                return (EMPTY, FILLED)
            case _:
                return (FILLED,)

    # -- translation ---------------------------------------------------------------------------------

    def node(self, expr: ex.Expr) -> int:
        """The diagram of a condition."""
        found = self._nodes.get(expr)
        if found is None:
            found = self._nodes[expr] = self._translate(expr)
        return found

    def all_of(self, expressions: Iterable[ex.Expr]) -> int:
        """The conjunction of some conditions; true for none."""
        out = TRUE
        for expression in expressions:
            out = self.diagrams.both(out, self.node(expression))
        return out

    def filled(self, name: str) -> int:
        """The condition that an input is there and not empty."""
        return self._where(name, _truth)

    def _translate(self, expr: ex.Expr) -> int:
        d = self.diagrams
        match expr:
            case ex.BoolLiteral(value=value):
                return TRUE if value else FALSE
            case ex.Not(operand=operand):
                return d.negate(self.node(operand))
            case ex.Logical(op="and", left=left, right=right):
                return d.both(self.node(left), self.node(right))
            case ex.Logical(left=left, right=right):
                return d.either(self.node(left), self.node(right))
            case ex.Conditional(test=test, then=then, orelse=orelse):
                yes = self.node(test)
                return d.either(d.both(yes, self.node(then)), d.both(d.negate(yes), self.node(orelse)))
            case ex.Name():
                return self._name(expr)
            case ex.Test(value=ex.Name() as value, name=ident, negated=negated) if self._input(value):
                found = self._where(self._input(value) or "", _TESTS[ident.name])
                return d.negate(found) if negated else found
            case ex.Compare():
                return self._compare(expr)
            case _:
                return self._fact(expr)

    def _name(self, name: ex.Name) -> int:
        resolution = self.facts.names.get(name)
        if resolution is not None and resolution.kind == "gate":
            return self.node(self.facts.symbols.gates[resolution.name].condition)
        if resolution is not None and resolution.kind == "input":
            return self._where(resolution.name, _truth)
        return self._fact(name)

    def _fact(self, expr: ex.Expr) -> int:
        index = self._index.get(dump(expr))
        # A condition that was not announced cannot be told from others; it is taken as possible either way.
        return TRUE if index is None else self.diagrams.where(index, lambda v: v == 1)

    def _where(self, name: str, holds: Predicate) -> int:
        index = self._index[name]
        values = self.variables[index].values
        return self.diagrams.where(index, lambda v: holds(values[v]))

    def _compare(self, expr: ex.Compare) -> int:
        negated = expr.op in ("!=", "not in")
        if expr.op in ("==", "!=", "in", "not in"):
            found = self._equality(expr.left, expr.right)
        else:
            found = self._ordered(expr)
        if found is None:
            return self._fact(expr)
        return self.diagrams.negate(found) if negated else found

    def _equality(self, left: ex.Expr, right: ex.Expr) -> int | None:
        for side, other in ((left, right), (right, left)):
            literals = _literals(other)
            if isinstance(side, ex.Name) and literals is not None and (name := self._input(side)) is not None:
                return self._where(name, partial(_equals_any, wanted=literals))
        if isinstance(left, ex.Name) and isinstance(right, ex.Name) and self._closed(left) and self._closed(right):
            return self._pairs(left, right, lambda a, b: type(a) is type(b) and a == b)
        return None

    def _pairs(self, left: ex.Name, right: ex.Name, holds: Relation) -> int:
        a, b = self._input(left) or "", self._input(right) or ""
        out = FALSE
        for value in self.variables[self._index[a]].values:
            here = self._where(a, partial(_is, value))
            there = self._where(b, partial(holds, value))
            out = self.diagrams.either(out, self.diagrams.both(here, there))
        return out

    def _ordered(self, expr: ex.Compare) -> int | None:
        relation = _ORDERS[expr.op]
        match expr.left, expr.right:
            case ex.Name() as name, ex.IntLiteral(value=bound) if self._all_ranges((name,)):
                return self._where(self._input(name) or "", lambda v: isinstance(v, int) and relation(v, bound))
            case ex.IntLiteral(value=bound), ex.Name() as name if self._all_ranges((name,)):
                return self._where(self._input(name) or "", lambda v: isinstance(v, int) and relation(bound, v))
            case ex.Name() as a, ex.Name() as b if self._all_ranges((a, b)):
                return self._pairs(a, b, lambda x, y: isinstance(x, int) and isinstance(y, int) and relation(x, y))
            case _:
                return None


def _literals(expr: ex.Expr) -> tuple[str | int | bool, ...] | None:
    match expr:
        case ex.TextLiteral(value=text):
            return (text,)
        case ex.IntLiteral(value=number):
            return (number,)
        case ex.BoolLiteral(value=flag):
            return (flag,)
        case ex.ListLiteral(items=items):
            parts = [_literals(i) for i in items]
            return None if any(p is None for p in parts) else tuple(v for p in parts if p is not None for v in p)
        case _:
            return None


def _equals_any(value: DomainValue, wanted: tuple[str | int | bool, ...]) -> bool:
    return any(type(value) is type(w) and value == w for w in wanted)


def _is(wanted: DomainValue, value: DomainValue) -> bool:
    return type(value) is type(wanted) and value == wanted


def _truth(value: DomainValue) -> bool:
    return value not in (ABSENT, EMPTY) and value is not False and value != "" and value != 0


_TESTS: dict[str, Predicate] = {
    "defined": lambda v: v != ABSENT,
    "undefined": lambda v: v == ABSENT,
    "none": lambda v: v == ABSENT,
    "empty": lambda v: v in ("", EMPTY),
}
_ORDERS: dict[str, Callable[[int, int], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
