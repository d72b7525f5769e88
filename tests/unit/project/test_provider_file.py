"""A project's own provider facts: read from the file that promptc.toml names, every fault at its place."""

import pytest

from promptc.diagnostics.sink import Sink
from promptc.provider_file import read_provider_file
from promptc.providers.model import Certainty
from promptc.providers.registry import Registry, provider
from promptc.source import Source


def _read(text: str) -> tuple[Registry, list[tuple[str, str, str]]]:
    """The registry, and per finding its code, its first note and the text that it points at."""
    source = Source("providers.yaml", text)
    sink = Sink()
    registry = read_provider_file(source, sink)
    shown = []
    for found in sink.sorted():
        assert found.primary is not None
        span = found.primary.span
        shown.append((found.code, (*found.notes, "")[0], source.text[span.start : span.end]))
    return registry, shown


def test_only_what_differs_is_given() -> None:
    registry, found = _read(
        """
anthropic:
  cache:
    lookback: 30
  reads:
    - models: ["*"]
      read: {value: 0.07, source: "our contract", date: 2026-11-02, certainty: documented}
gateway:
  extends: openrouter
  title: Our gateway
"""
    )
    assert found == []
    ours = registry.provider("anthropic")
    assert ours.cache.lookback is not None
    assert (ours.cache.lookback.value, ours.cache.lookback.dated) == (30, "undated")
    assert ours.cache.lookback.certainty is Certainty.THIRD_PARTY
    price = ours.read_price("claude-opus-5")
    assert price is not None
    assert (price.value, price.dated, price.source) == (0.07, "2026-11-02", "our contract")
    assert ours.marker == provider("anthropic").marker
    assert registry.ids()[-1] == "gateway"


def test_an_empty_file_changes_nothing() -> None:
    registry, found = _read("# nothing yet\n")
    assert (registry.overrides, found) == ({}, [])


@pytest.mark.parametrize(
    ("text", "note", "shown"),
    [
        ("anthropic:\n  cache:\n    lookback: far\n", "`cache.lookback.value`: input should be a valid integer", "far"),
        ("# é𝄞\nanthropic:\n  colour: red\n", "`colour` is no key of a provider file", "colour"),
        ("anthropic: 3\n", "it is not a mapping", "3"),
        ("gateway:\n  extends: nobody\n", "`nobody` is no provider to start from", "nobody"),
        ("gateway:\n  title: x\n", "`gateway` is no provider to start from", "title: x"),
        ("groq:\n  cache:\n    kind: magic\n", "`cache.kind`: input should be", "magic"),
        ("groq:\n  reads:\n    - models: ['*']\n      read: {value: x, source: s}\n", "`reads.0.read.value`", "x"),
    ],
)
def test_a_fault_is_shown_at_its_place(text: str, note: str, shown: str) -> None:
    registry, found = _read(text)
    assert [code for code, _, _ in found] == ["PC677"]
    assert found[0][1].startswith(note)
    assert found[0][2].strip() == shown
    assert registry.provider("groq") == provider("groq")


def test_other_providers_of_the_file_still_count() -> None:
    registry, found = _read("groq: 3\nanthropic: {cache: {lookback: 7}}\n")
    assert [code for code, _, _ in found] == ["PC677"]
    lookback = registry.provider("anthropic").cache.lookback
    assert lookback is not None and lookback.value == 7


@pytest.mark.parametrize("text", ["- anthropic\n", "anthropic\n", "a: 1\na: 2\n", "a: [\n", "a: &x [*x]\n"])
def test_a_file_of_another_form_is_refused(text: str) -> None:
    registry, found = _read(text)
    assert found
    assert registry.overrides == {}
