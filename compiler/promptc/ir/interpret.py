"""The reference interpreter: the request of a residual program, built the plain way.

It renders texts, puts them into a request of dicts and lists, and serialises that. Emitted assemblers do none of this
in that order, which is what makes comparing the two worthwhile.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from promptc.ir.interpret_inputs import check_input, check_text
from promptc.ir.interpret_json import compact
from promptc.ir.interpret_messages import Lane, build_messages
from promptc.ir.interpret_state import Decision, StateView, read_state
from promptc.ir.interpret_system import build_system, build_tools
from promptc.ir.interpret_text import Scope, evaluate
from promptc.ir.model import Program
from promptc.ir.stages import Stages
from promptc.ir.wires.dialect import Envelope, names_model
from promptc.ir.wires.registry import DIALECTS
from promptc.runtime.errors import InputError
from promptc.runtime.native import Native


@dataclass(frozen=True, slots=True)
class Result:
    """One request.

    Attributes:
        body: The exact bytes for the wire.
        request: The same as a value; tool schemas are `RawJson`.
        state: What the next request of this conversation needs, in the form of `State.to_json` of an assembler.
        decisions: What was done differently from what the spec asks, and why.
        texts: Text of every section that is in this request, in order.
        model: The model to name in the address; empty where the body names it, or only the caller knows it.
    """

    body: bytes
    request: dict[str, object]
    state: dict[str, object]
    decisions: tuple[Decision, ...]
    texts: tuple[tuple[str, str], ...]
    model: str


def bind(program: Program, inputs: Mapping[str, object]) -> Scope:
    """Check all inputs and requirements, stage by stage, and compute the gates.

    Raises:
        InputError: An input does not fit or a requirement does not hold.
    """
    unknown = sorted(set(inputs) - {declared.name for declared in program.inputs})
    if unknown:
        raise InputError(unknown[0], "is not an input")
    stages = Stages(program)
    scope = Scope({})
    checked: dict[str, object] = {}
    scope.inputs = checked
    for gate in program.gates:
        if stages.of_gate(gate) < 0:
            scope.gates[gate.name] = evaluate(gate.value, scope)
    for stage in range(max(1, len(program.stages))):
        for declared in program.inputs:
            if stages.of_input(declared.name) == stage:
                checked[declared.name] = check_input(program, declared, inputs)
        for gate in program.gates:
            if stages.of_gate(gate) == stage:
                scope.gates[gate.name] = evaluate(gate.value, scope)
        for require in program.requires:
            if stages.of_require(require) == stage and not evaluate(require.value, scope):
                raise InputError("require", require.reason)
    return scope


def assemble(
    program: Program,
    inputs: Mapping[str, object],
    messages: Sequence[Mapping[str, object] | Native] = (),
    state: Mapping[str, object] | None = None,
    *,
    model: str | None = None,
) -> Result:
    """The request for some inputs, a conversation and the state after its last request.

    Args:
        inputs: By name; records are mappings, an absent optional value is None or missing.
        messages: The effective view: `{"role": ..., "content": text or list of blocks}`, or `Native` ones.
        state: `Result.state` of the request before; None at the start.
        model: Only for a program whose model the caller chooses, on a wire whose body names it.

    Raises:
        InputError: Something that was passed does not fit the program.
    """
    scope = bind(program, inputs)
    view: StateView = read_state(program, state)
    chosen = evaluate(program.model, scope) if program.model is not None else ""
    if names_model(program):
        chosen = check_text(model, "model")
    key = None if program.cache_key is None else evaluate(program.cache_key, scope)
    lane = Lane(program, scope, view)
    tools = build_tools(program, scope)
    system = build_system(lane)
    talk = build_messages(lane, messages)
    whole = DIALECTS[program.wire].whole
    request = whole(Envelope(program.form, chosen, key, program.max_tokens, tools, system, talk))
    return Result(
        body=compact(request).encode(),
        request=request,
        state=view.to_value(),
        decisions=tuple(view.decisions + lane.decisions),
        texts=tuple(lane.texts),
        model="" if program.form.model_in_body else chosen,
    )
