"""Usage objects of different providers in one way of counting."""

from typing import Any

import pytest

from promptc.providers.cache_model.values import Counts
from promptc.providers.registry import provider
from promptc.providers.usage import counts_of


@pytest.mark.parametrize(
    ("target", "usage", "expected"),
    [
        (
            "anthropic",
            {
                "input_tokens": 7,
                "cache_read_input_tokens": 1000,
                "cache_creation_input_tokens": 300,
                "cache_creation": {"ephemeral_5m_input_tokens": 100, "ephemeral_1h_input_tokens": 200},
            },
            Counts(1000, {"5m": 100, "1h": 200}, 7),
        ),
        (
            "anthropic",
            {"input_tokens": 7, "cache_read_input_tokens": 0, "cache_creation_input_tokens": 300},
            Counts(0, {"*": 300}, 7),
        ),
        (
            "bedrock",
            {"inputTokens": 3, "cacheReadInputTokens": 1712, "cacheWriteInputTokens": 236},
            Counts(1712, {"*": 236}, 3),
        ),
        (
            "openai-responses-5.6",
            {"input_tokens": 4020, "input_tokens_details": {"cached_tokens": 0, "cache_write_tokens": 4012}},
            Counts(0, {"*": 4012}, 8),
        ),
        ("openai-chat", {"prompt_tokens": 900, "prompt_tokens_details": {"cached_tokens": 768}}, Counts(768, {}, 132)),
        ("deepseek", {"prompt_tokens": 563, "prompt_cache_hit_tokens": 512}, Counts(512, {}, 51)),
        ("gemini", {"promptTokenCount": 50}, Counts(0, {}, 50)),
    ],
)
def test_counts_sum_to_the_prompt_whatever_the_provider_calls_input(
    target: str, usage: dict[str, Any], expected: Counts
) -> None:
    assert counts_of(usage, provider(target)) == expected


def test_an_object_without_an_input_count_gives_nothing() -> None:
    assert counts_of({"prompt_tokens": True}, provider("openai-chat")) is None
    assert counts_of({}, provider("anthropic")) is None
