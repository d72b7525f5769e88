"""Every error about a request prevents a refusal: the 400, in the vendor's own words where they are known."""

from typing import Any

import pytest

from promptc.diagnostics.model import Severity
from promptc.diagnostics.registry.cache import CACHE
from promptc.diagnostics.sink import severity_of
from promptc.providers.checks.run import check_request
from promptc.providers.registry import provider, provider_ids, resolve
from support.request_bodies import LONG, MARK, answered, body, called, marked, said, text


def deferred_and_marked() -> dict[str, Any]:
    tool = {"name": "late", "input_schema": {}, "defer_loading": True, "cache_control": MARK}
    search = {"type": "tool_search_tool_regex_20251119", "name": "find"}
    return body(said("user", "a"), tools=[search, tool])


def thinking_and_marked() -> dict[str, Any]:
    thinking = {"type": "thinking", "thinking": "t", "signature": "s", "cache_control": MARK}
    return body(said("user", "a"), said("assistant", thinking, text("b")), said("user", "c"))


_LOOK = {"name": "look", "arguments": "{}"}
CHAT_CALL = {"role": "assistant", "content": None, "tool_calls": [{"id": "c", "type": "function", "function": _LOOK}]}


# What is sent, to whom, and what comes back.
REFUSED: list[tuple[dict[str, Any], str, str]] = [
    (body(marked(5)), "anthropic", "A maximum of 4 blocks with cache_control may be provided. Found 5."),
    (
        body(said("user", text("a", cache_control=LONG)), system=[text("s", cache_control=MARK)]),
        "anthropic",
        "a ttl='1h' cache_control block must not come after a ttl='5m' cache_control block.",
    ),
    (
        body(said("user", text("a", cache_control=LONG)), cache_control=MARK),
        "anthropic",
        "Top-level cache_control has ttl='5m' but the target block already has cache_control with ttl='1h'",
    ),
    (
        thinking_and_marked(),
        "anthropic",
        "messages.1.content.0.thinking.cache_control: Extra inputs are not permitted",
    ),
    (
        deferred_and_marked(),
        "anthropic",
        "Tool 'late' cannot have both defer_loading=true and cache_control set.",
    ),
    (
        body(said("user", "a"), system=[text("", cache_control=MARK)]),
        "anthropic",
        "cache_control cannot be set for empty text blocks",
    ),
    (body(said("user", text(""))), "anthropic", "text content blocks must be non-empty"),
    (
        body(said("user", "a"), said("assistant", called("t"))),
        "anthropic",
        "`tool_use` ids were found without `tool_result` blocks immediately after",
    ),
    (body(said("user", answered("t"))), "anthropic", "unexpected `tool_use_id` found in `tool_result` blocks"),
    (
        body(said("user", "a"), said("system", "b"), model="claude-sonnet-5"),
        "anthropic",
        'Unexpected role "system".',
    ),
    (
        body(said("user", "a"), said("system", "b"), said("user", "c")),
        "anthropic",
        "messages.1: role 'system' must precede an 'assistant' message or end the array",
    ),
    (
        body(said("user", "a"), said("assistant", "b ")),
        "anthropic",
        "final assistant content cannot end with trailing whitespace",
    ),
    (
        {"model": "gpt-5.5", "messages": [said("user", "a"), CHAT_CALL]},
        "openai",
        "An assistant message with 'tool_calls' must be followed by tool messages",
    ),
    (
        {"model": "qwen-x", "messages": [said("user", "a"), said("system", "b")]},
        "openai",
        "System message must be at the beginning.",
    ),
    (
        {"contents": [{"role": "model", "parts": [{"text": "a"}]}]},
        "gemini",
        "Please ensure that function call turn comes immediately after a user turn",
    ),
    (
        {"contents": [{"parts": [{"text": "a"}]}], "cachedContent": "c", "tools": []},
        "gemini",
        "CachedContent can not be used with GenerateContent request",
    ),
    (
        body(
            said("user", "a"),
            *(said("assistant", called("t")), said("user", answered("t")), said("assistant", called("t"))),
            said("user", answered("t")),
        ),
        "anthropic",
        "`tool_use` ids must be unique",
    ),
    (body(said("user", "a \ud83d")), "anthropic", "no low surrogate in string"),
    ({"model": "claude-opus-5", "max_tokens": 9}, "anthropic", "messages: Field required"),
    (body(said("user", "a"), max_tokens="9"), "anthropic", "max_tokens: Input should be a valid integer"),
    (body(said("user", "a"), said("robot", "b")), "anthropic", 'messages: Unexpected role "robot"'),
    (
        {"modelId": "meta.llama-5", "system": [{"text": "s"}, {"cachePoint": {"type": "default"}}], "messages": []},
        "bedrock-claude",
        "You invoked an unsupported model or your request did not allow prompt caching",
    ),
    ({"model": "gpt-5.5"}, "openai", "Missing required parameter: 'messages'."),
    ({"model": "gpt-5.5", "messages": "hi"}, "openai", "Invalid type for 'messages': expected"),
    (
        {"model": "gpt-5.5", "messages": [said("user", "a")], "prompt_cache_retention": "in_memory"},
        "openai",
        "prompt_cache_retention is not supported on this model",
    ),
    ({"contents": [{"role": "robot", "parts": [{"text": "a"}]}]}, "gemini", "Please use a valid role: user, model."),
]


@pytest.mark.parametrize(
    ("request_body", "target", "refusal"), REFUSED, ids=lambda value: value[:40] if isinstance(value, str) else ""
)
def test_an_error_quotes_the_400_that_it_prevents(request_body: dict[str, Any], target: str, refusal: str) -> None:
    found = check_request(request_body, resolve(target, request_body.get("model")))
    assert [severity_of(d) for d in found] == [Severity.ERROR]
    assert any(note.startswith("the API would refuse the request: ") and refusal in note for note in found[0].notes)


def test_every_refusal_among_the_facts_is_prevented() -> None:
    """Words are compared up to the first place that is filled in, so one row may stand for several platforms."""
    known = {
        (fact.value.partition("{")[0], fact.value.rpartition("}")[2])
        for id in provider_ids()
        for fact in provider(id).refusals.values()
    }
    quoted = [
        note
        for request_body, target, _ in REFUSED
        for found in check_request(request_body, resolve(target, request_body.get("model")))
        for note in found.notes
    ]
    assert [words for words in known if not any(words[0] in note and words[1] in note for note in quoted)] == []


# Errors for which no vendor's words were found; their pages have the request, and the facts why it is refused.
_WORDLESS = {
    "PC604", "PC607", "PC608", "PC609", "PC611", "PC613", "PC614", "PC617", "PC633", "PC636", "PC655", "PC663",
    "PC667", "PC673",
}  # fmt: skip
# Errors about text that every API takes and no model reads as it was meant, and about files.
_NO_REFUSAL = {"PC675", "PC676", "PC677", "PC678", "PC679"}


def test_every_error_about_a_request_is_in_one_of_the_lists() -> None:
    errors = {entry.code for entry in CACHE if entry.severity is Severity.ERROR and "PC600" <= entry.code <= "PC679"}
    quoted = {
        found.code
        for request_body, target, _ in REFUSED
        for found in check_request(request_body, resolve(target, request_body.get("model")))
    }
    assert sorted(errors - quoted - _WORDLESS - _NO_REFUSAL) == []
    assert sorted(quoted & _WORDLESS) == []
