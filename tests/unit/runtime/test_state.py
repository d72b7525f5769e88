"""The state of a conversation: stored, read back, and refused when it is something else."""

import pytest

from promptc.runtime.errors import InputError
from promptc.runtime.state import Logged, State, Work

FULL = State("p", (("mode", "on"),), (("memory", None, "m“\n"), ("memory", "k", "")), (Logged(1, ("a", "b"), "text"),))


def test_a_state_comes_back_as_it_was() -> None:
    assert State.from_json(FULL.to_json()) == FULL
    assert State.from_json(State().to_json().encode()) == State()


def test_the_text_of_a_state_is_one_line_in_a_fixed_form() -> None:
    assert FULL.to_json() == (
        '{"format":"promptc.state/1","program":"p","sent":[["mode","on"]],'
        '"frozen":[["memory",null,"m“\\n"],["memory","k",""]],"log":[[1,["a","b"],"text"]]}'
    )


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{}",
        '{"format":"promptc.state/2"}',
        FULL.to_json().replace("[1,", '["1",'),
        FULL.to_json().replace("[1,", "[0,"),
        FULL.to_json().replace("[1,", "[true,"),
        FULL.to_json().replace('"on"', "1"),
        FULL.to_json().replace('"text"', '"\\ud800"'),
        "[" * 100_000,
    ],
)
def test_a_text_that_is_no_state_is_refused(text: str) -> None:
    with pytest.raises(InputError, match=r"^state: "):
        State.from_json(text)


def test_after_compaction_what_was_frozen_stays_and_what_was_appended_is_gone() -> None:
    assert FULL.compacted() == State("p", (), FULL.frozen, ())


def test_a_delta_goes_through_its_states() -> None:
    work = Work(State(), "p", ("mode",), ())

    assert [work.change("mode", text) for text in (None, "a", "a", "b", None, None, "", None)] == [
        "same",
        "first",
        "same",
        "changed",
        "gone",
        "same",
        "first",
        "gone",
    ]


def test_sections_that_the_program_no_longer_has_are_forgotten() -> None:
    work = Work(FULL, "other", (), ())

    assert work.state() == State("other", (), (), FULL.log)
    assert [decision.kind for decision in work.decisions] == ["state-of-other-program"]
