"""Provider data: every file loads, every fact is dated, overrides replace facts and are checked."""

from datetime import date
from pathlib import Path

import pytest

from promptc.diagnostics.registry import find_code
from promptc.providers import registry
from promptc.providers.ages import age_in_days, ages
from promptc.providers.cache_model.simulate import MODELS
from promptc.providers.model import Certainty, Fact
from promptc.providers.overrides import load_overrides
from promptc.providers.registry import provider, provider_ids, resolve
from promptc.providers.wire.reader import READERS

TODAY = date(2026, 12, 1)
ASKED_FOR = {
    "anthropic",
    "bedrock-claude",
    "bedrock-nova",
    "vertex-claude",
    "openai-chat",
    "openai-chat-5.6",
    "openai-responses",
    "openai-responses-5.6",
    "azure-openai",
    "gemini-implicit",
    "gemini-explicit",
    "deepseek",
    "xai",
    "groq",
    "fireworks",
    "openrouter",
    "vllm",
    "sglang",
    "llama-cpp",
    "tensorrt-llm",
}


def test_every_provider_has_a_file_and_every_file_a_provider() -> None:
    data = Path(registry.__file__).parent / "data"
    files = {path.stem for path in data.glob("*.yaml")} - {"index", "tokenizers"}
    assert files == set(provider_ids())
    assert set(provider_ids()) >= ASKED_FOR


@pytest.mark.parametrize("id", provider_ids())
def test_every_fact_has_a_source_a_date_and_a_certainty(id: str) -> None:
    found = provider(id)
    assert found.id == id
    facts = list(found.facts())
    assert len(facts) >= 15
    for path, fact in facts:
        # A tag that was not resolved would be a single word.
        assert " " in fact.source or "/" in fact.source, path
        assert fact.date is not None
        assert date(2024, 1, 1) <= fact.date <= TODAY, path
        assert fact.certainty in Certainty


@pytest.mark.parametrize("id", provider_ids())
def test_names_inside_a_file_lead_somewhere(id: str) -> None:
    found = provider(id)
    assert found.cache.kind in MODELS
    assert found.format in READERS
    assert [redirect.to for redirect in found.redirects if redirect.to not in provider_ids()] == []
    assert [slug for slug in found.refusals if find_code(slug) is None] == []
    assert set(found.feature("sibling_platforms") or ()) <= set(provider_ids())


def test_an_unknown_provider_is_a_key_error() -> None:
    with pytest.raises(KeyError):
        provider("nobody")


def test_nothing_but_the_file_asked_for_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[str] = []
    original = registry._read

    def spy(name: str) -> object:
        read.append(name)
        return original(name)

    monkeypatch.setattr(registry, "_read", spy)
    registry.shipped.cache_clear()
    registry.raw_facts.cache_clear()
    provider("vertex-claude")
    assert read == ["vertex-claude", "anthropic"]


@pytest.mark.parametrize(
    ("id", "model", "expected"),
    [
        ("openai", "gpt-5.5", "openai-chat"),
        ("openai", "gpt-5.6-sol", "openai-chat-5.6"),
        ("openai", "gpt-6.1", "openai-chat-5.6"),
        ("openai", "anthropic/claude-opus-5", "openrouter"),
        ("openai-responses", "openai.gpt-5.6-luna", "openai-responses-5.6"),
        ("bedrock", "amazon.nova-pro-v1:0", "bedrock-nova-converse"),
        ("bedrock", "us.anthropic.claude-opus-4-8", "bedrock-claude"),
        ("openai", None, "openai-chat"),
    ],
)
def test_an_id_that_spans_generations_leads_to_the_facts_of_the_model(
    id: str, model: str | None, expected: str
) -> None:
    assert resolve(id, model).id == expected


@pytest.mark.parametrize(
    ("id", "model", "tokens"),
    [
        ("anthropic", "claude-opus-5", 512),
        ("anthropic", "claude-opus-5-5", 512),
        ("anthropic", "claude-haiku-5-5", 512),
        ("anthropic", "claude-opus-4-8", 1024),
        ("anthropic", "claude-sonnet-5", 1024),
        ("anthropic", "claude-sonnet-4-5-20250929", 1024),
        ("anthropic", "claude-opus-4-1", 1024),
        ("anthropic", "claude-opus-4-7", 2048),
        ("anthropic", "claude-mythos-preview", 2048),
        ("anthropic", "claude-3-5-haiku-20241022", 2048),
        ("anthropic", "claude-opus-4-6", 4096),
        ("anthropic", "claude-opus-4-5-20251101", 4096),
        ("anthropic", "claude-haiku-4-5", 4096),
        ("bedrock", "anthropic.claude-opus-4-7-v1:0", 4096),
        ("bedrock", "anthropic.claude-opus-4-8", 1024),
        ("vertex", "claude-opus-4-7@20260101", 2048),
        ("openai-chat-5.6", "gpt-5.6", 1024),
        ("gemini", "gemini-2.5-flash", 2048),
        ("gemini", "gemini-3.8-flash", 4096),
    ],
)
def test_minimum_sizes_are_those_of_the_vendors_tables(id: str, model: str, tokens: int) -> None:
    found = provider(id).minimum_tokens(model)
    assert found is not None
    assert found.value == tokens


@pytest.mark.parametrize(
    ("model", "read"),
    [
        ("claude-opus-5-5", 0.05),
        ("claude-sonnet-5-5", 0.05),
        ("claude-fable-5-1", 0.025),
        ("claude-fable-5", 0.1),
        ("claude-opus-5", 0.1),
    ],
)
def test_reads_cost_what_the_price_list_says(model: str, read: float) -> None:
    found = provider("anthropic").read_price(model)
    assert found is not None
    assert found.value == read


def test_an_override_replaces_a_fact_and_keeps_the_others() -> None:
    ours = load_overrides({"anthropic": {"cache": {"lookback": 30}}}, TODAY).provider("claude")
    assert ours.cache.lookback == Fact[int](
        value=30, source="override in the project", date=TODAY, certainty=Certainty.THIRD_PARTY
    )
    assert ours.marker == provider("anthropic").marker
    assert provider("anthropic").cache.lookback != ours.cache.lookback


def test_an_override_may_say_where_its_fact_is_from() -> None:
    given = {"value": 30, "source": "our contract", "date": "2026-11-01", "certainty": "documented"}
    ours = load_overrides({"anthropic": {"cache": {"lookback": given}}}, TODAY).provider("anthropic")
    assert ours.cache.lookback is not None
    assert (ours.cache.lookback.source, ours.cache.lookback.date) == ("our contract", date(2026, 11, 1))


def test_bare_values_may_stand_in_entries_of_lists_and_in_features() -> None:
    changed = {
        "lifetimes": [{"name": "5m", "seconds": 600, "write": 1.5}],
        "features": {"prewarm_option": "x", "implicit_limit": 2},
    }
    ours = load_overrides({"anthropic": changed}, TODAY)
    assert ours.diagnostics == ()
    (lifetime,) = ours.provider("anthropic").lifetimes
    assert (lifetime.seconds.value, lifetime.write.value) == (600, 1.5)
    assert lifetime.write.certainty is Certainty.THIRD_PARTY
    assert ours.provider("anthropic").feature("implicit_limit") == 2


def test_a_project_may_add_a_provider_of_its_own() -> None:
    ours = load_overrides({"gateway": {"extends": "openrouter", "title": "Our gateway"}}, TODAY)
    assert ours.provider("gateway").title == "Our gateway"
    assert ours.ids()[-1] == "gateway"
    assert ours.diagnostics == ()


@pytest.mark.parametrize(
    ("overrides", "reason"),
    [
        ({"anthropic": 3}, "it is not a mapping"),
        ({"anthropic": {"cache": {"lookback": "far"}}}, "`cache.lookback.value`"),
        ({"anthropic": {"colour": "red"}}, "`colour`"),
        ({"anthropic": {"cache": {"lookback": 0}}}, "`cache.lookback.value`"),
        ({"anthropic": {"marker": {"limit": -1}}}, "`marker.limit.value`"),
        ({"vllm": {"cache": {"granularity": 0}}}, "`cache.granularity.value`"),
        ({"openai-responses-5.6": {"lifetimes": []}}, "default lifetime"),
        ({"openai-responses-5.6": {"features": {"implicit_limit": "many"}}}, "`features.implicit_limit` is a number"),
        ({"openai-chat": {"features": {"floating_models": 3}}}, "`features.floating_models` is a list of texts"),
        ({"openai-chat": {"features": {"nope": 3}}}, "no provider has a feature `nope`"),
        ({"gateway": {"title": "x"}}, "`gateway` is no provider to start from"),
        ({"gateway": {"extends": "nobody"}}, "`nobody` is no provider to start from"),
    ],
)
def test_an_override_that_does_not_fit_is_reported_and_left_out(overrides: dict[str, object], reason: str) -> None:
    ours = load_overrides(overrides, TODAY)
    assert [found.code for found in ours.diagnostics] == ["PC677"]
    assert reason in ours.diagnostics[0].notes[0]
    assert ours.provider("anthropic") == provider("anthropic")


def test_values_without_a_date_stay_undated() -> None:
    ours = load_overrides({"anthropic": {"cache": {"lookback": 30}}}).provider("anthropic")
    assert ours.cache.lookback is not None
    assert (ours.cache.lookback.date, ours.cache.lookback.dated) == (None, "undated")


def test_a_change_of_an_alias_is_one_of_the_provider_that_goes_by_it() -> None:
    ours = load_overrides({"claude": {"cache": {"lookback": 30}}})
    assert list(ours.overrides) == ["anthropic"]
    assert ours.provider("claude").cache.lookback == ours.provider("anthropic").cache.lookback


def test_a_provider_of_ones_own_keeps_its_facts_for_every_model() -> None:
    ours = load_overrides({"gateway": {"extends": "openai-chat", "title": "Ours"}})
    assert resolve("openai-chat", "gpt-5.6").id == "openai-chat-5.6"
    assert ours.resolve("gateway", "gpt-5.6").id == "gateway"


def test_ages_count_days_doubts_and_what_is_old() -> None:
    counted = ages(provider("groq"), TODAY, 73)
    assert (counted.oldest, counted.newest) == (date(2026, 9, 18), date(2026, 9, 18))
    assert counted.old == counted.facts == len(list(provider("groq").facts()))
    assert ages(provider("groq"), TODAY, 74).old == 0
    doubts = [f for _, f in provider("groq").facts() if f.certainty in (Certainty.UNCERTAIN, Certainty.CONTESTED)]
    assert counted.doubtful == len(doubts) > 0
    assert (age_in_days(counted.oldest, TODAY), age_in_days(None, TODAY)) == (74, None)


@pytest.mark.parametrize(
    ("spelled", "id"),
    [("openai_chat", "openai-chat"), ("openai_responses_5_6", "openai-responses-5.6"), ("llama_cpp", "llama-cpp")],
)
def test_a_provider_is_found_in_the_spelling_of_specs(spelled: str, id: str) -> None:
    assert provider(spelled).id == id
