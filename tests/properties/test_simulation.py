"""What holds for every scenario, whatever happens in it."""

import os

from hypothesis import given, settings
from hypothesis import strategies as st

from promptc.report.simulation import Played
from promptc.traffic.run import play
from promptc.traffic.scenario import Event, Fork, Scenario, ToolRound, Turn, Words
from support.layouts import layout

_MANY = 2_000 if os.environ.get("PROMPTC_NIGHTLY") else 60

_TOOL = {"server": "s", "name": "find", "description": "Find.", "input_schema": {"type": "object"}}
_CHANGES = st.sampled_from(
    [
        {"set": {"cwd": "/srv/b"}},
        {"set": {"cwd": "/srv/a"}},
        {"set": {"answers": "german"}},
        {"set": {"tools": [_TOOL]}},
        {"set": {"tools": []}},
        {"set": {"model_id": "claude-sonnet-5-5"}},
        {"toggle": "plan_mode"},
        {"compact": {"summary": {"words": 30}}},
        {"resume": True},
        {"fork": {"user": {"words": 5}}},
    ]
).map(Event.model_validate)
_TAIL = st.sampled_from([{"toggle": "plan_mode"}, {"set": {"level": 2}}, {"set": {"level": 5}}, {"resume": True}]).map(
    Event.model_validate
)
_WORDS = st.integers(1, 80).map(lambda n: Words(words=n))
# A run of calls is one position, and so few rounds never outrun the lookback.
_TOOLS = st.lists(st.builds(ToolRound, calls=st.integers(1, 4), result=_WORDS, wait=st.integers(0, 40)), max_size=2)


def _scenarios(events: st.SearchStrategy[Event], gaps: st.SearchStrategy[int]) -> st.SearchStrategy[Scenario]:
    turn = st.builds(
        Turn,
        gap=gaps,
        before=st.lists(events, max_size=2).map(tuple),
        user=_WORDS,
        answer=_WORDS,
        tools=_TOOLS.map(tuple),
        repeat=st.integers(1, 2),
    )
    turns = st.lists(turn, min_size=1, max_size=6).filter(lambda found: not any(e.fork for e in found[0].before))
    return turns.map(lambda found: Scenario(turns=tuple(found)))


_ANY = _scenarios(_CHANGES, st.integers(0, 4_000))
_APPENDING = _scenarios(_TAIL, st.integers(0, 250))


def _main(played: tuple[Played, ...]) -> list[Played]:
    return [request for request in played if not request.fork]


@settings(max_examples=_MANY)
@given(_ANY)
def test_playing_twice_gives_the_same(scenario: Scenario) -> None:
    assert play(scenario, layout()) == play(scenario, layout())


@settings(max_examples=_MANY)
@given(_ANY, st.sampled_from(["anthropic", "vllm", "openai-chat", "llama-cpp", "deepseek", "gemini-implicit"]))
def test_promised_reads_are_never_more_than_possible_ones_and_nothing_is_lost_in_counting(
    scenario: Scenario, target: str
) -> None:
    for request in play(scenario, layout(target=target)):
        assert 0 <= request.certain.read <= request.best.read
        assert request.best.total == request.certain.total > 0
        assert min(request.best.written.values(), default=1) > 0
        assert request.best_cost <= request.certain_cost


@settings(max_examples=_MANY)
@given(_ANY)
def test_request_without_a_loss_read_all_that_was_there_and_one_with_a_loss_did_not(scenario: Scenario) -> None:
    for request in play(scenario, layout()):
        lost = request.left - request.best.read
        assert lost >= 0
        assert (request.loss.tokens if request.loss is not None else 0) == lost


@settings(max_examples=_MANY)
@given(_APPENDING)
def test_conversation_that_only_grows_within_the_lifetime_reads_ever_more(scenario: Scenario) -> None:
    played = play(scenario, layout())
    reads = [request.best.read for request in played]
    assert reads == sorted(reads)
    assert all(request.loss is None for request in played)


@settings(max_examples=_MANY)
@given(_ANY, st.data())
def test_resuming_anywhere_changes_nothing(scenario: Scenario, data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(scenario.turns) - 1))
    turn = scenario.turns[at]
    place = data.draw(st.integers(0, len(turn.before)))
    before = (*turn.before[:place], Event(resume=True), *turn.before[place:])
    turns = (*scenario.turns[:at], turn.model_copy(update={"before": before}), *scenario.turns[at + 1 :])
    resumed = play(Scenario(turns=turns), layout())
    assert [(r.best, r.loss, r.at) for r in resumed] == [(r.best, r.loss, r.at) for r in play(scenario, layout())]


@settings(max_examples=_MANY)
@given(_APPENDING, st.data())
def test_side_request_within_the_lifetime_changes_nothing_for_the_conversation(
    scenario: Scenario, data: st.DataObject
) -> None:
    at = data.draw(st.integers(0, len(scenario.turns) - 1))
    if at == 0:
        return
    turn = scenario.turns[at]
    forked = turn.model_copy(update={"before": (*turn.before, Event(fork=Fork()))})
    turns = (*scenario.turns[:at], forked, *scenario.turns[at + 1 :])
    with_fork = _main(play(Scenario(turns=turns), layout()))
    assert [r.best for r in with_fork] == [r.best for r in play(scenario, layout())]
