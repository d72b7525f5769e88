"""A request is compared with the earlier one that it continues, not merely with the one before it."""

import json
from typing import Any

from promptc.compare.lineage import Lineage, trail_of
from promptc.streams.read import read_stream


class Log:
    """Requests in the order they were sent, and what each was found to continue."""

    def __init__(self, held: int = 100) -> None:
        self._lineage = Lineage(held)
        self._number = 0

    def sent(self, *said: str, key: str | None = None, model: str = "m", system: str = "s") -> int | None:
        self._number += 1
        roles = ("user", "assistant")
        messages: list[Any] = [{"role": roles[n % 2], "content": text} for n, text in enumerate(said)]
        body = {"model": model, "max_tokens": 5, "system": system, "messages": messages}
        stream, _ = read_stream(json.dumps(body).encode(), "r.json")
        assert stream is not None
        found = self._lineage.follow(trail_of(stream, key), self._number)
        return None if found is None else found.ending.number


def test_a_conversation_continues_its_latest_request() -> None:
    log = Log()
    assert [log.sent("a"), log.sent("a", "b", "c"), log.sent("a", "b", "c", "d", "e")] == [None, 1, 2]


def test_conversations_that_take_turns_are_told_apart_without_any_key() -> None:
    log = Log()
    assert [log.sent("a"), log.sent("x"), log.sent("a", "b", "c"), log.sent("x", "y", "z")] == [None, None, 1, 2]


def test_two_conversations_with_the_same_opening_are_told_apart_by_their_answers() -> None:
    log = Log()
    log.sent("a"), log.sent("a", "b", "c"), log.sent("a", "y", "z")
    assert log.sent("a", "b", "c", "d", "e") == 2 and log.sent("a", "y", "z", "d", "e") == 3


def test_sessions_by_key_do_not_mix_even_where_they_say_the_same() -> None:
    log = Log()
    assert [log.sent("a", key="1"), log.sent("a", key="2"), log.sent("a", "b", "c", key="1")] == [None, None, 1]


def test_a_rewind_continues_what_it_went_back_to() -> None:
    log = Log()
    log.sent("a"), log.sent("a", "b", "c"), log.sent("a", "b", "c", "d", "e")
    assert log.sent("a", "b", "c") == 2
    assert log.sent("a", "b", "c", "other", "way") == 4


def test_an_answer_asked_for_anew_continues_the_question() -> None:
    log = Log()
    log.sent("a"), log.sent("a", "b", "c"), log.sent("a", "b", "c", "d", "e")
    assert log.sent("a", "b", "c", "D", "E") == 2


def test_a_side_question_at_the_end_is_not_what_the_next_turn_continues() -> None:
    log = Log()
    log.sent("a", "b", "c")
    assert log.sent("a", "b", "c", "", "sum up") == 1  # two parts of the user's own stand behind
    assert log.sent("a", "b", "c", "d", "e") == 1


def test_a_part_that_was_slipped_into_the_history_is_a_rewrite() -> None:
    log = Log()
    log.sent("a"), log.sent("a", "b", "c")
    assert log.sent("a", "note", "b", "c", "d", "e") == 2


def test_a_history_that_was_rewritten_is_compared_with_the_latest_of_its_conversation() -> None:
    log = Log()
    log.sent("a"), log.sent("a", "b", "c")
    assert log.sent("a", "B", "c", "d", "e") == 2


def test_a_first_message_that_changes_every_time_is_seen_through() -> None:
    log = Log()
    log.sent("round 1", "b", "c")
    assert log.sent("round 2", "b", "c", "d", "e") == 1


def test_of_a_named_session_the_latest_of_the_model_is_taken_where_nothing_is_the_same() -> None:
    log = Log()
    log.sent("round 1", key="k"), log.sent("title?", key="k", model="small")
    assert log.sent("round 2", "B", "C", key="k") == 1
    assert log.sent("another title?", key="k", model="small") is None


def test_instructions_are_no_part_of_a_conversation() -> None:
    log = Log()
    log.sent("a", system="09:00")
    assert log.sent("a", "b", "c", system="09:01") == 1


def test_what_is_remembered_is_bounded() -> None:
    log = Log(held=10)
    log.sent("first")
    for n in range(200):
        log.sent(f"other {n}")
    assert log.sent("first", "b", "c") is None
