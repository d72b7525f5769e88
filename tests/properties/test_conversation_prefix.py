"""What a conversation has sent is never rewritten: each request continues the one before."""

import json
import os
from dataclasses import replace
from typing import Any

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from promptc.ir.interpret import assemble
from promptc.ir.model import Program
from support.ir_conversations import conversations
from support.ir_expressions import TEXTS
from support.ir_strategies import inputs_for, programs

NIGHTLY = os.environ.get("PROMPTC_NIGHTLY") == "1"
# A lane in which nothing may change once it is sent; ephemeral sections are in one request only, by declaration.
LASTING = ("inline", "frozen", "delta")


def lasting_only(program: Program) -> Program:
    """The program without what its declarations allow to change: ephemeral tails and preambles that are not frozen."""
    tail, preamble = program.tail, program.preamble
    if tail is not None:
        tail = replace(tail, sections=tuple(s for s in tail.sections if s.deliver in LASTING))
    if preamble is not None:
        frozen = tuple(replace(s, deliver="frozen", key=None, when=None) for s in preamble.sections)
        preamble = replace(preamble, sections=frozen)
    return replace(program, tail=tail, preamble=preamble)


def blocks(request: dict[str, Any]) -> list[str]:
    """Every block of the messages with its place, without markers."""
    found = []
    for number, message in enumerate(request["messages"]):
        for block in message["content"]:
            shown = {key: value for key, value in block.items() if key != "cache_control"}
            found.append(json.dumps([number, message["role"], shown]))
    return found


@settings(
    max_examples=2000 if NIGHTLY else 150,
    deadline=None,
    derandomize=not NIGHTLY,
    phases=tuple(Phase) if NIGHTLY else (Phase.explicit, Phase.generate),
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much],
)
@given(programs(), conversations(), st.data())
def test_each_request_continues_the_one_before(
    program: Program, turns: list[list[dict[str, Any]]], data: st.DataObject
) -> None:
    program = lasting_only(program)
    extra = {"model": data.draw(TEXTS)} if program.model is None else {}
    state = None
    before: list[str] = []
    for messages in turns:
        result = assemble(program, data.draw(inputs_for(program)), messages, state, **extra)
        state = result.state
        now = blocks(result.request)

        assert now[: len(before)] == before

        before = now
