"""The token estimate: labelled, deterministic, and near the counts of real tokenizers."""

import time

import pytest

from promptc.providers.tokens import estimate_tokens

# Counted once with bpe-openai 0.1.4 (o200k_base) and ctok 1.3.0 (families v3 and v4.8, frame taken off).
PROSE = (
    "The harbour master assigns a berth to every vessel that asks for one. A vessel without a berth waits at the outer "
    "buoy, keeps its radio open, and does not enter the channel before it has been called. Fees are due on arrival; "
    "whoever stays for more than three nights pays the weekly rate, which the table at the end of this page lists.\n"
)
CODE = (
    "def assign(vessel: Vessel, berths: list[Berth]) -> Berth | None:\n"
    "    for berth in sorted(berths, key=lambda b: b.length):\n"
    "        if berth.free and berth.length >= vessel.length:\n"
    "            return berth\n"
    "    return None\n"
)


@pytest.mark.parametrize(
    ("text", "model", "counted"),
    [
        (PROSE, None, 71),
        (PROSE, "claude-opus-4-6", 76),
        (PROSE, "claude-opus-5", 104),
        (CODE, "gpt-5.6", 56),
        (CODE, "claude-sonnet-4-5", 70),
        (CODE, "claude-sonnet-5", 84),
    ],
)
def test_estimate_is_near_the_count_of_the_tokenizer(text: str, model: str | None, counted: int) -> None:
    found = estimate_tokens(text, model)
    assert abs(found.value - counted) <= 0.15 * counted
    assert not found.exact
    assert 0 < found.error < 0.1


def test_method_names_the_family() -> None:
    assert estimate_tokens("a").method == "estimate/1 o200k"
    assert estimate_tokens("a", "claude-haiku-4-5").method == "estimate/1 claude-3"
    assert estimate_tokens("a", "claude").method == "estimate/1 claude-4.7"
    assert estimate_tokens("a", "anthropic/claude-opus-4.8").method == "estimate/1 claude-4.7"


def test_empty_text_has_no_tokens_and_any_other_at_least_one() -> None:
    assert estimate_tokens("").value == 0
    assert estimate_tokens(" ").value == 1
    assert estimate_tokens("\x00").value == 1


def test_half_of_a_surrogate_pair_is_counted_like_any_character() -> None:
    assert estimate_tokens("\ud83d" * 10).value >= 1


def test_sections_sum_to_about_the_whole() -> None:
    parts = [PROSE, CODE, PROSE]
    whole = estimate_tokens("\n".join(parts)).value
    assert abs(whole - sum(estimate_tokens(part).value for part in parts)) <= 4


def test_a_hostile_text_takes_linear_time() -> None:
    for unit in ("A", "aB", " ", " \t", "\n ", "{", "1", "é"):
        started = time.perf_counter()
        estimate_tokens(unit * 200_000)
        assert time.perf_counter() - started < 2.0, unit
