"""The emitted Python assembler and the reference interpreter give the same bytes, state and decisions."""

import os
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, note, settings
from hypothesis import strategies as st

from promptc.emit.python import emit_python
from promptc.ir.interpret import assemble
from promptc.ir.interpret_json import compact
from promptc.ir.model import Program
from promptc.ir.verify import verify
from promptc.ir.wires.dialect import names_model
from promptc.runtime.errors import InputError
from promptc.runtime.messages import Written
from promptc.source import Span
from support.emitted import load
from support.ir_conversations import conversations, talks
from support.ir_expressions import TEXTS
from support.ir_strategies import inputs_for, programs
from support.ir_targets import TARGETS, IrTarget

NIGHTLY = os.environ.get("PROMPTC_NIGHTLY") == "1"
EXAMPLES = 2500 if NIGHTLY else 200


def locate(span: Span) -> tuple[int, int]:
    return span.start // 10 + 1, span.start % 10 + 1


def check_map(request: Any, texts: tuple[tuple[str, str], ...]) -> None:
    """The map covers the body without gaps, and what it gives a section is what that section wrote."""
    ranges = request.prefix_map()
    assert [r.start for r in ranges] == [0, *(r.end for r in ranges[:-1])]
    assert ranges[-1].end == len(request.body)
    owned: dict[str, bytes] = {}
    for one in ranges:
        if one.section:
            owned[one.section] = owned.get(one.section, b"") + request.body[one.start : one.end]
            assert one.kind in ("literal", "interpolated", "section")
            assert one.place.startswith("spec.promptc:")
    for name, text in texts:
        assert owned[name] == compact(text)[1:-1].encode()


@settings(
    max_examples=EXAMPLES,
    deadline=None,
    derandomize=not NIGHTLY,
    # Shrinking a program takes minutes; a nightly run may.
    phases=tuple(Phase) if NIGHTLY else (Phase.explicit, Phase.generate),
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much],
)
@given(programs(), conversations(), st.data())
def test_the_emitted_assembler_gives_the_bytes_of_the_interpreter(
    program: Program, turns: list[list[dict[str, Any]]], data: st.DataObject
) -> None:
    assert verify(program) == ()
    artifact = emit_python(program, locate, standalone=data.draw(st.integers(0, 9)) == 0)
    note(artifact.data.decode())
    module = load(artifact.data)
    extra = {"model": data.draw(TEXTS)} if program.model is None else {}
    state, emitted_state = None, module.State()
    for messages in turns:
        inputs = data.draw(inputs_for(program))

        expected = assemble(program, inputs, messages, state, **extra)
        request = module.assemble(module.inputs_from_json(inputs), messages, emitted_state, **extra)

        assert (request.body, request.model) == (expected.body, expected.model)
        assert request.state.to_json() == compact(expected.state)
        assert [tuple(decision) for decision in request.decisions] == [tuple(d) for d in expected.decisions]
        check_map(request, expected.texts)
        # Half of the time the conversation is stored and resumed.
        resumed = data.draw(st.booleans())
        emitted_state = module.State.from_json(request.state.to_json()) if resumed else request.state
        state = expected.state


@pytest.mark.parametrize("target", TARGETS, ids=[target.name for target in TARGETS])
@settings(
    max_examples=EXAMPLES // 10,
    deadline=None,
    derandomize=not NIGHTLY,
    phases=tuple(Phase) if NIGHTLY else (Phase.explicit, Phase.generate),
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much],
)
@given(turns=talks(), data=st.data())
def test_both_say_the_same_on_every_wire(target: IrTarget, turns: list[list[Any]], data: st.DataObject) -> None:
    program = data.draw(programs(target))
    assert verify(program) == ()
    artifact = emit_python(program, locate)
    note(artifact.data.decode())
    module = load(artifact.data)
    extra = {"model": data.draw(TEXTS)} if names_model(program) else {}
    state, emitted_state = None, module.State()
    for messages in turns:
        inputs = data.draw(inputs_for(program))
        plain = [{"role": m.role, "content": m.content} if isinstance(m, Written) else m for m in messages]
        try:
            expected = assemble(program, inputs, plain, state, **extra)
        except InputError as refused:
            with pytest.raises(InputError) as found:
                module.assemble(module.inputs_from_json(inputs), messages, emitted_state, **extra)
            assert str(found.value) == str(refused)
            return
        request = module.assemble(module.inputs_from_json(inputs), messages, emitted_state, **extra)

        assert (request.body, request.model) == (expected.body, expected.model)
        assert request.state.to_json() == compact(expected.state)
        assert [tuple(decision) for decision in request.decisions] == [tuple(d) for d in expected.decisions]
        check_map(request, expected.texts)
        state, emitted_state = expected.state, request.state
