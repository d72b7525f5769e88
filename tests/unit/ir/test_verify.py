"""Programs that lowering must never give, and what is said about them."""

from dataclasses import replace

import pytest

from promptc.ir.model import (
    Apply,
    Bind,
    Const,
    Each,
    EnvelopeLane,
    Gate,
    GateRef,
    InputRef,
    ListOf,
    Lit,
    Local,
    LoopProperty,
    Marker,
    Program,
    Put,
    TextOp,
    Value,
)
from promptc.ir.verify import verify
from support.ir_programs import AGENT, SPAN, block, lit, program, put, section, text_input


def with_value(value: Value) -> Program:
    return with_body(put(value))


def with_body(*body: TextOp) -> Program:
    return program(system=(block(section("s", "static", *body)),))


def test_a_program_that_is_well_formed_passes() -> None:
    assert verify(AGENT) == ()


@pytest.mark.parametrize(
    ("broken", "message"),
    [
        (with_value(InputRef("x")), "`x` is not an input"),
        (with_value(GateRef("x")), "`x` is not a gate"),
        (with_value(Local("x")), "section `s` reads the local `x` where it has no value"),
        (with_value(Apply("frobnicate", ())), "`frobnicate` is not an operation"),
        (with_value(Apply("upper", ())), "`upper` takes 1 arguments, not 0"),
        (
            with_value(Apply("mod", (Const(1), Const(0)))),
            "`mod` divides by something other than a literal that is not 0",
        ),
        (with_body(Lit("", SPAN)), "a literal text is empty"),
        (
            with_body(
                Each("i", ListOf((Const("a"),)), None, (Put(LoopProperty("i", "index"), True, SPAN),), (), False)
            ),
            "section `s` reads a property of the loop over `i` that is not declared to be read",
        ),
        (
            with_body(Each("i", ListOf(()), None, (Bind("x", Const("a")),), (), False), put(Local("x"))),
            "section `s` reads the local `x` where it has no value",
        ),
        (
            replace(AGENT, stages=("turn", "static", "session")),
            "the stages are not the classes that have inputs, lowest first",
        ),
        (program(name='a"""b'), '\'a"""b\' is not a name'),
        (program(message_marker=Marker(7)), "no marker can live 7 seconds"),
        (
            program(gates=(Gate("a", GateRef("b"), "static"), Gate("b", Const(True), "static"))),
            "gate `a` reads `b` before it is known",
        ),
        (
            program(system=(block(section("s", "static", lit("a")), section("s", "static", lit("b"))),)),
            "the section `s` occurs twice",
        ),
        (
            program(preamble=EnvelopeLane("", "", "", (section("s", "turn", lit("a"), deliver="ephemeral"),))),
            "section `s` cannot be delivered ephemeral in the preamble lane",
        ),
        (
            program(
                stages=("turn",),
                inputs=(text_input("x", "turn"),),
                system=(block(section("s", "session", put(InputRef("x")))),),
            ),
            "section `s` is of class `session` and reads an input of class `turn`",
        ),
    ],
)
def test_what_is_wrong_is_said(broken: Program, message: str) -> None:
    assert verify(broken) == (message,)
