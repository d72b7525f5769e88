"""Residual values as text: spelled as in a spec, with parentheses only where they change the meaning."""

import pytest

from promptc.ir.model import Apply, Choose, Const, GateRef, Get, InputRef, ListOf, Local, LoopProperty, Value
from promptc.lowering.value_text import leaves, value_text

A, B, C = InputRef("a"), InputRef("b"), InputRef("c")


def apply(op: str, *args: Value) -> Apply:
    return Apply(op, args)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (Const(None), "none"),
        (Const(True), "true"),
        (Const(-3), "-3"),
        (Const('say "ü"\n'), '"say \\"ü\\"\\n"'),
        (GateRef("big"), "big"),
        (Local("a"), "$a"),
        (LoopProperty("t", "index"), "loop($t).index"),
        (Get(Local("tool"), "name"), "$tool.name"),
        (ListOf((Const("x"), A)), '["x", a]'),
        (apply("and", apply("or", A, B), C), "(a or b) and c"),
        (apply("or", apply("and", A, B), C), "a and b or c"),
        (apply("and", A, apply("and", B, C)), "a and (b and c)"),
        (apply("and", apply("and", A, B), C), "a and b and c"),
        (apply("not", apply("or", A, B)), "not (a or b)"),
        (apply("not", apply("eq", A, B)), "not a == b"),
        (apply("eq", apply("eq", A, B), C), "(a == b) == c"),
        (apply("eq", A, apply("eq", B, C)), "a == (b == c)"),
        (apply("not", apply("defined", A)), "a is not defined"),
        (apply("not", apply("in_list", A, ListOf((Const("x"),)))), 'a not in ["x"]'),
        (apply("sub", A, apply("sub", B, C)), "a - (b - c)"),
        (apply("mul", apply("add", A, B), C), "(a + b) * c"),
        (apply("neg", apply("add", A, B)), "-(a + b)"),
        (apply("filled_list", A), "a"),
        (apply("concat", A, Const("-"), apply("add", B, C)), 'a ~ "-" ~ b + c'),
        (apply("join", apply("pluck", A, Const("name")), Const(", ")), 'a | map("name") | join(", ")'),
        (apply("upper", apply("concat", A, B)), "(a ~ b) | upper"),
        (apply("length_text", A), "a | length"),
        (Choose(A, B, C), "b if a else c"),
        (Choose(A, B, Choose(B, A, C)), "b if a else a if b else c"),
        (Choose(A, Choose(B, A, C), C), "(a if b else c) if a else c"),
        (Get(apply("default", A, B), "f"), "(a | default(b)).f"),
    ],
)
def test_value_is_spelled_as_in_a_spec(value: Value, text: str) -> None:
    assert value_text(value) == text


def test_leaves_are_found_at_every_depth() -> None:
    value = Choose(apply("not", GateRef("g")), ListOf((Get(Local("l"), "f"),)), apply("concat", A, Const("x")))
    assert list(leaves(value)) == [GateRef("g"), Local("l"), A]
