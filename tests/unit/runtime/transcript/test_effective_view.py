"""From a stored graph to the effective view: one test for each rule, named by its requirement."""

from collections.abc import Mapping
from typing import Any

import pytest

from promptc.runtime.errors import InputError
from promptc.runtime.transcript.model import Abilities, Record, Transcript, View
from promptc.runtime.transcript.view import effective_view


def text(words: str) -> dict[str, Any]:
    return {"type": "text", "text": words}


def call(name: str) -> dict[str, Any]:
    return {"type": "tool_use", "id": name, "name": "look", "input": {}}


def result(name: str, words: str = "seen") -> dict[str, Any]:
    return {"type": "tool_result", "tool_use_id": name, "content": [text(words)]}


def thinking(words: str = "hm") -> dict[str, Any]:
    return {"type": "thinking", "thinking": words, "signature": "s"}


def user(name: str, parent: str | None, *blocks: Any, **more: Any) -> Record:
    return Record(name, parent, role="user", content=blocks, origin=more.pop("origin", "human"), **more)


def answer(name: str, parent: str | None, *blocks: Any, **more: Any) -> Record:
    return Record(name, parent, role="assistant", content=blocks, **more)


def view(*records: Record, leaf: str | None = None, settled: Mapping[str, str] | None = None, **able: Any) -> View:
    transcript = Transcript({record.id: record for record in records}, leaf)
    return effective_view(transcript, settled, Abilities(**able) if able else None)


def shown(found: View) -> list[tuple[str, list[str]]]:
    """Roles, and every block as its text, the id of its call, or its type."""
    return [
        (m.role, [str(b.get("text") or b.get("id") or b.get("tool_use_id") or b["type"]) for b in m.content])
        for m in found.messages
    ]


def kinds(found: View) -> list[str]:
    return [decision.kind for decision in found.decisions]


# -- C-01: the leaf and its parents --------------------------------------------------------------


def test_parents_decide_and_the_order_in_the_file_does_not() -> None:
    """covers: C-01."""
    records = [user("a", None, text("one")), answer("b", "a", text("two")), user("c", "b", text("three"))]
    straight, mixed = view(*records), view(*reversed(records))
    assert shown(straight) == [("user", ["one"]), ("assistant", ["two"]), ("user", ["three"])]
    assert shown(mixed) == shown(straight)


def test_the_newest_end_is_the_leaf_and_another_branch_is_not_shown() -> None:
    """covers: C-01, C-04."""
    found = view(
        user("a", None, text("one"), at=1),
        answer("b", "a", text("first try"), at=2),
        answer("c", "a", text("second try"), at=3),
        user("d", "c", text("on"), at=4),
        user("e", "b", text("elsewhere"), at=2),
    )
    assert shown(found) == [("user", ["one"]), ("assistant", ["second try"]), ("user", ["on"])]


def test_a_leaf_that_is_named_wins() -> None:
    """covers: C-01."""
    records = (user("a", None, text("one"), at=1), answer("b", "a", text("x"), at=2), answer("c", "a", text("y"), at=9))
    assert shown(view(*records, leaf="b"))[-1] == ("assistant", ["x"])


def test_a_leaf_that_is_not_there_is_refused() -> None:
    """covers: C-01."""
    with pytest.raises(InputError, match="not in the transcript"):
        view(user("a", None, text("one")), leaf="z")


def test_parents_in_a_circle_end_the_chain() -> None:
    """covers: C-01."""
    found = view(user("a", "b", text("one")), answer("b", "a", text("two")), user("c", "b", text("three")))
    assert kinds(found) == ["parents-circle"]
    assert shown(found)[-1] == ("user", ["three"])


def test_a_parent_that_is_missing_begins_the_conversation_there() -> None:
    """covers: C-01."""
    found = view(user("b", "lost", text("one")))
    assert shown(found) == [("user", ["one"])]
    assert kinds(found) == ["parent-missing"]


# -- C-02: boundaries ----------------------------------------------------------------------------


def compacted(*, summary: str = "so far", preserved: tuple[str, ...] = ()) -> list[Record]:
    content = (text(summary),) if summary else ()
    return [
        user("a", None, text("old")),
        answer("b", "a", text("older answer")),
        Record("x", "b", "boundary", content=content, preserved=preserved),
        user("c", "x", text("new")),
    ]


def test_only_the_summary_and_what_follows_count_behind_a_boundary() -> None:
    """covers: C-02."""
    found = view(*compacted())
    assert shown(found) == [("user", ["so far", "new"])]
    assert found.boundary is not None
    assert found.messages[0].summary


def test_preserved_records_stand_behind_the_summary() -> None:
    """covers: C-02, F-03."""
    assert shown(view(*compacted(preserved=("b",)))) == [
        ("user", ["so far"]), ("assistant", ["older answer"]), ("user", ["new"]),
    ]  # fmt: skip


def test_a_preserved_record_that_is_missing_is_said() -> None:
    """covers: C-02."""
    assert kinds(view(*compacted(preserved=("lost",)))) == ["preserved-missing"]


def test_a_failed_compaction_clears_nothing() -> None:
    """covers: C-02, F-01."""
    found = view(*compacted(summary=""))
    assert shown(found) == [("user", ["old"]), ("assistant", ["older answer"]), ("user", ["new"])]
    assert kinds(found) == ["boundary-skipped"]


# -- C-03: calls and results ---------------------------------------------------------------------


def test_a_call_without_a_result_gets_one_that_says_so() -> None:
    """covers: C-03."""
    found = view(
        user("a", None, text("go")), answer("b", "a", call("1"), call("2")), user("c", "b", result("1"), text("stop"))
    )
    assert shown(found)[2] == ("user", ["1", "2", "stop"])
    assert found.messages[2].content[1]["is_error"] is True
    assert found.settled == {"2": "[no result: the call was interrupted]"}


def test_a_late_result_does_not_change_what_was_sent() -> None:
    """covers: C-03. The answer that an earlier request gave stands, in the words of then."""
    found = view(
        user("a", None, text("go")), answer("b", "a", call("1")), user("c", "b", result("1", "late")),
        settled={"1": "words of then"},
    )  # fmt: skip
    assert found.messages[2].content[0]["content"] == [text("words of then")]
    assert kinds(found) == ["result-late"]


def test_results_without_their_call_and_second_results_are_dropped() -> None:
    """covers: C-03."""
    found = view(
        user("a", None, text("go")), answer("b", "a", call("1")), user("c", "b", result("9"), result("1"), result("1", "again")),
    )  # fmt: skip
    assert shown(found)[2] == ("user", ["1"])
    assert sorted(kinds(found)) == ["result-dropped", "result-repeated"]


def test_an_id_that_was_used_before_is_dropped_with_its_result() -> None:
    """covers: C-03. Case 113."""
    found = view(
        user("a", None, text("go")), answer("b", "a", call("1")), user("c", "b", result("1")),
        answer("d", "c", text("more"), call("1")), user("e", "d", result("1"), text("on")),
    )  # fmt: skip
    assert shown(found)[3:] == [("assistant", ["more"]), ("user", ["on"])]


def test_results_stand_in_the_order_of_their_calls() -> None:
    """covers: C-03. Case 035: live they came as they were finished."""
    found = view(
        user("a", None, text("go")),
        answer("b", "a", call("1"), call("2")),
        user("c", "b", text("note"), result("2"), result("1")),
    )
    assert shown(found)[2] == ("user", ["1", "2", "note"])


def test_a_call_at_the_very_end_is_dropped() -> None:
    """covers: C-03."""
    found = view(user("a", None, text("go")), answer("b", "a", text("I look"), call("1")))
    assert shown(found)[-1] == ("assistant", ["I look"])
    assert kinds(found) == ["call-dropped"]


def test_a_history_that_opens_with_a_call_begins_with_the_next_question() -> None:
    """covers: C-03. Case 128."""
    found = view(
        answer("b", None, call("1")),
        user("c", "b", result("1")),
        answer("d", "c", text("done")),
        user("e", "d", text("next")),
    )
    assert shown(found) == [("user", ["next"])]


# -- C-04 to C-08 --------------------------------------------------------------------------------


def test_events_and_what_was_taken_back_never_reach_the_model() -> None:
    """covers: C-04."""
    found = view(
        user("a", None, text("one")),
        Record("p", "a", "event", content=(text("12 %"),)),
        answer("g", "p", text("wrong"), gone=True),
        answer("b", "g", text("right")),
    )
    assert shown(found) == [("user", ["one"]), ("assistant", ["right"])]


def test_refused_blocks_are_stripped_or_replaced_one_by_one() -> None:
    """covers: C-05."""
    picture = {"type": "image", "source": {}}
    seen = {**result("1"), "content": [text("a page"), picture]}
    found = view(
        user("a", None, text("see"), picture), answer("b", "a", call("1")), user("c", "b", seen),
        refused=frozenset(["image"]), replacements={"image": "[picture]"},
    )  # fmt: skip
    assert shown(found)[0] == ("user", ["see", "[picture]"])
    assert found.messages[2].content[0]["content"] == [text("a page"), text("[picture]")]
    assert shown(view(user("a", None, text("see"), picture), refused=frozenset(["image"]))) == [("user", ["see"])]


def test_a_result_of_nothing_but_refused_blocks_is_not_empty() -> None:
    """covers: C-05, C-03."""
    seen = {**result("1"), "content": [{"type": "image", "source": {}}]}
    found = view(
        user("a", None, text("go")), answer("b", "a", call("1")), user("c", "b", seen), refused=frozenset(["image"])
    )
    assert found.messages[2].content[0]["content"] == [text("[empty]")]


def test_pieces_of_one_answer_are_one_message_and_their_results_are_one() -> None:
    """covers: C-06, G-03."""
    found = view(
        user("a", None, text("go")),
        answer("b", "a", call("1"), reply="m"),
        user("c", "b", result("1")),
        answer("d", "c", call("2"), reply="m"),
        user("e", "d", result("2")),
    )
    assert shown(found) == [("user", ["go"]), ("assistant", ["1", "2"]), ("user", ["1", "2"])]


def test_messages_of_one_role_are_merged_and_empty_texts_vanish() -> None:
    """covers: C-06. Case 119."""
    found = view(user("a", None, text("one")), user("b", "a", text("")), user("c", "b", text("two")))
    assert shown(found) == [("user", ["one", "two"])]
    assert found.messages[0].ids == ("a", "c")


def test_answers_of_only_thinking_go_and_so_does_thinking_at_an_end() -> None:
    """covers: C-07. Dropping the last answer must not leave the one in front of it with thinking at its end."""
    found = view(
        user("a", None, text("one")),
        answer("b", "a", thinking()),
        user("c", "b", text("two")),
        answer("d", "c", thinking(), text("half"), thinking()),
        answer("e", "d", thinking(), reply="m"),
    )
    assert shown(found) == [("user", ["one", "two"]), ("assistant", ["thinking", "half"])]
    assert kinds(found) == ["thinking-dropped", "thinking-stripped"]


@pytest.mark.parametrize(
    ("record", "human"),
    [
        (user("a", None, text("hello")), True),
        (user("a", None, text("hello"), origin="channel"), True),
        (user("a", None, text("hello"), meta=True), False),
        (user("a", None, text("hello"), origin="hook"), False),
        (user("a", None, text("hello"), origin="unclassified"), False),
    ],
)  # fmt: skip
def test_what_counts_as_said_by_a_person(record: Record, human: bool) -> None:
    """covers: C-08."""
    assert view(record).messages[0].human is human


def test_results_are_never_said_by_a_person() -> None:
    """covers: C-08."""
    found = view(user("a", None, text("go")), answer("b", "a", call("1")), user("c", "b", result("1")))
    assert [message.human for message in found.messages] == [True, False, False]
