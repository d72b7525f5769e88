"""Whatever a file holds, checking it gives findings and never an exception."""

import copy
import json
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from promptc.diagnostics.registry import lookup
from promptc.providers.cache_model.lowered import request_of
from promptc.providers.cache_model.simulate import step
from promptc.providers.cache_model.values import EMPTY
from promptc.providers.checks.context import Options
from promptc.providers.checks.run import check_document, check_request, check_sequence
from promptc.providers.registry import provider, provider_ids
from promptc.providers.tokens import estimate_tokens

_EXAMPLES = 2000 if os.environ.get("PROMPTC_NIGHTLY") == "1" else 60
_KEYS = [
    "model",
    "messages",
    "system",
    "tools",
    "role",
    "content",
    "type",
    "text",
    "id",
    "tool_use_id",
    "input",
    "cache_control",
    "ttl",
    "prompt_cache_breakpoint",
    "mode",
    "cachePoint",
    "tool_calls",
    "tool_call_id",
    "function",
    "name",
    "arguments",
    "defer_loading",
    "contents",
    "parts",
    "functionCall",
    "instructions",
    "call_id",
    "output",
    "max_tokens",
    "stream",
    "thinking",
    "signature",
    "context_management",
    "edits",
    "prompt_cache_options",
    "prompt_cache_key",
    "toolConfig",
    "toolUse",
    "toolResult",
    "requests",
    "headers",
    "isolation",
    "anthropic-beta",
    "workspace",
    "storage_hours",
    "batch",
    "relation",
    "usage",
    "rendered",
    "tokens",
    "source",
    "image_url",
    "detail",
]
_WORDS = [
    "user",
    "assistant",
    "system",
    "tool",
    "text",
    "tool_use",
    "tool_result",
    "thinking",
    "ephemeral",
    "1h",
    "5m",
    "explicit",
    "claude-opus-5",
    "gpt-5.6",
    "function_call",
    "function_call_output",
    "message",
    "image",
    "default",
    "fork",
    "t1",
]
_leaf = (
    st.none()
    | st.booleans()
    | st.integers(-2, 5)
    | st.sampled_from(_WORDS)
    | st.text(max_size=6)
    | st.just("\ud83d")
    | st.just("```a\n```\n")
)
_json = st.recursive(
    _leaf,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(_KEYS), inner, max_size=5),
    max_leaves=30,
)
_content = st.text(max_size=5) | st.lists(
    st.dictionaries(st.sampled_from(_KEYS), _leaf | _json, max_size=4), max_size=3
)
_message = st.fixed_dictionaries({"role": st.sampled_from(_WORDS[:4]), "content": _content})
_body = st.fixed_dictionaries(
    {"messages": st.lists(_message, max_size=4)},
    optional=dict.fromkeys(("model", "system", "tools", "input", "contents", "cache_control", "toolConfig"), _json),
)
_quick = settings(max_examples=_EXAMPLES, deadline=None, suppress_health_check=[HealthCheck.too_slow])


@pytest.mark.parametrize(
    "id", ["anthropic", "openai-chat-5.6", "openai-responses-5.6", "bedrock-claude", "gemini-implicit"]
)
@_quick
@given(document=_json | _body)
def test_any_document_can_be_checked(id: str, document: Any) -> None:
    for found in check_document(document, provider(id)):
        assert lookup(found.code).code == found.code
        assert found.pointer is not None


@_quick
@given(first=_body, second=_body, id=st.sampled_from(provider_ids()), fork=st.booleans())
def test_any_two_bodies_can_be_compared(first: Any, second: Any, id: str, fork: bool) -> None:
    check_sequence([first, second], provider(id), Options(count=estimate_tokens), fork)


@_quick
@given(body=_body, id=st.sampled_from(provider_ids()))
def test_every_pointer_leads_to_a_place_of_the_body(body: Any, id: str) -> None:
    for found in check_request(body, provider(id)):
        assert found.pointer is not None
        _follow(body, found.pointer)


def _follow(value: Any, pointer: str) -> None:
    for step_ in pointer.split("/")[1:]:
        key = step_.replace("~1", "/").replace("~0", "~")
        value = value[int(key)] if isinstance(value, list) else value[key]


@_quick
@given(body=_body, id=st.sampled_from(provider_ids()))
def test_checking_twice_gives_the_same_findings(body: Any, id: str) -> None:
    again = json.loads(json.dumps(body))
    assert check_request(body, provider(id)) == check_request(again, provider(id))


@_quick
@given(bodies=st.lists(_body, min_size=1, max_size=3), id=st.sampled_from(provider_ids()))
def test_counts_always_sum_to_the_prompt(bodies: list[Any], id: str) -> None:
    state = EMPTY
    for index, body in enumerate(bodies):
        request = request_of(body, provider(id), estimate_tokens, at=index * 10.0)
        found = step(request, state, provider(id))
        total = sum(block.tokens for block in request.blocks if not block.deferred)
        for counts in (found.certain, found.best):
            assert counts.total == total
            assert min(counts.read, counts.input, *counts.written.values(), 0) == 0
        assert found.certain.read <= found.best.read
        state = found.state


@_quick
@given(body=_body, id=st.sampled_from(["anthropic", "bedrock-claude-invoke", "sglang", "groq"]))
def test_a_request_repeated_reads_at_least_what_it_would_have_written(body: Any, id: str) -> None:
    facts = provider(id)
    request = request_of(body, facts, estimate_tokens)
    first = step(request, EMPTY, facts)
    again = step(request, first.state, facts)
    assert again.best.read >= sum(first.best.written.values())


_PAGES = Path(__file__).resolve().parents[2] / "docs" / "codes"
_EXAMPLES_OF_PAGES = [
    (fence["target"], json.loads(fence["body"]))
    for page in sorted(_PAGES.glob("PC6[0-7]?.md"))
    for fence in re.finditer(
        r"^```json \S+ target=(?P<target>\S+)\n(?P<body>.*?)^```$", page.read_text(encoding="utf-8"), re.M | re.S
    )
]


def _places(value: Any) -> Iterator[tuple[Any, Any]]:
    for key in list(value) if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ():
        yield value, key
        yield from _places(value[key])


@_quick
@given(example=st.sampled_from(_EXAMPLES_OF_PAGES), at=st.integers(0, 10_000), junk=_json, other=st.booleans())
def test_one_wrong_value_in_a_real_request_is_no_crash(
    example: tuple[str, Any], at: int, junk: Any, other: bool
) -> None:
    target, document = example[0], copy.deepcopy(example[1])
    places = list(_places(document))
    holder, key = places[at % len(places)]
    holder[key] = junk
    facts = provider(provider_ids()[at % len(provider_ids())] if other else target)
    check_document(document, facts)
