"""Lower expressions to IR values, with constants folded."""

from promptc.ir import model as ir
from promptc.semantics.facts import Facts
from promptc.semantics.filter_typing import bind_arguments
from promptc.semantics.filters import FILTERS
from promptc.syntax import expressions as ex
from promptc.types import Bool, Enum, Int, Json, List, Nothing, Optional, Record, Text, Type

_ARITHMETIC = {"+": "add", "-": "sub", "*": "mul", "//": "floordiv", "%": "mod"}
_SAME_NAME = frozenset({"upper", "lower", "trim", "first", "last", "unique", "json"})

TRUE = ir.Const(True)
FALSE = ir.Const(False)


def negation(value: ir.Value) -> ir.Value:
    """`not value`, folded."""
    if isinstance(value, ir.Const):
        return ir.Const(not value.value)
    if isinstance(value, ir.Apply) and value.op == "not":
        return value.args[0]
    return ir.Apply("not", (value,))


def conjunction(left: ir.Value, right: ir.Value) -> ir.Value:
    """`left and right`, folded."""
    if left == TRUE or right == FALSE:
        return right
    if right == TRUE or left == FALSE:
        return left
    return ir.Apply("and", (left, right))


def disjunction(left: ir.Value, right: ir.Value) -> ir.Value:
    """`left or right`, folded."""
    if left == FALSE or right == TRUE:
        return right
    if right == FALSE or left == TRUE:
        return left
    return ir.Apply("or", (left, right))


class ValueLowering:
    """Lowers expressions of a compilation without errors: every expression has its type in `facts`."""

    def __init__(self, facts: Facts) -> None:
        self.facts = facts

    def type_of(self, expr: ex.Expr) -> Type:
        """The recorded type; a compilation without errors has one for every expression."""
        return self.facts.types[expr]

    def truth(self, expr: ex.Expr) -> ir.Value:
        """The bool that an expression decides as a condition."""
        match expr:
            case ex.Not(operand=operand):
                return negation(self.truth(operand))
            case ex.Logical(op="and", left=left, right=right):
                return conjunction(self.truth(left), self.truth(right))
            case ex.Logical(left=left, right=right):
                return disjunction(self.truth(left), self.truth(right))
            case ex.Conditional(test=test, then=then, orelse=orelse):
                return self._choose(self.truth(test), self.truth(then), self.truth(orelse))
            case _:
                return self._as_bool(self.value(expr), self.type_of(expr))

    def _as_bool(self, value: ir.Value, kind: Type) -> ir.Value:
        if isinstance(value, ir.Const):
            return ir.Const(bool(value.value))
        match kind:
            case Bool():
                return value
            case Text() | Enum():
                return ir.Apply("filled_text", (value,))
            case Int():
                return ir.Apply("nonzero", (value,))
            case List():
                return ir.Apply("filled_list", (value,))
            case Optional(item=item):
                inner = self._as_bool(value, item)
                present = ir.Apply("defined", (value,))
                return present if inner == TRUE else conjunction(present, inner)
            case Nothing():
                return FALSE
            case Record() | Json():
                return TRUE

    def value(self, expr: ex.Expr) -> ir.Value:
        """The value of an expression."""
        match expr:
            case ex.TextLiteral(value=text):
                return ir.Const(text)
            case ex.IntLiteral(value=number):
                return ir.Const(number)
            case ex.BoolLiteral(value=flag):
                return ir.Const(flag)
            case ex.NoneLiteral():
                return ir.Const(None)
            case ex.Name():
                return self._name(expr)
            case ex.Attribute(value=base, name=ident):
                return self._attribute(base, ident.name)
            case ex.ListLiteral(items=items):
                return ir.ListOf(tuple(self.value(i) for i in items))
            case ex.Not() | ex.Logical():
                return self.truth(expr)
            case ex.Negate(operand=operand):
                inner = self.value(operand)
                if isinstance(inner, ir.Const) and isinstance(inner.value, int):
                    return ir.Const(-inner.value)
                return ir.Apply("neg", (inner,))
            case ex.Binary():
                return self._binary(expr)
            case ex.Compare():
                return self._compare(expr)
            case ex.Conditional(test=test, then=then, orelse=orelse):
                return self._choose(self.truth(test), self.value(then), self.value(orelse))
            case ex.Filter():
                return self._filter(expr)
            case ex.Test():
                return self._test(expr)
            case ex.RecordLiteral() | ex.Call():
                raise ValueError("refused by the type checker")

    @staticmethod
    def _choose(test: ir.Value, then: ir.Value, orelse: ir.Value) -> ir.Value:
        if isinstance(test, ir.Const):
            return then if test.value else orelse
        return ir.Choose(test, then, orelse)

    def _name(self, expr: ex.Name) -> ir.Value:
        resolution = self.facts.names[expr]
        match resolution.kind:
            case "input":
                return ir.InputRef(resolution.name)
            case "gate":
                return ir.GateRef(resolution.name)
            case _:
                return ir.Local(resolution.name)

    def _attribute(self, base: ex.Expr, field: str) -> ir.Value:
        if isinstance(base, ex.Name):
            resolution = self.facts.names.get(base)
            if resolution is not None and resolution.kind == "loop":
                return _loop_property(resolution.name, field)
        return ir.Get(self.value(base), field)

    def _binary(self, expr: ex.Binary) -> ir.Value:
        if expr.op == "~":
            return self._concat((*self._concat_parts(expr.left), *self._concat_parts(expr.right)))
        return ir.Apply(_ARITHMETIC[expr.op], (self.value(expr.left), self.value(expr.right)))

    def _concat_parts(self, expr: ex.Expr) -> tuple[ir.Value, ...]:
        if isinstance(expr, ex.Binary) and expr.op == "~":
            return (*self._concat_parts(expr.left), *self._concat_parts(expr.right))
        return (self.text(expr),)

    @staticmethod
    def _concat(parts: tuple[ir.Value, ...]) -> ir.Value:
        out: list[ir.Value] = []
        for part in parts:
            last = out[-1] if out else None
            if isinstance(part, ir.Const) and isinstance(last, ir.Const):
                out[-1] = ir.Const(f"{last.value}{part.value}")
            else:
                out.append(part)
        return out[0] if len(out) == 1 else ir.Apply("concat", tuple(out))

    def text(self, expr: ex.Expr) -> ir.Value:
        """The value as text: an int is written in decimal."""
        value = self.value(expr)
        if not isinstance(self.type_of(expr), Int):
            return value
        return ir.Const(str(value.value)) if isinstance(value, ir.Const) else ir.Apply("int_text", (value,))

    def _compare(self, expr: ex.Compare) -> ir.Value:
        left, right = self.value(expr.left), self.value(expr.right)
        match expr.op:
            case "==":
                return ir.Apply("eq", (left, right))
            case "!=":
                return ir.Apply("ne", (left, right))
            case "in" | "not in":
                inside = "in_list" if isinstance(self.type_of(expr.right), List) else "in_text"
                found: ir.Value = ir.Apply(inside, (left, right))
                return found if expr.op == "in" else negation(found)
            case _:
                suffix = "int" if isinstance(self.type_of(expr.left), Int) else "text"
                if expr.op in (">", ">="):
                    left, right = right, left
                return ir.Apply(("le_" if "=" in expr.op else "lt_") + suffix, (left, right))

    def _test(self, expr: ex.Test) -> ir.Value:
        value = self.value(expr.value)
        kind = self.type_of(expr.value)
        if expr.name.name == "empty":
            found = negation(self._as_bool(value, kind))
        else:
            present = (
                ir.Apply("defined", (value,)) if isinstance(kind, Optional) else ir.Const(not isinstance(kind, Nothing))
            )
            found = present if expr.name.name == "defined" else negation(present)
        return negation(found) if expr.negated else found

    def _filter(self, expr: ex.Filter) -> ir.Value:
        spec = FILTERS[expr.name.name]
        bound = bind_arguments(spec.name, spec.parameters, expr.args)
        assert not isinstance(bound, str)
        value = self.value(expr.value)
        args: list[ir.Value] = []
        for parameter in spec.parameters:
            given = bound.get(parameter.name)
            args.append(self.value(given.value) if given is not None else ir.Const(parameter.default))
        match spec.name:
            case "length" | "count":
                op = "length_list" if isinstance(self.type_of(expr.value), List) else "length_text"
                return ir.Apply(op, (value,))
            case "join":
                return ir.Apply("join", (_plucked(value, args[1]), args[0]))
            case "map":
                return ir.Apply("pluck", (value, args[0]))
            case "sort":
                by_field = isinstance(args[0], ir.Const) and args[0].value is not None
                return ir.Apply("sort_by", (value, args[0])) if by_field else ir.Apply("sort", (value,))
            case "reverse":
                return ir.Apply("reverse_list", (value,))
            case "default" if not isinstance(self.type_of(expr.value), Optional):
                return value
            case name if name in _SAME_NAME:
                return ir.Apply(name, (value,))
            case name:
                return ir.Apply(name, (value, *args))


def _plucked(value: ir.Value, field: ir.Value) -> ir.Value:
    return value if isinstance(field, ir.Const) and field.value is None else ir.Apply("pluck", (value, field))


def _loop_property(loop: str, name: str) -> ir.LoopProperty:
    match name:
        case "index" | "index0" | "revindex" | "revindex0" | "first" | "last" | "length":
            return ir.LoopProperty(loop, name)
        case _:
            raise ValueError(f"refused by the type checker: loop.{name}")
