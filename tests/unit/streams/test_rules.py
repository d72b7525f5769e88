"""Provider facts as the rules of a comparison."""

import pytest

from promptc.providers.registry import provider, provider_ids, resolve
from promptc.streams.rules import cache_rules


@pytest.mark.parametrize("id", provider_ids())
def test_every_provider_has_rules_and_a_model_that_keys_them(id: str) -> None:
    rules = cache_rules(provider(id))
    model = next((rule for rule in rules.params if rule.name == "model"), None)
    assert model is None or "messages" in model.loses
    assert rules.lookback is None or rules.lookback > 0


def test_lookback_and_runs_come_from_the_facts() -> None:
    rules = cache_rules(resolve("anthropic", "claude-sonnet-4-6"), "claude-sonnet-4-6")
    assert (rules.lookback, rules.collapse_tool_runs, rules.implicit) == (20, True, False)
    assert rules.minimum_tokens == 1024
    assert {rule.name: rule.loses for rule in rules.params}["tool_choice"] == ("messages",)


def test_a_provider_that_matches_any_prefix_has_no_ends_of_its_own() -> None:
    rules = cache_rules(provider("vllm"))
    assert not rules.reads_only_at_breakpoints
    assert not rules.implicit
