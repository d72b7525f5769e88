"""Every operation of the catalogue, in the interpreter and as printed Python."""

from typing import Any

import pytest

from promptc.emit.python import emit_python
from promptc.ir.interpret import assemble
from promptc.ir.interpret_ops import STRICT
from promptc.ir.interpret_text import Scope, evaluate
from promptc.ir.model import Apply, Const, InputRef, ListOf, Value
from promptc.ir.ops import OPS
from promptc.types import Int, List, Optional, Text, Type
from support.emitted import load
from support.ir_programs import block, program, put, section, text_input

BLANKS = " \t\n\x0b\x0c\r"


def texts(*items: str) -> Value:
    return ListOf(tuple(Const(item) for item in items))


def ints(*items: int) -> Value:
    return ListOf(tuple(Const(item) for item in items))


CASES: list[tuple[str, tuple[Any, ...], Any]] = [
    ("not", (True,), False),
    ("and", (True, False), False),
    ("and", (True, True), True),
    ("or", (False, True), True),
    ("or", (False, False), False),
    ("eq", ("a", "a"), True),
    ("eq", (None, "a"), False),
    ("eq", (None, None), True),
    ("ne", (1, 2), True),
    ("lt_int", (1, 1), False),
    ("le_int", (1, 1), True),
    ("lt_text", ("\ufb33", "😀"), True),  # UTF-16 units would say otherwise
    ("lt_text", ("a", "a"), False),
    ("le_text", ("a", "a"), True),
    ("in_text", ("b", "abc"), True),
    ("in_text", ("", "abc"), True),
    ("in_list", ("b", ["a", "b"]), True),
    ("in_list", (3, [1, 2]), False),
    ("defined", (None,), False),
    ("defined", ("",), True),
    ("filled_text", ("",), False),
    ("filled_list", (["a"],), True),
    ("nonzero", (0,), False),
    ("add", (2, 3), 5),
    ("sub", (2, 3), -1),
    ("mul", (-2, 3), -6),
    ("floordiv", (-7, 2), -4),
    ("floordiv", (7, -2), -4),
    ("mod", (-7, 3), 2),
    ("mod", (7, -3), -2),
    ("neg", (5,), -5),
    ("int_text", (-12,), "-12"),
    ("concat", ("a", "", "b"), "ab"),
    ("concat", (), ""),
    ("upper", ("straße µé",), "STRAßE µé"),
    ("lower", ("ÀBC İ",), "Àbc İ"),
    ("trim", (f"{BLANKS}\u0085a\x1c{BLANKS}",), "\u0085a\x1c"),
    ("trim", ("\ufeff a \u00a0",), "\ufeff a \u00a0"),
    ("replace", ("aaa", "aa", "b"), "ba"),
    ("replace", ("aaa", "", "b"), "aaa"),
    ("indent", ("a\n\nb\u2028c", 2, False), "a\n\n  b\u2028c"),
    ("indent", ("a\nb", 2, True), "  a\n  b"),
    ("indent", ("\na", 1, True), "\n a"),
    ("cut", ("😀😀😀", 2, "…"), "😀😀…"),
    ("cut", ("ab", 2, "…"), "ab"),
    ("cut", ("abc", -1, "…"), "…"),
    ("indent", ("a\nb", -1, True), "a\nb"),
    ("neutral", ("a < b </Notes>", "notes reminder"), "a < b <\\/Notes>"),
    ("neutral", ("plain", "notes"), "plain"),
    ("length_text", ("e\u0301😀",), 3),
    ("length_list", (["a", "b"],), 2),
    ("join", (["a", "b"], ", "), "a, b"),
    ("first", (["a", "b"],), "a"),
    ("first", ([],), None),
    ("last", (["a", "b"],), "b"),
    ("last", ([],), None),
    ("sort", (["😀", "\ufb33", "B", "a"],), ["B", "a", "\ufb33", "😀"]),
    ("sort", ([10, 9, -1],), [-1, 9, 10]),
    ("unique", (["b", "a", "b"],), ["b", "a"]),
    ("reverse_list", ([1, 2],), [2, 1]),
    ("default", (None, "x"), "x"),
    ("default", ("", "x"), ""),
    ("json", ('\u2028\x7f\x1f"\\\n é',), '"\u2028\x7f\\u001f\\"\\\\\\n é"'),
    ("json", (["a"],), '["a"]'),
    ("json", (None,), "null"),
    ("json", (True,), "true"),
]


def constant(value: Any) -> Value:
    if isinstance(value, list):
        return ListOf(tuple(map(constant, value)))
    return Const(value)


def kind_of(value: Any, others: tuple[Any, ...]) -> Type:
    if isinstance(value, list):
        sample = value or [item for other in others if isinstance(other, list) for item in other] or ["a"]
        return List(kind_of(sample[0], ()))
    if value is None:
        return Optional(Text())
    if isinstance(value, bool):
        from promptc.types import Bool

        return Bool()
    return Int() if isinstance(value, int) else Text()


@pytest.mark.parametrize(("op", "args", "expected"), CASES)
def test_the_interpreter_computes(op: str, args: tuple[Any, ...], expected: Any) -> None:
    assert evaluate(Apply(op, tuple(map(constant, args))), Scope({})) == expected


@pytest.mark.parametrize(("op", "args", "expected"), CASES)
def test_printed_python_computes_the_same(op: str, args: tuple[Any, ...], expected: Any) -> None:
    # The arguments are inputs, except where the catalogue wants constants.
    fixed = {"floordiv": (1,), "mod": (1,), "indent": (1, 2), "cut": (1,), "neutral": (1,)}.get(op, ())
    inputs = [text_input(f"arg_{at}", "turn", kind_of(arg, args)) for at, arg in enumerate(args)]
    values = tuple(Const(arg) if at in fixed else InputRef(f"arg_{at}") for at, arg in enumerate(args))
    tested = program(
        stages=("turn",) if args else (),
        inputs=tuple(inputs),
        system=(block(section("shown", "turn", put(Apply("json", (Apply(op, values),))))),),
    )
    given = {f"arg_{at}": arg for at, arg in enumerate(args)}
    module = load(emit_python(tested, lambda span: (1, 1)).data)

    request = module.assemble(module.inputs_from_json(given), [])

    shown = evaluate(Apply("json", (constant(expected),)), Scope({}))
    assert assemble(tested, given).texts == (("shown", shown),)
    assert request.body == assemble(tested, given).body


def test_every_operation_has_a_case() -> None:
    covered = {op for op, _, _ in CASES} | {"sort_by", "pluck"}

    assert covered == set(OPS)
    assert set(STRICT) == set(OPS) - {"and", "or"}


def test_the_right_side_of_a_decided_condition_is_not_evaluated() -> None:
    broken = Apply("floordiv", (Const(1), Const(0)))

    assert evaluate(Apply("and", (Const(False), broken)), Scope({})) is False
    assert evaluate(Apply("or", (Const(True), broken)), Scope({})) is True


def test_records_are_sorted_by_a_field_and_keep_their_order_where_equal() -> None:
    people = [{"n": "b", "i": 1}, {"n": "a", "i": 2}, {"n": "b", "i": 3}]
    scope = Scope({"people": people})
    ordered = Apply("sort_by", (InputRef("people"), Const("n")))

    assert evaluate(Apply("pluck", (ordered, Const("i"))), scope) == [2, 1, 3]
