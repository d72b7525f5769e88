"""Rules on what stands around the bodies: headers, where they were sent from, batches, storage, names of models."""

from typing import Any

import pytest

from promptc.providers.checks.encoding import respelling
from promptc.providers.checks.run import check_document, check_sequence
from promptc.providers.registry import provider, resolve

MARK = {"type": "ephemeral"}
BODY = {"model": "claude-opus-5", "max_tokens": 9, "messages": [{"role": "user", "content": "a"}]}


def _found(target: str, **document: Any) -> list[tuple[str, str | None]]:
    facts = resolve(target, document["requests"][-1].get("model"))
    return [(d.code, d.pointer) for d in check_document(document, facts)]


def _betas(*values: str) -> list[dict[str, str]]:
    return [{"Anthropic-Beta": value} for value in values]


@pytest.mark.parametrize(
    ("headers", "found"),
    [
        (_betas("a, b", "b,a"), []),
        (_betas("a", "a,b"), [("PC653", "/headers/1/Anthropic-Beta")]),
        ([{"anthropic-beta": "a"}, {}], [("PC653", "/headers/1")]),
        ({"anthropic-beta": "a"}, []),
        (
            {"anthropic-beta": "prompt-caching-scope-2026-01-05"},
            [("PC613", "/headers/anthropic-beta")],
        ),
        ("nonsense", [("PC679", "/headers")]),
        ([3, None], [("PC679", "/headers")]),
    ],
)
def test_the_set_of_beta_features_is_compared(headers: Any, found: list[tuple[str, str]]) -> None:
    assert _found("anthropic", requests=[BODY, BODY], headers=headers) == found


def test_a_routing_header_that_changes_is_found() -> None:
    headers = [{"x-grok-conv-id": "a"}, {"x-grok-conv-id": "b"}]
    body = {"model": "grok-4.6", "messages": [{"role": "user", "content": "a"}]}
    assert ("PC635", "/headers/1/x-grok-conv-id") in _found("xai", requests=[body, body], headers=headers)
    assert _found("xai", requests=[body, body], headers=headers[:1] * 2) == []


@pytest.mark.parametrize(
    ("target", "name", "found"),
    [("anthropic", "workspace", True), ("anthropic", "region", False), ("bedrock-claude-invoke", "workspace", False)],
)
def test_requests_from_two_places_share_nothing_where_the_provider_keeps_them_apart(
    target: str, name: str, found: bool
) -> None:
    places = [{name: "a"}, {name: "b"}]
    expected = [("PC657", f"/isolation/1/{name}")] if found else []
    assert _found(target, requests=[BODY, BODY], isolation=places) == expected


def test_markers_in_a_batch() -> None:
    marked = {**BODY, "messages": [{"role": "user", "content": [{"type": "text", "text": "a", "cache_control": MARK}]}]}
    at = "/requests/0/messages/0/content/0"
    assert _found("bedrock-claude-invoke", requests=[marked], batch=True) == [("PC697", at)]
    assert _found("bedrock-claude-invoke", requests=[marked]) == []
    assert _found("anthropic", requests=[marked], batch=True) == []


def test_a_warming_request_is_no_part_of_a_batch() -> None:
    warm = {**BODY, "max_tokens": 0}
    assert _found("anthropic", requests=[warm], batch=True) == [("PC633", "/requests/0/max_tokens")]
    assert _found("anthropic", requests=[warm]) == []


@pytest.mark.parametrize(("reads", "codes"), [(3, ["PC698"]), (4, []), (5, [])])
def test_storage_pays_from_the_reads_that_cover_it(reads: int, codes: list[str]) -> None:
    # An hour at 3.6 times the input price over 0.9 saved by each read: four reads.
    body = {"model": "gemini-2.5-pro", "cachedContent": "c", "contents": [{"role": "user", "parts": [{"text": "a"}]}]}
    found = _found("gemini-explicit", requests=[body], storage_hours=1, expected_reads=reads)
    assert [code for code, _ in found] == codes


@pytest.mark.parametrize(
    ("model", "target", "codes"),
    [
        ("claude-haiku-4-5-latest", "anthropic", ["PC696"]),
        ("claude-opus-5", "anthropic", []),
        ("gpt-5.3-chat-latest", "openai", ["PC696"]),
        ("gpt-5.5", "openai", []),
    ],
)
def test_a_model_that_moves_is_named(model: str, target: str, codes: list[str]) -> None:
    assert [code for code, _ in _found(target, requests=[{**BODY, "model": model}])] == codes


@pytest.mark.parametrize(
    ("was", "now", "alias"),
    [
        ("claude-haiku-4-5", "claude-haiku-4-5-20251001", True),
        ("gpt-4o", "gpt-4o-2024-08-06", True),
        ("claude-haiku-4-5-20251001", "claude-haiku-4-5-latest", True),
        ("gpt-5", "gpt-5-mini", False),
        ("claude-opus-5", "claude-opus-5-5", False),
    ],
)
def test_an_alias_in_place_of_its_snapshot_is_told_apart(was: str, now: str, alias: bool) -> None:
    found = check_sequence([{**BODY, "model": was}, {**BODY, "model": now}], provider("anthropic"))
    (changed,) = [d for d in found if d.code == "PC652"]
    assert any("another name" in note for note in changed.notes) is alias


@pytest.mark.parametrize(
    ("was", "now", "how"),
    [
        ("a\nb", "a\r\nb", "line ends and byte order marks"),
        ("caf\u00e9", "cafe\u0301", "the normal form of characters"),
        ("a \nb", "a\nb", "white space at line ends"),
        ("1,234 loaves", "1.234 loaves", "the separators of numbers"),
        ("b.md\na.md", "a.md\nb.md", "the order of their lines"),
        ("a", "b", None),
    ],
)
def test_texts_that_say_the_same_are_told_from_others(was: str, now: str, how: str | None) -> None:
    assert respelling(was, now) == how
    system = [{**BODY, "system": text} for text in (was, now)]
    (found,) = [d for d in check_sequence(system, provider("anthropic")) if d.code == "PC647"]
    assert [note for note in found.notes if note.startswith("the texts differ")] == (
        [f"the texts differ in {how} only"] if how else []
    )


def test_white_space_at_line_ends_is_a_hint_once() -> None:
    found = check_document({**BODY, "system": "a\nb  \nc \n"}, provider("anthropic"))
    assert [(d.code, d.pointer, d.message) for d in found] == [
        ("PC644", "/system", "line 2 of this shared text ends in white space")
    ]


def _turns(count: int) -> dict[str, Any]:
    blocks: list[dict[str, Any]] = [{"type": "text", "text": f"{n}"} for n in range(count)]
    blocks[-1] = {**blocks[-1], "cache_control": MARK}
    return {**BODY, "messages": [{"role": "user", "content": blocks}]}


@pytest.mark.parametrize(("added", "codes"), [(14, []), (15, ["PC695"]), (19, ["PC695"]), (20, ["PC623"])])
def test_the_lookback_is_warned_of_before_it_is_outrun(added: int, codes: list[str]) -> None:
    found = check_sequence([_turns(1), _turns(1 + added)], provider("anthropic"))
    assert [d.code for d in found] == codes
