"""Caches that compare whole prompts: block rounding, units, grids, objects."""

from dataclasses import replace
from datetime import date

import pytest

from promptc.providers.cache_model.simulate import step
from promptc.providers.cache_model.values import EMPTY, CacheBlock, CachedObject, CacheRequest, Counts
from promptc.providers.overrides import load_overrides
from promptc.providers.registry import provider


def prompt(*ids: int, at: float = 0.0, output: tuple[int, ...] = ()) -> CacheRequest:
    """One block of exact tokens."""
    answer = (_block(output, "assistant"),) if output else ()
    return CacheRequest((_block(ids, "user"),), "local", at=at, output=answer)


def _block(ids: tuple[int, ...], role: str) -> CacheBlock:
    return CacheBlock(b"".join(i.to_bytes(4, "big") for i in ids), len(ids), role=role, token_ids=ids)


@pytest.mark.parametrize(
    ("shared", "total", "read"),
    [
        (40, 60, 32),  # two full blocks of 16 out of 40 shared tokens
        (32, 60, 32),
        (31, 60, 16),
        (15, 60, 0),
        (48, 48, 32),  # a prompt that is cached whole computes its last block anew
        (49, 49, 48),
    ],
)
def test_vllm_counts_full_blocks_and_never_the_whole_prompt(shared: int, total: int, read: int) -> None:
    facts = provider("vllm")
    first = prompt(*range(shared), *range(1000, 1010))
    if shared == total:
        first = prompt(*range(total))
    second = prompt(*range(shared), *range(2000, 2000 + total - shared))
    assert step(second, step(first, EMPTY, facts).state, facts).best == Counts(read, {}, total - read)


def test_an_implicit_cache_promises_nothing() -> None:
    facts = provider("vllm")
    again = step(prompt(*range(64)), step(prompt(*range(64)), EMPTY, facts).state, facts)
    assert again.certain == Counts(0, {}, 64)
    assert again.best.read == 48


def test_tensorrt_blocks_are_twice_as_long() -> None:
    facts = provider("tensorrt-llm")
    state = step(prompt(*range(100)), EMPTY, facts).state
    assert step(prompt(*range(90), 1, 2, 3), state, facts).best.read == 64


def test_a_radix_tree_matches_single_tokens_and_leaves_one() -> None:
    facts = provider("sglang")
    state = step(prompt(*range(50)), EMPTY, facts).state
    assert step(prompt(*range(37), 999), state, facts).best.read == 37
    assert step(prompt(*range(50)), state, facts).best.read == 49


def test_a_radix_tree_with_pages_rounds_down() -> None:
    ours = load_overrides({"ours": {"extends": "sglang", "cache": {"granularity": 64}}}, date(2026, 1, 1))
    facts = ours.provider("ours")
    state = step(prompt(*range(200)), EMPTY, facts).state
    assert step(prompt(*range(150), 999), state, facts).best.read == 128


def test_answers_are_kept_by_engines() -> None:
    facts = provider("sglang")
    first = prompt(*range(20), output=tuple(range(500, 530)))
    second = CacheRequest((*first.blocks, *first.output, _block((1, 2, 3), "user")), "local")
    # All but the last token of the answer, which was drawn and never computed.
    assert step(second, step(first, EMPTY, facts).state, facts).best.read == 49


def test_a_salt_keeps_prompts_apart() -> None:
    facts = provider("vllm")
    state = step(prompt(*range(64)), EMPTY, facts).state
    assert step(replace(prompt(*range(64)), namespace="other"), state, facts).best.read == 0


def whole(*names: str) -> CacheRequest:
    """Blocks of 300 tokens, known by name only."""
    return CacheRequest(tuple(CacheBlock(name.encode() * 300, 300, role="user") for name in names), "deepseek-chat")


def test_units_are_read_whole_or_not_at_all() -> None:
    """Documented: after A+B, A+C misses and leaves A as a unit, which A+D then reads."""
    facts = load_overrides(
        {"d": {"extends": "deepseek", "cache": {"granularity": 100_000}}}, date(2026, 1, 1)
    ).provider("d")
    first = step(whole("A", "B"), EMPTY, facts)
    second = step(whole("A", "C"), first.state, facts)
    third = step(whole("A", "D"), second.state, facts)
    assert (second.best.read, third.best.read) == (0, 300)
    assert step(whole("A", "B", "E"), third.state, facts).best.read == 600


def test_units_at_fixed_intervals_are_read_too() -> None:
    facts = provider("deepseek")
    state = step(whole("A", "B"), EMPTY, facts).state
    assert step(whole("A", "C"), state, facts).best.read == 256


def test_a_grid_rounds_down_and_has_a_minimum() -> None:
    facts = provider("openai-chat")
    state = step(prompt(*range(3000)), EMPTY, facts).state
    assert step(prompt(*range(1500), 9), state, facts).best.read == 1408
    assert step(prompt(*range(1000), 9), state, facts).best.read == 0
    assert step(prompt(*range(1500), 9), state, facts).certain.read == 0


def test_an_object_is_read_whole_while_it_lives() -> None:
    facts = provider("gemini-explicit")
    held = CachedObject("handbook", 5000, created=0.0, expires=3600.0)
    question = replace(prompt(*range(20)), object=held, at=3599.0)
    assert step(question, EMPTY, facts).certain == Counts(5000, {}, 20)
    assert step(replace(question, at=3600.0), EMPTY, facts).certain == Counts(0, {}, 20)


def test_an_estimated_head_leaves_room_for_merges_at_the_cut() -> None:
    facts = provider("groq")
    before = CacheRequest((CacheBlock(b"x" * 8000 + b"old", 2000),), "m")
    now = CacheRequest((CacheBlock(b"x" * 8000 + b"new", 2000),), "m")
    read = step(now, step(before, EMPTY, facts).state, facts).best.read
    assert read == 2000 * 8000 // 8003 - 4
