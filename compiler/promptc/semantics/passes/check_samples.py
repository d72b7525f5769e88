"""Hold samples to the `require` clauses: a combination that they rule out has no request."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from operator import ge, gt, le, lt

from promptc.diagnostics.model import Diagnostic, Label
from promptc.diagnostics.sink import Sink
from promptc.semantics.constants import MisfitError, constant
from promptc.semantics.facts import Facts
from promptc.semantics.symbols import Symbols
from promptc.syntax import expressions as ex
from promptc.syntax import nodes
from promptc.types import Optional


@dataclass(frozen=True, slots=True)
class _Unknown:
    """The value of what cannot be told from a sample alone."""


_UNKNOWN = _Unknown()
_ORDERS: Mapping[str, Callable[[int, int], bool]] = {"<": lt, "<=": le, ">": gt, ">=": ge}


def check_samples(facts: Facts, sink: Sink) -> None:
    """Evaluate every `require` on every sample whose values can be told.

    Reads `facts.names`; runs when gates are known to need each other in no circle.

    Diagnostics:
        PC321.
    """
    for sample in facts.symbols.samples.values():
        values = _values(sample, facts.symbols)
        for require in facts.symbols.requires:
            if _truth(_Evaluation(facts, values).of(require.condition)) is False:
                sink.report(
                    Diagnostic(
                        "PC321",
                        f"sample `{sample.name.name}` is a combination that a `require` rules out: {require.reason.value}",
                        Label(sample.name.span),
                        (Label(require.condition.span, "does not hold for its values"),),
                        help="change a value of the sample, or loosen the `require`",
                    )
                )


def _values(sample: nodes.SampleDecl, symbols: Symbols) -> dict[str, object]:
    given = {b.name.name: b.value for b in sample.bindings}
    out: dict[str, object] = {}
    for name, decl in symbols.inputs.items():
        kind = symbols.input_types.get(name)
        expr = given.get(name, decl.default)
        if kind is None or (expr is None and not isinstance(kind, Optional)):
            out[name] = _UNKNOWN
        elif expr is None:
            out[name] = None
        else:
            try:
                out[name] = constant(expr, kind, symbols)
            except MisfitError:
                out[name] = _UNKNOWN
    return out


def _truth(value: object) -> bool | None:
    """Whether a value counts as true; None when that cannot be told."""
    return None if value is _UNKNOWN else bool(value)


@dataclass(frozen=True, slots=True)
class _Evaluation:
    facts: Facts
    values: Mapping[str, object]

    def of(self, expr: ex.Expr) -> object:
        match expr:
            case ex.TextLiteral(value=value) | ex.IntLiteral(value=value) | ex.BoolLiteral(value=value):
                return value
            case ex.NoneLiteral():
                return None
            case ex.Name():
                return self._name(expr)
            case ex.Attribute(value=base, name=ident):
                record = self.of(base)
                return record.get(ident.name, _UNKNOWN) if isinstance(record, dict) else _UNKNOWN
            case ex.ListLiteral(items=items):
                parts = [self.of(item) for item in items]
                return _UNKNOWN if _UNKNOWN in parts else parts
            case ex.Not(operand=operand):
                truth = _truth(self.of(operand))
                return _UNKNOWN if truth is None else not truth
            case ex.Logical(op=op, left=left, right=right):
                return self._logical(op == "or", left, right)
            case ex.Conditional(test=test, then=then, orelse=orelse):
                truth = _truth(self.of(test))
                return _UNKNOWN if truth is None else self.of(then if truth else orelse)
            case ex.Compare():
                return self._compare(expr)
            case ex.Test():
                return self._test(expr)
            case _:
                return _UNKNOWN

    def _name(self, name: ex.Name) -> object:
        resolution = self.facts.names.get(name)
        if resolution is not None and resolution.kind == "gate":
            return self.of(self.facts.symbols.gates[resolution.name].condition)
        return self.values.get(name.name, _UNKNOWN)

    def _logical(self, decisive: bool, left: ex.Expr, right: ex.Expr) -> object:
        truths = (_truth(self.of(left)), _truth(self.of(right)))
        if decisive in truths:
            return decisive
        return _UNKNOWN if None in truths else not decisive

    def _compare(self, expr: ex.Compare) -> object:
        left, right = self.of(expr.left), self.of(expr.right)
        if left is _UNKNOWN or right is _UNKNOWN:
            return _UNKNOWN
        match expr.op:
            case "==" | "!=":
                return (left == right) == (expr.op == "==")
            case "in" | "not in" if isinstance(right, list) or (isinstance(left, str) and isinstance(right, str)):
                return (left in right) == (expr.op == "in")
            case op if op in _ORDERS and isinstance(left, int) and isinstance(right, int):
                return _ORDERS[op](left, right)
            case _:
                return _UNKNOWN

    def _test(self, expr: ex.Test) -> object:
        value = self.of(expr.value)
        if value is _UNKNOWN:
            return _UNKNOWN
        holds = {"defined": value is not None, "undefined": value is None, "none": value is None, "empty": not value}
        found = holds.get(expr.name.name)
        return _UNKNOWN if found is None else found != expr.negated
