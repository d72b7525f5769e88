"""The type of an expression, with narrowing of optionals; faults are reported with the smallest span."""

from promptc.diagnostics.model import Diagnostic, Label
from promptc.diagnostics.sink import Sink
from promptc.diagnostics.suggest import suggest
from promptc.semantics.facts import Facts, Resolution
from promptc.semantics.filter_typing import filter_type, test_type
from promptc.semantics.filters import NONDETERMINISTIC_CALLS, is_comparable, is_printable, is_text
from promptc.semantics.scope_env import Env, path_of, proved
from promptc.syntax import expressions as ex
from promptc.syntax import nodes
from promptc.types import Bool, Enum, Int, Json, List, Nothing, Optional, Record, Text, Type, describe

LOOP_PROPERTIES: dict[str, Type] = {
    "index": Int(),
    "index0": Int(),
    "revindex": Int(),
    "revindex0": Int(),
    "length": Int(),
    "first": Bool(),
    "last": Bool(),
}


class Typer:
    """Types expressions and records what it learnt in `facts`. None stands for a type that could not be told."""

    def __init__(self, facts: Facts, sink: Sink) -> None:
        self.facts = facts
        self.sink = sink

    def report(self, code: str, node: ex.Node, message: str, label: str = "", **more: str | None) -> None:
        """Report at a node; `help` is the only extra."""
        self.sink.report(Diagnostic(code, message, Label(node.span, label), help=more.get("help")))

    def type_of(self, expr: ex.Expr, env: Env) -> Type | None:
        """Type of an expression; recorded, and None after a fault (which is reported once)."""
        kind = self._infer(expr, env)
        if kind is not None:
            self.facts.types[expr] = kind
        return kind

    def condition(self, expr: ex.Expr, env: Env) -> None:
        """Check that an expression can decide something: any type that has a truth value."""
        match expr:
            case ex.Not(operand=operand):
                self.condition(operand, env)
                self.facts.types[expr] = Bool()
            case ex.Logical(op=op, left=left, right=right):
                self.condition(left, env)
                self.condition(right, env.with_narrowed(proved(left, op == "and")))
                self.facts.types[expr] = Bool()
            case ex.Conditional():
                self.type_of(expr, env)
            case _:
                kind = self.type_of(expr, env)
                inner = kind.item if isinstance(kind, Optional) else kind
                if isinstance(inner, Json):
                    self.report("PC301", expr, "a `json` value has no truth value", "this is `json`")

    def value(self, expr: ex.Expr, env: Env, what: str) -> Type | None:
        """Type of an expression whose value is used: an optional must have been tested."""
        kind = self.type_of(expr, env)
        if isinstance(kind, Optional):
            name = path_of(expr)
            shown = f"`{name}`" if name else "this value"
            self.report(
                "PC302",
                expr,
                f"{shown} may be absent and is used without a test",
                f"{describe(kind)} is {what} here",
                help=f'put it inside `{{% if {name} %}}`, or give a text for the absent case: `{name} | default("...")`'
                if name
                else "test the value first",
            )
            return None
        return kind

    def printable(self, expr: ex.Expr, env: Env) -> None:
        """Check that a body can print an expression."""
        kind = self.value(expr, env, "printed")
        if kind is None or is_printable(kind):
            return
        way = {
            Bool: "say what to print for each: `{{ 'on' if flag else 'off' }}`",
            List: 'join it: `{{ items | join(", ") }}`, or loop over it',
            Record: "print one of its fields",
            Json: "print it as JSON: `{{ value | json }}`",
        }.get(type(kind), "print a text or an int")
        self.report("PC303", expr, f"`{describe(kind)}` has no single text form", "printed here", help=way)

    def _infer(self, expr: ex.Expr, env: Env) -> Type | None:
        match expr:
            case ex.TextLiteral():
                return Text()
            case ex.IntLiteral():
                return Int()
            case ex.BoolLiteral():
                return Bool()
            case ex.NoneLiteral():
                return Nothing()
            case ex.Name():
                return self._name(expr, env)
            case ex.Attribute():
                return self._attribute(expr, env)
            case ex.ListLiteral(items=items):
                return self._list(items, env)
            case ex.RecordLiteral():
                self.report("PC320", expr, "a record literal stands outside a sample or a default")
                return None
            case ex.Not() | ex.Logical():
                self.condition(expr, env)
                return Bool()
            case ex.Negate(operand=operand):
                self._operand(operand, env, "-")
                return Int()
            case ex.Binary():
                return self._binary(expr, env)
            case ex.Compare():
                return self._compare(expr, env)
            case ex.Conditional(test=test, then=then, orelse=orelse):
                return self._conditional(expr, test, then, orelse, env)
            case ex.Filter():
                return filter_type(self, expr, env)
            case ex.Test():
                return test_type(self, expr, env)
            case ex.Call():
                return self._call(expr)

    def _name(self, expr: ex.Name, env: Env) -> Type | None:
        name = expr.name
        local = env.locals.get(name)
        if local is not None:
            self.facts.names[expr] = Resolution("local", local.unique)
            return self._narrow(local.type, name, env)
        if name == "loop" and env.loop is not None:
            self.report("PC303", expr, "`loop` itself has no value", help="use a property, such as `loop.index`")
            return None
        decl = self.facts.symbols.values.get(name)
        if isinstance(decl, nodes.InputDecl):
            self.facts.names[expr] = Resolution("input", name)
            return self._narrow(self.facts.symbols.input_types.get(name), name, env)
        if decl is not None:
            self.facts.names[expr] = Resolution("gate", name)
            return Bool()
        if env.broken:
            return None
        if name in env.half_set:
            self.report("PC313", expr, f"`{name}` is set on some paths only", help="set it before the `if` as well")
            return None
        near = suggest(name, [*env.locals, *self.facts.symbols.values])
        help_text = f"did you mean `{near}`?" if near else "declare it: `input NAME : TYPE @CLASS`"
        self.report(
            "PC201", expr, f"`{name}` is not declared", "no input, gate or variable of this name", help=help_text
        )
        return None

    @staticmethod
    def _narrow(kind: Type | None, path: str, env: Env) -> Type | None:
        return kind.item if isinstance(kind, Optional) and path in env.narrowed else kind

    def _attribute(self, expr: ex.Attribute, env: Env) -> Type | None:
        base = expr.value
        if isinstance(base, ex.Name) and base.name == "loop" and "loop" not in env.locals and env.loop is not None:
            self.facts.names[base] = Resolution("loop", env.loop)
            kind = LOOP_PROPERTIES.get(expr.name.name)
            if kind is None:
                known = ", ".join(f"`{p}`" for p in LOOP_PROPERTIES)
                self.report("PC307", expr.name, f"`loop` has no property `{expr.name.name}`", help=f"it has {known}")
            return kind
        kind = self.value(base, env, "looked into")
        if kind is None:
            return None
        if not isinstance(kind, Record):
            why = "it is opaque" if isinstance(kind, Json) else f"it is `{describe(kind)}`"
            self.report("PC307", expr.name, f"this value has no field `{expr.name.name}`: {why}")
            return None
        fields = self.facts.symbols.field_types.get(kind.name, {})
        if expr.name.name not in fields:
            near = suggest(expr.name.name, list(fields))
            self.report(
                "PC307",
                expr.name,
                f"`{kind.name}` has no field `{expr.name.name}`",
                help=f"did you mean `{near}`?" if near else None,
            )
            return None
        path = path_of(expr)
        return self._narrow(fields[expr.name.name], path or "", env)

    def _list(self, items: tuple[ex.Expr, ...], env: Env) -> Type | None:
        kinds = [self.value(item, env, "listed") for item in items]
        if any(k is None for k in kinds):
            return None
        first = kinds[0] if kinds else Text()
        for item, kind in zip(items, kinds, strict=True):
            if first is not None and kind is not None and not is_comparable(first, kind):
                self.report("PC301", item, f"this list mixes `{describe(first)}` and `{describe(kind)}`")
                return None
        return List(Text() if first is None or isinstance(first, Enum) else first)

    def _operand(self, expr: ex.Expr, env: Env, op: str) -> None:
        kind = self.value(expr, env, "computed with")
        if kind is not None and not isinstance(kind, Int):
            extra = "write `~` to join texts" if op == "+" and is_text(kind) else None
            self.report("PC301", expr, f"`{op}` takes ints, this is `{describe(kind)}`", help=extra)

    def _binary(self, expr: ex.Binary, env: Env) -> Type | None:
        if expr.op == "~":
            for side in (expr.left, expr.right):
                self.printable(side, env)
            return Text()
        self._operand(expr.left, env, expr.op)
        self._operand(expr.right, env, expr.op)
        if expr.op in ("//", "%") and not (isinstance(expr.right, ex.IntLiteral) and expr.right.value != 0):
            self.report("PC318", expr.right, f"the right side of `{expr.op}` is not a number other than 0")
        return Int()

    def _compare(self, expr: ex.Compare, env: Env) -> Type | None:
        left, right = self.type_of(expr.left, env), self.type_of(expr.right, env)
        if left is None or right is None:
            return Bool()
        if expr.op in ("in", "not in"):
            self._membership(expr, left, right)
        elif isinstance(left, Nothing) or isinstance(right, Nothing):
            self.report("PC301", expr, "`none` is not compared", help="write `is none` or `is defined`")
        elif expr.op in ("==", "!="):
            if not is_comparable(left, right):
                self.report("PC301", expr, f"`{describe(left)}` and `{describe(right)}` are never equal")
            else:
                self._enum_literal(expr.right, left)
                self._enum_literal(expr.left, right)
        else:
            for side, kind in ((expr.left, left), (expr.right, right)):
                if isinstance(kind, Optional):
                    self.value(side, env, "compared")
                    return Bool()
            both_int = isinstance(left, Int) and isinstance(right, Int)
            if not both_int and not (isinstance(left, Text) and isinstance(right, Text)):
                self.report("PC301", expr, f"`{describe(left)}` and `{describe(right)}` have no order in common")
        return Bool()

    def _enum_literal(self, literal: ex.Expr, other: Type) -> None:
        kind = other.item if isinstance(other, Optional) else other
        if isinstance(kind, Enum) and isinstance(literal, ex.TextLiteral) and literal.value not in kind.members:
            near = suggest(literal.value, list(kind.members))
            self.report(
                "PC301",
                literal,
                f'`"{literal.value}"` is not a member of `{describe(kind)}`',
                help=f'did you mean `"{near}"`?' if near else None,
            )

    def _membership(self, expr: ex.Compare, left: Type, right: Type) -> None:
        item = left.item if isinstance(left, Optional) else left
        if isinstance(right, List) and is_comparable(item, right.item):
            if isinstance(expr.right, ex.ListLiteral):
                for literal in expr.right.items:
                    self._enum_literal(literal, item)
        elif isinstance(left, Optional) or not (is_text(left) and is_text(right)):
            self.report("PC301", expr, f"`{describe(left)}` cannot be in `{describe(right)}`")

    def _conditional(
        self, expr: ex.Conditional, test: ex.Expr, then: ex.Expr, orelse: ex.Expr, env: Env
    ) -> Type | None:
        self.condition(test, env)
        yes = self.type_of(then, env.with_narrowed(proved(test, True)))
        no = self.type_of(orelse, env.with_narrowed(proved(test, False)))
        if yes is None or no is None:
            return None
        joined = join_types(yes, no)
        if joined is None:
            self.report("PC301", expr, f"the two sides differ: `{describe(yes)}` and `{describe(no)}`")
        return joined

    def _call(self, expr: ex.Call) -> Type | None:
        name = expr.function.name if isinstance(expr.function, ex.Name) else None
        last = expr.function.name.name if isinstance(expr.function, ex.Attribute) else name
        if last in NONDETERMINISTIC_CALLS:
            self.report(
                "PC309",
                expr,
                f"`{last}()` gives another result at each run",
                help="compute it in the host and pass it as an input of class `@turn` (or of the class that it has)",
            )
            return None
        shown = f"`{last}()`" if last else "a call"
        self.report("PC308", expr, f"{shown} is a call, and a body can call nothing", help="use a filter or an input")
        return None


def join_types(left: Type, right: Type) -> Type | None:
    """The type that holds values of both; None when there is none."""
    if left == right:
        return left
    if isinstance(left, Nothing):
        return right if isinstance(right, Optional) else Optional(right)
    if isinstance(right, Nothing):
        return left if isinstance(left, Optional) else Optional(left)
    if isinstance(left, Optional) or isinstance(right, Optional):
        inner = join_types(
            left.item if isinstance(left, Optional) else left, right.item if isinstance(right, Optional) else right
        )
        return None if inner is None else Optional(inner)
    if is_text(left) and is_text(right):
        return Text()
    if isinstance(left, Int) and isinstance(right, Int):
        return Int()
    if isinstance(left, List) and isinstance(right, List):
        item = join_types(left.item, right.item)
        return None if item is None else List(item)
    return None
