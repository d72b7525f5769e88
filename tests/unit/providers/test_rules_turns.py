"""Rules about turns: who may speak where, and which call has which result."""

from typing import Any

import pytest

from promptc.diagnostics.model import Severity
from promptc.diagnostics.sink import severity_of
from promptc.providers.checks.run import check_request
from promptc.providers.registry import provider
from support.request_bodies import answered, body, called, check, said


@pytest.mark.parametrize(
    ("turns", "codes"),
    [
        ("us", []),
        ("usa", []),
        ("uss", []),
        ("su", ["PC672"]),
        ("usu", ["PC672"]),
        ("uas", ["PC672"]),
        ("uasu", ["PC672"]),
    ],
)
def test_where_a_system_turn_may_stand(turns: str, codes: list[str]) -> None:
    roles = {"u": "user", "s": "system", "a": "assistant"}
    messages = [said(roles[turn], f"turn {index}") for index, turn in enumerate(turns)]
    assert [code for code, _ in check(body(*messages, model="claude-opus-4-8"))] == codes


@pytest.mark.parametrize(
    ("model", "codes"), [("claude-opus-5", []), ("claude-sonnet-5", ["PC671"]), ("claude-sonnet-5-5", [])]
)
def test_which_models_take_a_system_turn(model: str, codes: list[str]) -> None:
    assert [code for code, _ in check(body(said("user", "a"), said("system", "b"), model=model))] == codes


def test_a_system_turn_between_a_call_and_its_result_is_one_finding() -> None:
    request = body(said("user", "a"), said("assistant", called("t")), said("system", "s"), said("user", answered("t")))
    assert check(request) == [("PC672", "/messages/2")]


def test_turns_of_one_role_in_a_row_are_one_turn() -> None:
    request = body(
        said("user", "a"),
        said("assistant", called("t1")),
        said("assistant", called("t2")),
        said("user", answered("t1")),
        said("user", answered("t2")),
    )
    assert check(request) == []


def test_a_second_result_for_one_call_is_an_orphan() -> None:
    request = body(said("user", "a"), said("assistant", called("t")), said("user", answered("t"), answered("t")))
    assert check(request) == [("PC665", "/messages/2/content/1")]


def test_a_trailing_call_is_unanswered_too() -> None:
    assert check(body(said("user", "a"), said("assistant", called("t")))) == [("PC664", "/messages/1/content/0")]


def test_duplicate_ids_are_an_error_where_the_api_refuses_them() -> None:
    turns = [said("assistant", called("t")), said("user", answered("t"))]
    found = check_request(body(said("user", "a"), *turns, *turns), provider("anthropic"))
    assert [(d.code, severity_of(d)) for d in found] == [("PC666", Severity.ERROR)]


def responses(*items: Any, **more: Any) -> dict[str, Any]:
    return {"model": "gpt-5.6", **more, "input": list(items)}


def test_results_of_the_responses_format_may_come_later_and_may_be_held_by_the_server() -> None:
    call = {"type": "function_call", "call_id": "c", "name": "look", "arguments": "{}"}
    result = {"type": "function_call_output", "call_id": "c", "output": "ok"}
    talk = {"role": "user", "content": "hm"}
    assert check(responses(talk, call, talk, result), "openai-responses") == []
    assert check(responses(talk, result), "openai-responses") == [("PC665", "/input/1")]
    assert check(responses(result, previous_response_id="r"), "openai-responses") == []


def test_empty_results_and_an_empty_system_text_are_allowed() -> None:
    result = {**answered("t"), "content": ""}
    assert check(body(said("user", "a"), said("assistant", called("t")), said("user", result), system="")) == []
