"""Every body that an assembler makes is one that the vendor's own types take, unknown members refused."""

from collections.abc import Callable
from functools import cache
from typing import Any

import pytest

from support.many_targets import PROMPTS, requests
from support.vendor_types import strict

pytestmark = pytest.mark.filterwarnings("ignore")


@cache
def _anthropic() -> Any:
    from anthropic.types.message_create_params import MessageCreateParamsNonStreaming

    return strict(MessageCreateParamsNonStreaming)


def check_anthropic(body: dict[str, Any]) -> None:
    _anthropic().validate_python(body)


def check_cloud(version: str) -> Callable[[dict[str, Any]], None]:
    """The Messages body of another platform: the version in it, the model in the address."""

    def check(body: dict[str, Any]) -> None:
        assert "model" not in body
        assert body["anthropic_version"] == version
        rest = {name: value for name, value in body.items() if name != "anthropic_version"}
        _anthropic().validate_python({**rest, "model": "in-the-address"})

    return check


@cache
def _chat() -> Any:
    from openai.types.chat.completion_create_params import CompletionCreateParamsNonStreaming

    return strict(CompletionCreateParamsNonStreaming)


def check_chat(body: dict[str, Any]) -> None:
    _chat().validate_python(body)


def check_openrouter(body: dict[str, Any]) -> None:
    """The same body, with markers of another vendor on parts and tools."""
    _chat().validate_python(_without(body, "cache_control"))
    assert b"cache_control" in repr(body).encode()


def _without(value: Any, name: str) -> Any:
    if isinstance(value, dict):
        return {key: _without(item, name) for key, item in value.items() if key != name}
    return [_without(item, name) for item in value] if isinstance(value, list) else value


@cache
def _responses() -> Any:
    from openai.types.responses.response_create_params import ResponseCreateParamsNonStreaming

    return strict(ResponseCreateParamsNonStreaming)


def check_responses(body: dict[str, Any]) -> None:
    _responses().validate_python(body)


@cache
def _converse() -> Any:
    import botocore.loaders
    import botocore.model

    model = botocore.loaders.Loader().load_service_model("bedrock-runtime", "service-2")
    return botocore.model.ServiceModel(model).operation_model("Converse").input_shape


def check_converse(body: dict[str, Any]) -> None:
    from botocore.validate import ParamValidator

    report = ParamValidator().validate({**body, "modelId": "in-the-address"}, _converse())
    assert not report.has_errors(), report.generate_report()


def check_gemini(body: dict[str, Any]) -> None:
    from google.genai import types

    known = {"contents": types.Content, "tools": types.Tool}
    assert set(body) == {"contents", "tools", "systemInstruction", "generationConfig"}
    for name, kind in known.items():
        for item in body[name]:
            kind.model_validate(item)
    types.Content.model_validate(body["systemInstruction"])
    types.GenerationConfig.model_validate(body["generationConfig"])
    assert not _snake_keys(body["contents"])


def _snake_keys(value: Any) -> list[str]:
    """Names that only the library spells so; what callers pass does not count, and here has none."""
    if isinstance(value, dict):
        return [name for name in value if "_" in name] + [n for item in value.values() for n in _snake_keys(item)]
    return [n for item in value for n in _snake_keys(item)] if isinstance(value, list) else []


CHECKS: dict[str, Callable[[dict[str, Any]], None]] = {
    "desk": check_anthropic,
    "desk_vertex": check_cloud("vertex-2023-10-16"),
    "desk_bedrock": check_cloud("bedrock-2023-05-31"),
    "desk_converse": check_converse,
    "desk_nova": check_converse,
    "desk_chat": check_chat,
    "desk_chat_marked": check_chat,
    "desk_responses": check_responses,
    "desk_responses_marked": check_responses,
    "desk_openrouter": check_openrouter,
    "desk_vllm": check_chat,
    "desk_gemini": check_gemini,
}


@pytest.mark.parametrize("name", PROMPTS)
def test_the_vendor_takes_the_body(name: str) -> None:
    for rendered in requests(name):
        CHECKS[name](rendered.request)


@pytest.mark.parametrize("name", ["desk", "desk_converse", "desk_chat", "desk_responses", "desk_gemini"])
def test_the_vendor_refuses_a_member_that_it_does_not_know(name: str) -> None:
    body = requests(name)[1].request
    place = next(body[key] for key in ("messages", "input", "contents") if key in body)
    place[0]["made_up"] = 1
    with pytest.raises(Exception, match=r"made_up|Unknown parameter"):
        CHECKS[name](body)
