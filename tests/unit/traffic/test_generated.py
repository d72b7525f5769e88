"""Made-up texts."""

import pytest

from promptc.traffic.generated import text_of
from promptc.traffic.scenario import Words


@pytest.mark.parametrize("count", [1, 7, 500])
def test_text_has_as_many_words_as_asked_for(count: int) -> None:
    assert len(text_of(Words(words=count), 1, "user").split()) == count


def test_text_is_the_same_at_one_place_and_another_at_every_other() -> None:
    words = Words(words=12)
    places = [(turn, role) for turn in range(1, 60) for role in ("user", "assistant", "summary")]
    texts = [text_of(words, *place) for place in places]
    assert texts == [text_of(words, *place) for place in places]
    assert len(set(texts)) == len(texts)


def test_text_that_is_given_is_taken() -> None:
    assert text_of("As it is.", 1) == "As it is."


def test_texts_use_the_whole_vocabulary() -> None:
    assert len(set(text_of(Words(words=2_000), 1).split())) == 32
