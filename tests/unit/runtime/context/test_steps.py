"""Each step of the context pipeline, by its requirement."""

from dataclasses import replace
from typing import Any

import pytest

from promptc.runtime.context.compaction import CompactWhenFull, Restore, Restored, boundary_record, failed
from promptc.runtime.context.microcompact import CLEARED, ClearInCache, ClearWhenIdle
from promptc.runtime.context.model import ContextState, Moment, Step, Talk, estimated_tokens, run
from promptc.runtime.context.result_budget import ResultBudget, preview
from promptc.runtime.context.server_side import ClearThinking
from promptc.runtime.transcript.model import ViewMessage

NOW = Moment(now=10_000, window=200_000)


def text(words: str) -> dict[str, Any]:
    return {"type": "text", "text": words}


def round_of(*results: tuple[str, str], at: int = 0, tool: str = "look") -> tuple[ViewMessage, ViewMessage]:
    """An answer that calls, and the results."""
    calls = tuple({"type": "tool_use", "id": name, "name": tool, "input": {}} for name, _ in results)
    seen = tuple({"type": "tool_result", "tool_use_id": name, "content": [text(words)]} for name, words in results)
    return ViewMessage("assistant", calls, ("x",), at), ViewMessage("user", seen, ("y",), at)


def talk(*messages: ViewMessage, state: ContextState | None = None) -> Talk:
    return Talk((ViewMessage("user", (text("go"),), ("a",)), *messages), state or ContextState())


def results(found: Talk) -> dict[str, str]:
    return {
        b["tool_use_id"]: "".join(p["text"] for p in b["content"])
        for m in found.messages
        for b in m.content
        if b["type"] == "tool_result"
    }


# -- G-02 ----------------------------------------------------------------------------------------

SMALL = ResultBudget(chars=100, preview_bytes=10, template="[{size} at {place}: {preview}]")


def test_the_largest_fresh_results_are_replaced_until_the_rest_fits() -> None:
    """covers: G-02, G-03. The budget is that of one message as it goes over the wire."""
    found = SMALL(talk(*round_of(("1", "a" * 40), ("2", "b" * 90), ("3", "c" * 30))), NOW)
    assert results(found) == {"1": "a" * 40, "2": "[90 at results/2: bbbbbbbbbb]", "3": "c" * 30}
    assert found.store == (("2", "b" * 90),)
    assert found.state.replaced == {"1": None, "2": "[90 at results/2: bbbbbbbbbb]", "3": None}


def test_what_was_decided_about_a_result_is_final() -> None:
    """covers: G-02. A result that was shown whole stays; a replacement keeps its words when the template changes."""
    first = SMALL(talk(*round_of(("1", "a" * 60), ("2", "b" * 95))), NOW)
    assert results(first) == {"1": "a" * 60, "2": "[95 at results/2: bbbbbbbbbb]"}
    other = replace(SMALL, chars=10, template="[other {place}]")
    again = other(talk(*round_of(("1", "a" * 60), ("2", "b" * 95)), state=first.state), NOW)
    assert results(again) == results(first)
    assert again.store == ()


def test_frozen_results_that_exceed_the_budget_alone_are_accepted() -> None:
    """covers: G-02."""
    state = ContextState(replaced={"1": None})
    found = SMALL(talk(*round_of(("1", "a" * 150), ("2", "b" * 60)), state=state), NOW)
    assert results(found)["1"] == "a" * 150
    assert [d.kind for d in found.decisions] == ["result-stored", "budget-exceeded"]


def test_tools_without_a_limit_and_results_with_images_are_left_alone() -> None:
    """covers: G-02."""
    unlimited = replace(SMALL, unlimited=frozenset(["look"]))
    assert results(unlimited(talk(*round_of(("1", "a" * 150))), NOW)) == {"1": "a" * 150}
    picture = {"type": "tool_result", "tool_use_id": "1", "content": [text("a" * 150), {"type": "image"}]}
    message = ViewMessage("user", (picture,), ("y",))
    assert SMALL(talk(message), NOW).messages[1] == message


def test_braces_in_a_result_are_not_filled_in() -> None:
    """covers: G-02, I-01. One pass: what was filled in is not looked at again."""
    found = SMALL(talk(*round_of(("1", "{place}{x}" * 20))), NOW)
    assert results(found)["1"] == "[200 at results/1: {place}{x}]"


@pytest.mark.parametrize(
    ("words", "limit", "head"),
    [
        ("short", 10, "short"),
        ("aaaa\nbbbbbbb", 6, "aaaa\n"),
        ("a\nbbbbbbbbbbb", 6, "a\nbbbb"),
        ("ééééé", 5, "éé"),
        ("aaaaa", 5, "aaaaa"),
    ],
)
def test_a_preview_ends_at_a_line_of_its_second_half_and_never_inside_a_character(
    words: str, limit: int, head: str
) -> None:
    """covers: G-02."""
    assert preview(words, limit) == head


# -- G-05, G-06 ----------------------------------------------------------------------------------

ROUNDS = (*round_of(("1", "one"), at=1), *round_of(("2", "two"), at=2), *round_of(("3", "three"), at=3))
IDLE = ClearWhenIdle(idle=5_000, keep=1)


def test_old_results_are_cleared_once_the_conversation_was_idle() -> None:
    """covers: G-05."""
    found = IDLE(talk(*ROUNDS), NOW)
    assert results(found) == {"1": CLEARED, "2": CLEARED, "3": "three"}
    assert [d.kind for d in found.decisions] == ["results-cleared"]


def test_results_stay_while_the_cache_is_warm_and_stay_cleared_later() -> None:
    """covers: G-05."""
    assert results(IDLE(talk(*ROUNDS), replace(NOW, now=100))) == {"1": "one", "2": "two", "3": "three"}
    cleared = IDLE(talk(*ROUNDS), NOW).state
    assert results(IDLE(talk(*ROUNDS, state=cleared), replace(NOW, now=100)))["1"] == CLEARED


def test_clearing_in_place_resets_what_was_deleted_in_the_cache() -> None:
    """covers: G-05."""
    state = ContextState(edits=((3, ("1",)),))
    assert IDLE(talk(*ROUNDS, state=state), NOW).state.edits == ()


def test_only_named_tools_are_cleared() -> None:
    """covers: G-05."""
    named = replace(IDLE, tools=frozenset(["other"]))
    assert results(named(talk(*ROUNDS), NOW))["1"] == "one"


def test_results_are_deleted_in_the_cache_and_stay_in_the_messages() -> None:
    """covers: G-06. The edit is pinned where it was made and repeated."""
    step = ClearInCache(count=2, keep=1)
    able = replace(NOW, cache_editing=True)
    first = step(talk(*ROUNDS), able)
    assert first.messages == talk(*ROUNDS).messages
    assert first.state.edits == ((7, ("1", "2")),)
    more = step(talk(*ROUNDS, *round_of(("4", "four")), *round_of(("5", "five")), state=first.state), able)
    assert more.state.edits == ((7, ("1", "2")), (11, ("3", "4")))


@pytest.mark.parametrize("moment", [NOW, replace(NOW, cache_editing=True, side_request=True)])
def test_nothing_is_deleted_where_the_provider_cannot_or_beside_the_conversation(moment: Moment) -> None:
    """covers: G-06."""
    assert ClearInCache(count=2, keep=1)(talk(*ROUNDS), moment).state.edits == ()


# -- G-08, G-09, F -------------------------------------------------------------------------------


def full(tokens: int, **state: Any) -> Talk:
    return Talk((ViewMessage("user", (text("x" * 4 * tokens),), ("a",)),), ContextState(**state))


STEP = CompactWhenFull(reserve=20_000, ahead=13_000, block_ahead=3_000)


@pytest.mark.parametrize(("tokens", "wish"), [(166_900, ""), (167_100, "compact")])
def test_a_summary_is_wished_for_at_the_threshold(tokens: int, wish: str) -> None:
    """covers: G-08. 200,000 - 20,000 - 13,000 tokens."""
    assert estimated_tokens(full(tokens).messages) == tokens + 1
    assert STEP(full(tokens), NOW).wish == wish


@pytest.mark.parametrize(("tokens", "wish"), [(176_000, ""), (177_100, "stop")])
def test_without_automatic_compaction_a_request_is_stopped_at_its_end(tokens: int, wish: str) -> None:
    """covers: G-08. 200,000 - 20,000 - 3,000 tokens."""
    assert replace(STEP, automatic=False)(full(tokens), NOW).wish == wish


def test_what_was_snipped_does_not_count() -> None:
    """covers: G-04, G-08."""
    assert STEP(replace(full(170_000), freed=5_000), NOW).wish == ""


def test_no_summary_is_tried_after_three_failures_nor_for_its_own_request() -> None:
    """covers: G-08."""
    state = failed(failed(failed(ContextState(cleared=("1",)))))
    assert state.cleared == ("1",)
    broken = STEP(replace(full(170_000), state=state), NOW)
    assert (broken.wish, [d.kind for d in broken.decisions]) == ("", ["compaction-withheld"])
    assert STEP(full(170_000), replace(NOW, own_request=True)).wish == ""


def test_a_boundary_keeps_what_was_discovered() -> None:
    """covers: B-02, F-01."""
    record = boundary_record("b", "a", "so far", 7, ["x"], ["search"])
    assert (record.kind, record.preserved, record.data) == ("boundary", ("x",), {"discovered": ["search"]})


def test_things_come_back_within_their_budgets() -> None:
    """covers: F-01, F-02. Too long becomes a reference, past the total too, past the number nothing."""
    restore = Restore(newest=4, each=10, total=15)
    found = restore([("a", "a" * 40), ("b", "b" * 44), ("c", "c" * 40), ("d", "d" * 20), ("e", "e")])
    assert found == (Restored("a", "a" * 40), Restored("b", None), Restored("c", None), Restored("d", "d" * 20))
    cut = Restore(newest=4, each=10, total=15, cut="…")
    assert cut([("b", "b" * 44)]) == (Restored("b", "b" * 40 + "…"),)


def test_the_provider_is_asked_to_keep_one_turn_of_thinking_when_idle() -> None:
    """covers: G-09."""
    step = ClearThinking(idle=5_000)
    assert step.edit(talk(*ROUNDS), NOW)["keep"] == {"type": "thinking_turns", "value": 1}
    assert step.edit(talk(*ROUNDS), replace(NOW, now=100))["keep"] == "all"


# -- G-11 ----------------------------------------------------------------------------------------

STEPS: tuple[Step, ...] = (SMALL, IDLE, ClearInCache(count=2, keep=1), STEP)


@pytest.mark.parametrize("step", STEPS, ids=lambda step: type(step).__name__)
def test_a_step_does_what_it_says_of_itself(step: Step) -> None:
    """covers: G-11."""
    before = talk(*ROUNDS, *round_of(("4", "x" * 200)))
    after = step(before, replace(NOW, cache_editing=True))
    assert after != before or isinstance(step, CompactWhenFull)
    assert (results(after) == results(before)) or step.effect.results
    assert len(after.messages) == len(before.messages) or step.effect.messages
    assert not after.store or step.effect.storage
    sent, now = before.messages[:-1], after.messages[:-1]
    assert sent == now or step.effect.prefix == "rewrites"


def test_the_steps_run_in_their_order() -> None:
    """covers: G-10. What a step replaced is what the next one sees."""
    found = run(STEPS, talk(*ROUNDS, *round_of(("4", "x" * 200))), NOW)
    assert results(found)["1"] == CLEARED
    assert "results/4" in results(found)["4"]
