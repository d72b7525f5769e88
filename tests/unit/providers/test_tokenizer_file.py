"""Exact counts by a tokenizer that is at hand."""

import json
import sys

import pytest

from promptc.providers.cache_model.lowered import request_of
from promptc.providers.cache_model.simulate import step
from promptc.providers.cache_model.values import EMPTY
from promptc.providers.registry import provider
from promptc.providers.tokenizer_file import TokenizerBroken, TokenizerMissing, tokenizer_of
from support.word_tokenizer import WORDS


def test_the_count_is_that_of_the_tokenizer_and_says_so() -> None:
    counted = tokenizer_of(WORDS, "words.json")("one two three two")
    assert (counted.value, counted.ids, counted.exact, counted.error) == (4, (1, 2, 3, 2), True, 0.0)
    assert counted.method.startswith("words.json ")


def test_two_tokenizers_with_one_name_are_told_apart() -> None:
    other = WORDS.replace(b'"three": 3', b'"drei": 3')
    assert tokenizer_of(WORDS, "t")("").method != tokenizer_of(other, "t")("").method


def test_a_tokenizer_that_cuts_and_fills_up_counts_all_the_same() -> None:
    told = json.loads(WORDS)
    told["truncation"] = {"direction": "Right", "max_length": 2, "strategy": "LongestFirst", "stride": 0}
    told["padding"] = {
        "strategy": {"Fixed": 9}, "direction": "Right", "pad_to_multiple_of": None, "pad_id": 0, "pad_type_id": 0,
        "pad_token": "?",
    }  # fmt: skip
    assert tokenizer_of(json.dumps(told).encode(), "t")("one two three").value == 3


def test_half_a_surrogate_pair_is_counted() -> None:
    assert tokenizer_of(WORDS, "t")("one \ud83d two").value == 3


@pytest.mark.parametrize("data", [b"", b"[]", b"\xff", b'{"version": "1.0"}'])
def test_what_is_no_tokenizer_is_refused(data: bytes) -> None:
    with pytest.raises(TokenizerBroken):
        tokenizer_of(data, "t")


def test_a_missing_package_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "tokenizers", None)
    with pytest.raises(TokenizerMissing):
        tokenizer_of(WORDS, "t")


def test_the_place_where_two_texts_part_is_exact() -> None:
    """An estimate takes off what encodings lose at a cut."""
    count = tokenizer_of(WORDS, "t")
    facts = provider("sglang")

    def body(text: str) -> dict[str, object]:
        return {"model": "m", "messages": [{"role": "user", "content": text}]}

    state = step(request_of(body("one two three two one"), facts, count), EMPTY, facts).state
    again = step(request_of(body("one two three one one"), facts, count), state, facts)
    # `type text text` stands in front of every text of a message.
    assert again.best.read == count("type text text one two three").value
