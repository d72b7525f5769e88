"""Caches written at breakpoints, against the examples that the vendors' own pages give."""

from dataclasses import replace

import pytest

from promptc.providers.cache_model.lowered import request_of
from promptc.providers.cache_model.simulate import cost, step
from promptc.providers.cache_model.values import EMPTY, CacheBlock, CacheRequest, CacheState, Counts
from promptc.providers.registry import provider
from promptc.providers.tokens import estimate_tokens

ANTHROPIC = provider("anthropic")
OPUS = "claude-opus-5"


def conversation(length: int, *marked: int, ttl: dict[int, str] | None = None, kind: str = "text") -> CacheRequest:
    """`length` blocks of 100 tokens, numbered from 1 as in the documentation, some of them marked."""
    blocks = tuple(
        CacheBlock(f"block {n}".encode(), 100, kind=kind, marked=n in marked, ttl=(ttl or {}).get(n))
        for n in range(1, length + 1)
    )
    return CacheRequest(blocks, OPUS)


def after(*requests: CacheRequest) -> CacheState:
    state = EMPTY
    for request in requests:
        state = step(request, state, ANTHROPIC).state
    return state


def test_first_request_writes_up_to_its_marker() -> None:
    found = step(conversation(10, 10), EMPTY, ANTHROPIC).certain
    assert found == Counts(0, {"5m": 1000}, 0)


def test_growing_to_15_blocks_reads_the_entry_at_10() -> None:
    """Documented: 10 blocks are cached, the next request has 15 with the marker on the last."""
    found = step(conversation(15, 15), after(conversation(10, 10)), ANTHROPIC).certain
    assert found == Counts(1000, {"5m": 500}, 0)


def test_growing_to_35_blocks_misses_the_entry_at_15() -> None:
    """Documented: from 35 back to 16 is 20 positions, so the entry at 15 is just out of reach."""
    found = step(conversation(35, 35), after(conversation(15, 15)), ANTHROPIC).certain
    assert found == Counts(0, {"5m": 3500}, 0)


def test_a_second_marker_at_15_finds_it() -> None:
    found = step(conversation(35, 15, 35), after(conversation(15, 15)), ANTHROPIC).certain
    assert found == Counts(1500, {"5m": 2000}, 0)


def test_the_marked_block_is_the_first_of_the_20_positions() -> None:
    assert step(conversation(34, 34), after(conversation(15, 15)), ANTHROPIC).certain.read == 1500
    assert step(conversation(35, 35), after(conversation(15, 15)), ANTHROPIC).certain.read == 0


def test_a_run_of_results_is_one_position_on_the_vendors_platform_only() -> None:
    first = conversation(10, 10)
    results = [CacheBlock(f"result {n}".encode(), 100, kind="tool_result") for n in range(30)]
    results[-1] = replace(results[-1], marked=True)
    grown = CacheRequest((*conversation(10).blocks, *results), OPUS)
    assert step(grown, after(first), ANTHROPIC).certain.read == 1000
    elsewhere = provider("vertex-claude")
    assert step(grown, step(first, EMPTY, elsewhere).state, elsewhere).certain.read == 0


def test_mixed_lifetimes_bill_read_then_long_then_short() -> None:
    """Documented: A is the highest hit, B the highest 1h marker behind it, C the last marker."""
    ttl = {4: "1h", 8: "1h", 10: "5m"}
    state = after(conversation(6, 6))
    found = step(conversation(12, 4, 8, 10, ttl=ttl), state, ANTHROPIC).certain
    assert found == Counts(600, {"1h": 200, "5m": 200}, 200)


def test_mixed_lifetimes_without_a_hit() -> None:
    found = step(conversation(12, 8, 10, ttl={8: "1h", 10: "5m"}), EMPTY, ANTHROPIC).certain
    assert found == Counts(0, {"1h": 800, "5m": 200}, 200)


def test_a_long_marker_in_front_of_the_hit_writes_nothing_long() -> None:
    found = step(conversation(12, 6, 10, ttl={6: "1h"}), after(conversation(8, 8)), ANTHROPIC).certain
    assert found == Counts(800, {"5m": 200}, 200)


def test_below_the_minimum_nothing_is_read_or_written() -> None:
    found = step(conversation(5, 5), EMPTY, ANTHROPIC)
    assert found.certain == Counts(0, {}, 500)
    assert found.state.entries == {}


@pytest.mark.parametrize(("later", "read"), [(299.0, 1000), (300.0, 0)])
def test_an_entry_is_gone_when_its_lifetime_has_passed_since_the_request_started(later: float, read: int) -> None:
    found = step(replace(conversation(10, 10), at=later), after(conversation(10, 10)), ANTHROPIC)
    assert found.certain.read == read


def test_a_hit_starts_the_lifetime_anew() -> None:
    state = after(conversation(10, 10), replace(conversation(10, 10), at=200.0))
    assert step(replace(conversation(10, 10), at=450.0), state, ANTHROPIC).certain.read == 1000


def test_an_entry_cannot_be_read_before_its_response_begins() -> None:
    state = after(replace(conversation(10, 10), response_after=3.0))
    assert step(replace(conversation(10, 10), at=1.0), state, ANTHROPIC).certain.read == 0
    assert step(replace(conversation(10, 10), at=3.0), state, ANTHROPIC).certain.read == 1000


def test_a_parameter_loses_just_the_lanes_that_its_fact_names() -> None:
    blocks = (
        CacheBlock(b"tool", 600, "tools", "tool", "", True),
        CacheBlock(b"system", 600, "system", "text", "", True),
        CacheBlock(b"hello", 600, "messages", "text", "user", True),
    )
    first = CacheRequest(blocks, OPUS)
    state = after(first)

    def read(**params: str) -> int:
        return step(replace(first, params=params), state, ANTHROPIC).certain.read

    assert read() == 1800
    assert read(tool_choice='"any"') == 1200
    assert read(speed='"fast"') == 600
    assert read(thinking='"adaptive"') == 0
    assert step(replace(first, model="claude-sonnet-4-6"), state, ANTHROPIC).certain.read == 0


def test_a_deferred_tool_is_no_part_of_the_prefix() -> None:
    blocks = conversation(10, 10).blocks
    late = CacheBlock(b"late", 900, "tools", "tool", "", deferred=True)
    found = step(CacheRequest((late, *blocks), OPUS), after(conversation(10, 10)), ANTHROPIC).certain
    assert found == Counts(1000, {}, 0)


def test_cost_follows_the_multiples_of_the_model() -> None:
    counts = Counts(1000, {"5m": 100, "1h": 10}, 7)
    assert cost(counts, ANTHROPIC, OPUS) == pytest.approx(7 + 100 + 125 + 20)
    assert cost(counts, ANTHROPIC, "claude-opus-5-5") == pytest.approx(7 + 50 + 125 + 20)


def later_openai(*turns: int, marked: tuple[int, ...] = (), implicit: bool = True) -> CacheRequest:
    blocks = tuple(CacheBlock(f"turn {n}".encode(), 1000, role="user", ending=True, marked=n in marked) for n in turns)
    return CacheRequest((CacheBlock(b"head", 2000, "system", role="developer"), *blocks), "gpt-5.6", implicit=implicit)


def test_exact_breakpoints_give_no_credit_for_a_merely_shared_prefix() -> None:
    facts = provider("openai-chat-5.6")
    state = step(later_openai(1, 2), EMPTY, facts).state
    assert step(later_openai(1, 2, 3), state, facts).certain == Counts(4000, {"30m": 1000}, 0)
    # The two share the head and turn 1, but no entry ends there.
    assert step(later_openai(1, 9), state, facts).certain == Counts(0, {"30m": 4000}, 0)


def test_exact_breakpoints_in_explicit_mode_need_a_marker() -> None:
    facts = provider("openai-chat-5.6")
    found = step(later_openai(1, 2, implicit=False), EMPTY, facts)
    assert found.certain == Counts(0, {}, 4000)
    assert step(later_openai(1, 2, marked=(1,), implicit=False), EMPTY, facts).certain == Counts(0, {"30m": 3000}, 1000)


def test_only_the_latest_markers_write() -> None:
    facts = provider("openai-chat-5.6")
    marked = tuple(range(1, 8))
    state = step(later_openai(*marked, marked=marked, implicit=False), EMPTY, facts).state
    assert sorted(entry.tokens for entry in state.entries.values()) == [6000, 7000, 8000, 9000]


def test_a_marker_within_what_a_call_gave_ends_the_prefix_there() -> None:
    """The Responses format, from GPT-5.6: the marker stands on the last part of the output."""
    facts = provider("openai-responses-5.6")
    part = {"type": "input_text", "text": "seen", "prompt_cache_breakpoint": {"mode": "explicit"}}
    item = {"type": "function_call_output", "call_id": "1", "output": [part]}
    call = {"type": "function_call", "call_id": "1", "name": "f", "arguments": "{}"}
    lowered = request_of({"model": "gpt-5.6", "input": [call, item]}, facts, estimate_tokens)
    assert [block.marked for block in lowered.blocks] == [False, True]
    assert b"breakpoint" not in lowered.blocks[1].content
