"""Whether a condition ranges over a finite domain: then it forks a prefix, else it spoils it."""

from promptc.semantics.facts import Facts
from promptc.syntax import expressions as ex
from promptc.types import Bool, Enum, Int, List, Optional, Text, Type

# A bounded int with more values than this counts as unbounded: nobody enumerates them.
LARGEST_RANGE = 64


def unbounded_part(expr: ex.Expr, facts: Facts, seen: frozenset[str] = frozenset()) -> ex.Expr | None:
    """The first part of a condition that has no finite domain; None when all of it is finite.

    Finite are: bools, enums, ranges, presence (`is defined`, truth of an optional, text or list), and equality with or
    membership in literals.
    """
    match expr:
        case ex.BoolLiteral():
            return None
        case ex.Not(operand=operand):
            return unbounded_part(operand, facts, seen)
        case ex.Logical(left=left, right=right):
            return unbounded_part(left, facts, seen) or unbounded_part(right, facts, seen)
        case ex.Conditional(test=test, then=then, orelse=orelse):
            for part in (test, then, orelse):
                if (found := unbounded_part(part, facts, seen)) is not None:
                    return found
            return None
        case ex.Name():
            resolution = facts.names.get(expr)
            if resolution is not None and resolution.kind == "gate" and resolution.name not in seen:
                gate = facts.symbols.gates[resolution.name]
                return expr if unbounded_part(gate.condition, facts, seen | {resolution.name}) else None
            return None if _has_finite_truth(facts.types.get(expr)) else expr
        case ex.Test(value=ex.Name()):
            return None
        case ex.Compare(op=op, left=left, right=right) if op in ("==", "!=", "in", "not in"):
            return _equality(expr, left, right, facts)
        case ex.Compare(left=left, right=right):
            sides = (left, right)
            if all(isinstance(s, ex.IntLiteral) or _is_small_range(facts.types.get(s)) for s in sides):
                return None
            return expr
        case _:
            return expr


def _equality(expr: ex.Compare, left: ex.Expr, right: ex.Expr, facts: Facts) -> ex.Expr | None:
    for side, other in ((left, right), (right, left)):
        if isinstance(side, ex.Name) and _is_literal(other):
            return None
    if all(isinstance(s, ex.Name) and _is_enumerable(facts.types.get(s)) for s in (left, right)):
        return None
    return expr


def _is_literal(expr: ex.Expr) -> bool:
    if isinstance(expr, ex.ListLiteral):
        return all(_is_literal(i) for i in expr.items)
    return isinstance(expr, ex.TextLiteral | ex.IntLiteral | ex.BoolLiteral | ex.NoneLiteral)


def _has_finite_truth(kind: Type | None) -> bool:
    # The truth of any value is one of two facts about it (there and filled, or not).
    return kind is None or isinstance(kind, Bool | Enum | Text | List | Optional) or _is_small_range(kind)


def _is_small_range(kind: Type | None) -> bool:
    return (
        isinstance(kind, Int)
        and kind.low is not None
        and kind.high is not None
        and kind.high - kind.low < LARGEST_RANGE
    )


def _is_enumerable(kind: Type | None) -> bool:
    inner = kind.item if isinstance(kind, Optional) else kind
    return isinstance(inner, Bool | Enum) or _is_small_range(inner)
