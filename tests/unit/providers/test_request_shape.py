"""Whether a body is built as its format asks: what is missing, of another type, or never taken."""

import copy
from typing import Any

import pytest

from promptc.diagnostics.model import Severity
from promptc.diagnostics.sink import severity_of
from promptc.providers.checks.run import check_request
from promptc.providers.registry import provider, provider_ids, resolve
from promptc.providers.shapes import Object, Shape, Value, shape_of

_CALL = {"id": "t", "type": "function", "function": {"name": "look", "arguments": "{}"}}
BODIES: dict[str, dict[str, Any]] = {
    "anthropic": {
        "model": "claude-opus-5",
        "max_tokens": 9,
        "system": "s",
        "tools": [{"name": "look", "input_schema": {}}, {"type": "web_search_20260318", "name": "web_search"}],
        "messages": [
            {"role": "user", "content": "a"},
            {"role": "assistant", "content": [{"type": "tool_use", "id": "t", "name": "look", "input": {}}]},
            {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t", "content": "b"}]},
        ],
    },
    "bedrock-claude": {
        "inferenceConfig": {"maxTokens": 9, "temperature": 0.5},
        "messages": [{"role": "user", "content": [{"text": "a"}]}],
    },
    "bedrock-nova": {"messages": [{"role": "user", "content": [{"text": "a"}]}]},
    "openai-chat": {
        "model": "gpt-5.5",
        "messages": [
            {"role": "developer", "content": "s"},
            {"role": "user", "content": [{"type": "text", "text": "a"}]},
            {"role": "assistant", "content": None, "tool_calls": [_CALL]},
            {"role": "tool", "tool_call_id": "t", "content": "b"},
        ],
    },
    "openai-responses": {
        "model": "gpt-5.5",
        "input": [
            {"role": "user", "content": "a"},
            {"type": "function_call", "call_id": "t", "name": "look", "arguments": "{}"},
            {"type": "function_call_output", "call_id": "t", "output": "b"},
        ],
    },
    "gemini-implicit": {
        "system_instruction": {"parts": [{"text": "s"}]},
        "contents": [{"role": "user", "parts": [{"text": "a"}]}, {"role": "model", "parts": [{"text": "b"}]}],
        "generation_config": {"max_output_tokens": 9},
    },
}


def _found(target: str, body: dict[str, Any]) -> list[tuple[str, str | None]]:
    facts = resolve(target, body.get("model") if isinstance(body.get("model"), str) else None)
    return [(d.code, d.pointer) for d in check_request(body, facts)]


def _changed(target: str, path: str, value: Any) -> dict[str, Any]:
    """A sound body with one value changed; with `...` the member is left out."""
    body = copy.deepcopy(BODIES[target])
    holder: Any = body
    *steps, last = [int(step) if step.isdigit() else step for step in path.split("/")]
    for step in steps:
        holder = holder[step]
    if value is ...:
        del holder[last]
    else:
        holder[last] = value
    return body


@pytest.mark.parametrize("target", BODIES)
def test_a_sound_body_is_clean(target: str) -> None:
    assert _found(target, BODIES[target]) == []


@pytest.mark.parametrize(
    ("target", "path", "value", "found"),
    [
        ("anthropic", "max_tokens", "9", ("PC691", "/max_tokens")),
        ("anthropic", "max_tokens", True, ("PC691", "/max_tokens")),
        ("anthropic", "max_tokens", 9.5, ("PC691", "/max_tokens")),
        ("anthropic", "max_tokens", -1, ("PC694", "/max_tokens")),
        ("anthropic", "max_tokens", ..., ("PC690", "")),
        ("anthropic", "model", ..., ("PC690", "")),
        ("anthropic", "model", 5, ("PC691", "/model")),
        ("anthropic", "messages", "hello", ("PC691", "/messages")),
        ("anthropic", "messages/0/role", "human", ("PC692", "/messages/0/role")),
        ("anthropic", "messages/0/role", ..., ("PC690", "/messages/0")),
        ("anthropic", "messages/0/content", 5, ("PC691", "/messages/0/content")),
        ("anthropic", "messages/0", "hello", ("PC691", "/messages/0")),
        ("anthropic", "messages/1/content/0/input", "{}", ("PC691", "/messages/1/content/0/input")),
        ("anthropic", "tools/0/input_schema", ..., ("PC690", "/tools/0")),
        ("anthropic", "system", {"type": "text", "text": "s"}, ("PC691", "/system")),
        ("anthropic", "stream", "true", ("PC691", "/stream")),
        ("anthropic", "temperature", 1.5, ("PC694", "/temperature")),
        ("anthropic", "stop_sequence", ["x"], ("PC693", "/stop_sequence")),
        ("anthropic", "tools/0/descripton", "x", ("PC693", "/tools/0/descripton")),
        ("bedrock-claude", "messages/0/content", "a", ("PC691", "/messages/0/content")),
        ("bedrock-claude", "messages/0/role", "model", ("PC692", "/messages/0/role")),
        ("bedrock-claude", "inferenceConfig/maxTokens", 0, ("PC694", "/inferenceConfig/maxTokens")),
        ("bedrock-nova", "messages/0/content", "a", ("PC691", "/messages/0/content")),
        ("openai-chat", "messages/0/role", "model", ("PC692", "/messages/0/role")),
        ("openai-chat", "messages/2/tool_calls/0/function/arguments", {}, None),
        ("openai-chat", "messages/1/content", ..., ("PC690", "/messages/1")),
        ("openai-chat", "temperature", "hot", ("PC691", "/temperature")),
        ("openai-responses", "input", 5, ("PC691", "/input")),
        ("openai-responses", "input/0/role", "tool", ("PC692", "/input/0/role")),
        ("openai-responses", "max_output_tokens", "9", ("PC691", "/max_output_tokens")),
        ("gemini-implicit", "contents/1/role", "assistant", ("PC692", "/contents/1/role")),
        ("gemini-implicit", "generation_config/max_output_tokens", "9", None),
        ("gemini-implicit", "contents", ..., ("PC690", "")),
    ],
)
def test_one_change_is_one_finding_at_its_place(
    target: str, path: str, value: Any, found: tuple[str, str] | None
) -> None:
    expected = found or ("PC691", "/" + path)
    assert _found(target, _changed(target, path, value)) == [expected]


def test_a_missing_list_of_messages_is_a_finding_beside_system_text() -> None:
    assert _found("anthropic", _changed("anthropic", "messages", ...)) == [("PC690", "")]
    assert _found("openai-chat", {"model": "gpt-5.5", "messages": []}) == [("PC694", "/messages")]


def test_nothing_of_a_request_is_still_one_finding() -> None:
    assert _found("anthropic", {"foo": 1}) == [("PC679", "")]
    assert _found("anthropic", {}) == [("PC679", "")]


@pytest.mark.parametrize(
    ("target", "path", "value"),
    [
        ("anthropic", "new_feature", {"on": True}),
        ("anthropic", "messages/1/content/0/caller", {"type": "direct"}),
        ("anthropic", "temperature", None),
        ("anthropic", "tools/1/max_uses", 3),
        ("openai-chat", "extra_body", {}),
        ("openai-chat", "messages/2/reasoning_content", "hm"),
        ("gemini-implicit", "contents/0/parts/0/thoughtSignature", "x"),
    ],
)
def test_what_the_table_does_not_know_is_no_fault(target: str, path: str, value: Any) -> None:
    assert _found(target, _changed(target, path, value)) == []


def test_unknown_kinds_of_blocks_are_passed_over() -> None:
    future = {"type": "hologram", "data": 1}
    assert _found("anthropic", _changed("anthropic", "messages/0/content", [future])) == []


def test_the_words_of_the_vendor_are_a_note() -> None:
    def notes(target: str, path: str, value: Any) -> str:
        facts = resolve(target, BODIES[target].get("model"))
        return "\n".join(check_request(_changed(target, path, value), facts)[0].notes)

    assert notes("anthropic", "max_tokens", "9").endswith("max_tokens: Input should be a valid integer")
    assert notes("anthropic", "messages/0/content", ...).endswith("messages.0.content: Field required")
    said = notes("openai-chat", "messages/2/tool_calls/0/function/arguments", [])
    path = "messages[2].tool_calls[0].function.arguments"
    assert said.endswith(f"Invalid type for '{path}': expected a string, but got an array instead.")
    assert notes("gemini-implicit", "contents/1/role", "tool").endswith("Please use a valid role: user, model.")
    assert notes("bedrock-claude", "messages/0/role", "model") == ""


def test_only_the_missing_bound_is_a_warning_since_counting_goes_without() -> None:
    (found,) = check_request(_changed("anthropic", "max_tokens", ...), provider("anthropic"))
    assert severity_of(found) is Severity.WARNING
    assert found.help == "add `max_tokens`, unless no answer is wanted"


def test_a_platform_whose_address_names_the_model_needs_none() -> None:
    body = _changed("anthropic", "model", ...)
    assert _found("vertex-claude", body) == _found("bedrock-claude-invoke", body) == []
    assert _found("azure-openai", _changed("openai-chat", "model", ...)) == []


def test_findings_are_bounded() -> None:
    body = _changed("anthropic", "messages", [{"role": "nobody", "content": "x"}] * 1000)
    assert len(_found("anthropic", body)) == 20


@pytest.mark.parametrize("format", sorted({provider(id).format for id in provider_ids()}))
def test_every_table_can_be_read_and_names_only_types_that_it_has(format: Any) -> None:
    shape = shape_of(format)
    for value in _values(shape):
        assert value.kind != "type" or value.name in shape.types, value
        assert value.kind in ("text", "whole", "number", "bool", "object", "any", "list", "one", "type")


def _values(shape: Shape) -> list[Value]:
    objects = [shape.request]
    for form in shape.types.values():
        objects += [form] if isinstance(form, Object) else list(form.cases.values())
    found = [v for o in objects for m in o.members.values() for v in m.values]
    return found + [v.item for v in found if v.item is not None]
