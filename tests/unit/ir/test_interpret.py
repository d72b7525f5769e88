"""The reference interpreter on programs written by hand: what is in a request, and what is not."""

from dataclasses import replace
from typing import Any

import pytest

from promptc.ir.dump import dump, program_digest
from promptc.ir.interpret import assemble
from promptc.ir.interpret_json import canonical, compact, number_text
from promptc.ir.model import Apply, Const, EnvelopeLane, InputRef, Marker, Require, ScopeChoice, SystemBlock
from promptc.runtime.errors import InputError
from promptc.source import Span
from promptc.types import Bool, Int
from support.ir_programs import AGENT, AGENT_INPUTS, block, lit, program, put, section, text_input

HELLO = [{"role": "user", "content": "hello"}]
REPLY = {"role": "assistant", "content": "hi"}
RESULT = {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t", "content": "done"}]}


def texts(request: dict[str, Any]) -> list[list[str]]:
    return [[block.get("text", block["type"]) for block in message["content"]] for message in request["messages"]]


def test_keys_stand_in_the_fixed_order() -> None:
    assert list(assemble(AGENT, AGENT_INPUTS, HELLO).request) == ["model", "max_tokens", "tools", "system", "messages"]


def test_what_is_empty_is_left_out() -> None:
    result = assemble(program(), {})

    assert result.body == b'{"model":"a-model","max_tokens":1024,"messages":[]}'


def test_a_section_that_is_off_or_empty_leaves_no_separator() -> None:
    sections = (
        section("off", "static", lit("off"), when=Const(False)),
        section("a", "static", lit("a")),
        section("empty", "static", put(Const(""))),
        section("b", "static", lit("b")),
    )

    (system,) = assemble(program(system=(block(*sections),)), {}).request["system"]  # type: ignore[misc]

    assert system["text"] == "a\n\nb"


def test_a_block_without_text_is_left_out_with_its_marker() -> None:
    empty = block(section("off", "static", lit("off"), when=Const(False)))

    assert "system" not in assemble(program(system=(empty,)), {}).request


def test_the_first_scope_whose_condition_holds_decides_about_the_marker() -> None:
    choices = (ScopeChoice(InputRef("wide"), "wide", 3600), ScopeChoice(None, None, None))
    tested = program(
        stages=("static",),
        inputs=(text_input("wide", "static", Bool()),),
        system=(SystemBlock(True, choices, (section("a", "static", lit("a")),)),),
    )

    def system(wide: bool) -> Any:
        return assemble(tested, {"wide": wide}).request["system"]

    assert system(True) == [{"type": "text", "text": "a", "cache_control": {"type": "ephemeral", "ttl": "1h"}}]
    assert system(False) == [{"type": "text", "text": "a"}]


def test_deferred_tools_come_last_and_without_the_marker() -> None:
    tools: Any = assemble(AGENT, AGENT_INPUTS, HELLO).request["tools"]

    assert [tool["name"] for tool in tools] == ["write", "finish", "read"]
    assert [("cache_control" in tool, "defer_loading" in tool) for tool in tools] == [
        (False, False),
        (True, False),
        (False, True),
    ]


def test_two_tools_of_one_name_are_refused_with_both_groups() -> None:
    tool = {"name": "finish", "description": "", "input_schema": {}}

    with pytest.raises(InputError, match="`finish` comes from `given` and from `finish`"):
        assemble(AGENT, {**AGENT_INPUTS, "tools": [tool]}, HELLO)


def test_a_marker_is_on_the_last_block_that_may_carry_one() -> None:
    tested = program(message_marker=Marker(None))
    thinking = {"type": "thinking", "thinking": "hm", "signature": "s"}
    blocks = [{"type": "text", "text": "a"}, {"type": "text", "text": ""}, thinking]
    messages = [*HELLO, {"role": "assistant", "content": blocks}]

    found: Any = assemble(tested, {}, messages).request["messages"]

    assert ["cache_control" in block for message in found for block in message["content"]] == [
        False,
        True,
        False,
        False,
    ]


def test_a_marker_walks_back_into_earlier_messages() -> None:
    tested = program(message_marker=Marker(None))

    found: Any = assemble(tested, {}, [*HELLO, {"role": "assistant", "content": ""}]).request["messages"]

    assert "cache_control" in found[0]["content"][0]


def test_a_lagging_marker_stands_where_the_request_before_had_its_own() -> None:
    tested = program(message_marker=Marker(300), lagging=True)
    call = {"role": "assistant", "content": [{"type": "tool_use", "id": "t", "name": "n", "input": {}}] * 30}

    first: Any = assemble(tested, {}, HELLO).request["messages"]
    second: Any = assemble(tested, {}, [*HELLO, call, RESULT]).request["messages"]
    third: Any = assemble(tested, {}, [*HELLO, call, RESULT, REPLY, *HELLO]).request["messages"]

    def marked(messages: Any) -> list[int]:
        return [at for at, message in enumerate(messages) for block in message["content"] if "cache_control" in block]

    assert [marked(first), marked(second), marked(third)] == [[0], [0, 2], [2, 4]]


def test_a_lagging_marker_never_stands_on_the_block_of_the_other() -> None:
    tested = program(message_marker=Marker(None), lagging=True)

    found: Any = assemble(tested, {}, [*HELLO, {"role": "assistant", "content": ""}]).request["messages"]

    assert [["cache_control" in block for block in message["content"]] for message in found] == [[True], [False]]


def test_a_marker_that_has_no_place_is_a_decision() -> None:
    result = assemble(program(message_marker=Marker(None)), {}, [{"role": "user", "content": ""}])

    assert [decision.kind for decision in result.decisions] == ["marker-withheld"]


def test_markers_of_the_caller_are_taken_off() -> None:
    marked = {"type": "text", "text": "a", "cache_control": {"type": "ephemeral"}}
    result = assemble(program(), {}, [{"role": "user", "content": [marked]}])

    assert b"cache_control" not in result.body
    assert [decision.kind for decision in result.decisions] == ["marker-removed"]


def test_a_delta_is_written_when_something_changes_and_replayed_afterwards() -> None:
    messages: list[Any] = list(HELLO)
    state = None
    seen = []
    for plan_mode in (False, True, True, False, False):
        result = assemble(AGENT, {**AGENT_INPUTS, "plan_mode": plan_mode}, messages, state)
        state = result.state
        seen.append([block for blocks in texts(result.request)[::2] for block in blocks if "Plan mode" in block])
        messages = [*messages, REPLY, {"role": "user", "content": "more"}]

    on, off = "<reminder>\nPlan mode is on.\n</reminder>", "<reminder>\nPlan mode is off.\n</reminder>"
    assert seen == [[], [on], [on], [on, off], [on, off]]


def test_an_ephemeral_text_is_behind_the_marked_block_and_gone_in_the_next_request() -> None:
    noted = assemble(AGENT, {**AGENT_INPUTS, "plan_mode": False, "note": "now"}, HELLO)
    last: Any = noted.request["messages"][-1]["content"]  # type: ignore[index]

    assert ["cache_control" in block for block in last] == [False, True, False]
    assert last[-1]["text"] == "<reminder>\nnow\n</reminder>"
    later = assemble(AGENT, {**AGENT_INPUTS, "plan_mode": False}, [*HELLO, REPLY, *HELLO], noted.state)
    assert b"now" not in later.body


def test_a_frozen_section_keeps_its_first_text() -> None:
    first = assemble(AGENT, AGENT_INPUTS, HELLO)
    later = assemble(AGENT, {**AGENT_INPUTS, "cwd": "/elsewhere"}, HELLO, first.state)

    assert texts(later.request)[0][0] == "<reminder>\ncwd was /srv/app\n</reminder>"


def inline_tail() -> Any:
    tail = EnvelopeLane("", "", "\n", (section("tail", "turn", put(InputRef("text"))),))
    return program(stages=("turn",), inputs=(text_input("text", "turn"),), tail=tail)


def test_an_inline_tail_is_written_once_per_human_turn() -> None:
    tested = inline_tail()
    first = assemble(tested, {"text": "one"}, HELLO)
    retried = assemble(tested, {"text": "two"}, HELLO, first.state)
    tools = assemble(tested, {"text": "three"}, [*HELLO, REPLY, RESULT], retried.state)
    human = assemble(tested, {"text": "four"}, [*HELLO, REPLY, RESULT, REPLY, *HELLO], tools.state)

    assert texts(retried.request) == [["hello", "one"]]
    assert texts(tools.request) == [["hello", "one"], ["hi"], ["tool_result"]]
    assert texts(human.request)[-1] == ["hello", "four"]


def test_a_tail_is_withheld_where_the_last_message_is_not_the_users() -> None:
    result = assemble(inline_tail(), {"text": "one"}, [*HELLO, REPLY])

    assert texts(result.request) == [["hello"], ["hi"]]
    assert [decision.kind for decision in result.decisions] == ["tail-withheld"]


def test_what_was_appended_to_a_message_that_is_gone_is_dropped() -> None:
    longer = assemble(inline_tail(), {"text": "one"}, [*HELLO, REPLY, *HELLO])
    shorter = assemble(inline_tail(), {"text": "one"}, [*HELLO, REPLY], longer.state)

    assert [decision.kind for decision in shorter.decisions] == ["log-dropped", "tail-withheld"]
    assert shorter.state["log"] == []


def test_a_state_of_another_program_is_used_and_said_so() -> None:
    first = assemble(AGENT, AGENT_INPUTS, HELLO)
    later = assemble(replace(AGENT, max_tokens=7), AGENT_INPUTS, HELLO, first.state)

    assert [decision.kind for decision in later.decisions] == ["state-of-other-program"]
    assert texts(later.request) == texts(first.request)


@pytest.mark.parametrize(
    "state",
    [
        {},
        {"format": "promptc.state/1"},
        {"log": [["1", [], ""]]},
        {"log": [[0, [], ""]]},
        {"log": [[1, [], "\ud800"]]},
        {"sent": 1},
    ],
)
def test_what_is_no_state_is_refused(state: dict[str, Any]) -> None:
    whole = {"format": "promptc.state/1", "program": "", "sent": [], "frozen": [], "log": []}
    with pytest.raises(InputError, match="state: "):
        assemble(AGENT, AGENT_INPUTS, HELLO, {**whole, **state} if len(state) == 1 and "format" not in state else state)


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"cwd": 1}, "cwd: expected a text"),
        ({"cwd": "\ud800"}, "cwd: contains a lone surrogate"),
        ({"mode": "gui"}, "mode: must be one of `tty`, `pipe`"),
        ({"plan_mode": 1}, "plan_mode: expected a bool"),
        ({"tools": "x"}, "tools: expected a list"),
        ({"tools": [{"name": "x", "input_schema": {}}]}, r"tools\[0\].description: is missing"),
        ({"other": 1}, "other: is not an input"),
    ],
)
def test_inputs_that_do_not_fit_are_refused_by_name(changed: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        assemble(AGENT, {**AGENT_INPUTS, **changed}, HELLO)


def test_a_requirement_that_does_not_hold_is_refused_with_its_reason() -> None:
    tested = program(
        stages=("static",),
        inputs=(text_input("n", "static", Int()),),
        requires=(Require(Apply("lt_int", (InputRef("n"), Const(3))), "too many", "static"),),
    )

    with pytest.raises(InputError, match="require: too many"):
        assemble(tested, {"n": 3})


@pytest.mark.parametrize(("value", "fits"), [(1, True), (5, True), (0, False), (6, False), (True, False), (2.0, False)])
def test_ints_are_held_to_their_bounds(value: object, fits: bool) -> None:
    tested = program(stages=("static",), inputs=(text_input("n", "static", Int(1, 5)),))
    if fits:
        assemble(tested, {"n": value})
    else:
        with pytest.raises(InputError):
            assemble(tested, {"n": value})


@pytest.mark.parametrize(
    "messages",
    [
        [{"role": "system", "content": "x"}],
        [{"role": "user"}],
        [{"role": "user", "content": 1}],
        [{"role": "user", "content": "x", "id": "1"}],
        [{"role": "user", "content": ["x"]}],
        [{"role": "user", "content": [{"type": "text"}]}],
        [{"role": "user", "content": "\udc00"}],
        [{"role": "user", "content": [{"type": "x", "n": float("nan")}]}],
    ],
)
def test_messages_that_have_not_the_form_of_one_are_refused(messages: Any) -> None:
    with pytest.raises(InputError, match=r"messages\[0\]"):
        assemble(program(), {}, messages)


# From ECMA-262: where the exponent form begins, shortest digits, no sign on zero.
@pytest.mark.parametrize(
    ("number", "text"),
    [
        (1.0, "1"),
        (-0.0, "0"),
        (0.1, "0.1"),
        (1e21, "1e+21"),
        (1e20, "100000000000000000000"),
        (123456789012345680000.0, "123456789012345680000"),
        (1e-6, "0.000001"),
        (1.5e-7, "1.5e-7"),
        (-1e-7, "-1e-7"),
        (5e-324, "5e-324"),
        (1.7976931348623157e308, "1.7976931348623157e+308"),
    ],
)
def test_numbers_are_written_as_ecmascript_does(number: float, text: str) -> None:
    from promptc.runtime import json_text

    assert number_text(number) == text
    assert json_text.number_text(number) == text


def test_canonical_json_sorts_keys_by_code_point_and_rounds_as_a_double() -> None:
    value = {"😀": 1, "\ufb33": 2, "10": 2**63 - 1, "9": [True, None, "é"]}

    assert canonical(value) == '{"10":9223372036854776000,"9":[true,null,"é"],"\ufb33":2,"😀":1}'
    assert compact({"b": 2**63 - 1, "a": 1.0}) == '{"b":9223372036854775807,"a":1}'


def test_a_digest_does_not_depend_on_where_a_text_stands() -> None:
    moved = replace(AGENT, inputs=tuple(replace(one, span=Span("b", 7, 9)) for one in AGENT.inputs))

    assert program_digest(moved) == program_digest(AGENT)
    assert program_digest(replace(AGENT, separator="\n")) != program_digest(AGENT)
    assert "agent.promptc:0-5" in dump(AGENT, spans=True)
