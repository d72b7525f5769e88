"""What happens between turns, and what it costs: every number follows from the one before it by the cache's rules."""

from itertools import pairwise

import pytest

from promptc.providers.cache_model.values import CacheBlock, CacheRequest
from promptc.providers.registry import provider
from promptc.report.simulation import Played
from promptc.traffic.run import translated
from support.layouts import AGENT, OPEN_MODEL, played, scenario

_TRACKER = "{server: tracker, name: find, description: Find., input_schema: {type: object}}"
_CONNECT = f"connect: {{input: tools, items: [{_TRACKER}]}}"


def _written(request: Played) -> int:
    return sum(request.best.written.values())


def _after(event: str, gap: str = "30s") -> Played:
    """The second request, after one event; the first is the usual one."""
    return played(f"gap: {gap}\nturns:\n- {{}}\n- before: [{{{event}}}]")[1]


def test_each_request_reads_exactly_what_the_one_before_left() -> None:
    requests = played("turns: [{repeat: 6}]")
    assert requests[0].best.read == 0 and requests[0].loss is None
    for before, now in pairwise(requests):
        assert now.best.read == now.left == before.best.read + _written(before)
        assert now.loss is None
    assert all(request.best == request.certain for request in requests)


def test_lifetimes_are_written_apart_and_the_longer_one_once() -> None:
    first, *others = played("turns: [{repeat: 3}]")
    assert set(first.best.written) == {"1h", "5m"}
    assert all(set(request.best.written) == {"5m"} for request in others)


@pytest.mark.parametrize(("gap", "alive"), [("299s", True), ("300s", False), ("9m", False)])
def test_gap_as_long_as_the_lifetime_loses_what_lives_that_long(gap: str, alive: bool) -> None:
    first, second = played(f"gap: {gap}\nturns: [{{repeat: 2}}]")
    if alive:
        assert second.loss is None and second.best.read == second.left
        return
    assert second.best.read == first.best.written["1h"]
    assert second.loss is not None and second.loss.kind == "expired"
    assert second.loss.tokens == first.best.written["5m"]


def test_gap_longer_than_every_lifetime_loses_everything() -> None:
    first, second = played("gap: 61m\nturns: [{repeat: 2}]")
    assert second.best.read == 0
    assert second.loss is not None and second.loss.tokens == _written(first)
    assert second.loss.reason == "the cache entry had expired: 1h 1m passed since the request before"


def test_every_hit_starts_the_lifetime_anew() -> None:
    requests = played("gap: 4m\nturns: [{repeat: 5}]")
    assert [request.at for request in requests] == [0, 240, 480, 720, 960]
    assert all(request.loss is None for request in requests)


def test_changed_directory_keeps_what_everybody_shares() -> None:
    second = _after("set: {cwd: /srv/b}")
    first = played("turns: [{}]")[0]
    assert second.best.read == first.best.written["1h"]
    assert second.loss is not None
    assert (second.loss.kind, second.loss.section) == ("changed", "place")
    assert "/srv/a" in second.loss.was and "/srv/b" in second.loss.now
    line = next(n for n, text in enumerate(AGENT.splitlines(), 1) if "section place" in text)
    assert second.loss.place.startswith(f"spec.promptc:{line}:")
    assert second.events == ("set `cwd`",)


def test_changed_language_is_seen_in_its_section() -> None:
    loss = _after("set: {answers: german}").loss
    assert loss is not None and loss.section == "place" and "german" in loss.now


def test_mode_that_is_announced_at_the_tail_costs_nothing() -> None:
    requests = played("turns:\n- {}\n- before: [{toggle: plan_mode}]\n- before: [{toggle: plan_mode}]\n- {}")
    assert [request.loss for request in requests] == [None] * 4
    assert [request.events for request in requests[1:3]] == [("`plan_mode` is on",), ("`plan_mode` is off",)]


def test_connected_server_loses_everything_and_its_going_finds_the_older_entry() -> None:
    first, second, third = played(
        f"turns:\n- {{}}\n- before: [{{{_CONNECT}}}]\n- before: [{{disconnect: {{input: tools, where: {{name: find}}}}}}]"
    )
    assert second.best.read == 0
    assert second.loss is not None and (second.loss.kind, second.loss.section) == ("appeared", "connected")
    assert third.loss is not None and (third.loss.kind, third.loss.section) == ("gone", "connected")
    assert third.best.read == _written(first)


def test_date_changes_in_the_first_request_after_midnight() -> None:
    requests = played('gap: 90s\nclock: {start: "2026-02-28T23:58", date: today}\nturns: [{repeat: 4}]')
    assert [request.loss is None for request in requests] == [True, True, False, True]
    loss = requests[2].loss
    assert loss is not None and loss.section == "date"
    assert "2026-02-28" in loss.was and "2026-03-01" in loss.now


def test_midnight_waits_for_the_day_to_end_and_no_longer() -> None:
    text = (
        'gap: 30s\nclock: {{start: "2026-01-01T{start}", date: today}}\nturns: [{{}}, {{before: [{{midnight: true}}]}}]'
    )
    assert [played(text.format(start=start))[1].at for start in ("23:58", "23:59:45", "00:00")] == [120, 30, 86_400]


def test_resuming_from_json_is_as_if_nothing_had_happened() -> None:
    steady = played("turns:\n- {}\n- before: [{toggle: plan_mode}]\n- {}\n- before: [{toggle: plan_mode}]\n- {}")
    resumed = played(
        "turns:\n- {}\n- before: [{toggle: plan_mode}, {resume: true}]\n- before: [{resume: true}]\n"
        "- before: [{resume: true}, {toggle: plan_mode}]\n- before: [{resume: true}]"
    )
    assert [request.best for request in resumed] == [request.best for request in steady]


def test_side_request_reads_the_prefix_and_leaves_no_trace() -> None:
    plain = played("turns: [{}, {}, {}]")
    forked = played('turns: [{}, {before: [{fork: {user: "Name it."}}]}, {}]')
    (side,) = [request for request in forked if request.fork]
    main = [request for request in forked if not request.fork]
    assert side.best.read == side.left == _written(plain[0])
    assert [request.best for request in main] == [request.best for request in plain]
    assert [request.left for request in main] == [request.left for request in plain]


def test_compaction_keeps_the_system_text_and_drops_the_messages() -> None:
    requests = played("turns:\n- {repeat: 3}\n- before: [{compact: {summary: {words: 50}}}]\n- {}")
    compacted, after = requests[3], requests[4]
    assert compacted.loss is not None and compacted.loss.kind == "rewritten"
    assert compacted.best.total < requests[2].best.total
    assert compacted.best.read == played("turns: [{user: x}]")[0].best.written["1h"] + _system_session(requests[0])
    assert after.loss is None and after.best.read == after.left


def _system_session(first: Played) -> int:
    """Tokens of the second system block: what a changed conversation still reads behind the shared block."""
    other = played('turns: [{user: "Other."}, {before: [{compact: {summary: "Short."}}]}]')[1]
    return other.best.read - first.best.written["1h"]


def test_other_model_has_a_cache_of_its_own_and_the_first_one_is_kept() -> None:
    requests = played(
        "turns:\n- {}\n- before: [{set: {model_id: claude-sonnet-5-5}}]\n- before: [{set: {model_id: claude-opus-5-5}}]"
    )
    assert requests[1].best.read == 0
    assert requests[1].loss is not None and requests[1].loss.kind == "model"
    assert requests[2].best.read == _written(requests[0])


def test_model_of_a_prompt_that_names_none_can_be_switched() -> None:
    requests = played(
        "model: claude-opus-5-5\nturns: [{}, {before: [{model: claude-sonnet-5-5}]}, {}]", module=OPEN_MODEL
    )
    assert [request.model for request in requests] == ["claude-opus-5-5", "claude-sonnet-5-5", "claude-sonnet-5-5"]
    assert [request.best.read > 0 for request in requests] == [False, False, True]


def test_tool_rounds_are_requests_of_their_turn() -> None:
    requests = played("turns:\n- tools: [{calls: 2, wait: 7s}, {wait: 3s}]\n- {}")
    assert [(request.turn, request.step, request.at) for request in requests] == [
        (1, 0, 0), (1, 1, 7), (1, 2, 10), (2, 0, 100)
    ]  # fmt: skip
    assert all(request.loss is None for request in requests)


def test_many_results_outrun_the_lookback_where_runs_are_not_one_position() -> None:
    text = "turns:\n- tools: [{calls: 25, result: {words: 5}}]"
    assert played(text)[1].loss is None
    loss = played(text, target="bedrock-claude-invoke")[1].loss
    assert loss is not None and loss.kind == "lookback"


def test_prompt_below_the_minimum_is_not_cached_and_says_so() -> None:
    module = OPEN_MODEL.replace("always look before you leap. ", "")
    requests = played("model: claude-opus-5-5\nturns: [{user: Hi, answer: Ho}, {user: Hi}]", module=module)
    assert [request.best.read + _written(request) for request in requests] == [0, 0]
    assert all(request.loss is not None and request.loss.kind == "minimum" for request in requests)


def test_prompt_below_the_minimum_of_an_implicit_cache_says_so_too() -> None:
    module = OPEN_MODEL.replace("always look before you leap. ", "")
    requests = played("model: gpt-4o\nturns: [{user: Hi}, {user: Hi}]", module=module, target="openai-chat")
    assert [r.left for r in requests] == [0, 0]
    assert {r.loss.reason for r in requests if r.loss} == {"prompts of fewer than 1,024 tokens are not cached"}


def test_cache_into_which_requests_put_nothing_loses_nothing() -> None:
    requests = played("turns: [{repeat: 3}]", target="gemini-explicit")
    assert [(r.best.read, r.left, r.loss) for r in requests] == [(0, 0, None)] * 3


def test_request_in_another_shape_has_the_other_order_and_the_other_markers() -> None:
    blocks = (
        CacheBlock(b"t", 1, "tools", marked=True, ttl="1h"),
        CacheBlock(b"s", 1, "system", marked=True, ttl="1h"),
        CacheBlock(b"m", 1, "messages", marked=True),
    )
    for name in ("vllm", "gemini-implicit", "bedrock-claude", "openai-chat"):
        rules = provider(name)
        seen = translated(CacheRequest(blocks), rules).blocks
        assert [block.lane for block in seen] == list(rules.prefix_order.value)
        assert {block.marked for block in seen} == {rules.marker is not None}
        assert {block.ttl for block in seen} <= {None, *(lifetime.name for lifetime in rules.lifetimes)}


def test_varied_inputs_change_every_turn_and_others_do_not() -> None:
    varied = played("vary: [level]\nturns: [{repeat: 3}]")
    steady = played("turns: [{repeat: 3}]")
    assert all(request.loss is None for request in varied)
    assert [v.best.total > s.best.total for v, s in zip(varied, steady, strict=True)] == [False, True, True]
    lost = played("vary: [answers]\nturns: [{repeat: 3}]")
    assert [request.loss is not None for request in lost] == [False, True, True]


def test_cache_that_promises_nothing_has_two_bounds() -> None:
    requests = played("turns: [{repeat: 3}]", target="vllm")
    assert [request.certain.read for request in requests] == [0, 0, 0]
    assert requests[1].best.read > 0 and requests[1].best.read % 16 == 0
    assert requests[1].certain_cost == requests[1].best.total > requests[1].best_cost


def test_same_cache_by_another_shape_keeps_the_markers_and_their_order() -> None:
    own = played("turns: [{repeat: 3}]")
    other = played("turns: [{repeat: 3}]", target="bedrock-claude")
    assert [request.best.read > 0 for request in other] == [request.best.read > 0 for request in own]


def test_repeat_counts_turns_and_has_the_events_once() -> None:
    requests = played("turns: [{}, {repeat: 3, before: [{set: {cwd: /srv/b}}]}]")
    assert [request.turn for request in requests] == [1, 2, 3, 4]
    assert [bool(request.events) for request in requests] == [False, True, False, False]


def test_gap_of_a_turn_goes_before_that_of_the_scenario() -> None:
    assert [r.at for r in played("gap: 10s\nturns: [{}, {gap: 1m}, {}]")] == [0, 60, 70]
    assert scenario("turns: [{}]").gap == 90


def test_what_a_side_request_was_told_is_not_held_to_have_been_said_to_the_conversation() -> None:
    plain = played("turns: [{}, {}, {}]")
    forked = played("turns: [{}, {before: [{toggle: plan_mode}, {fork: {}}, {toggle: plan_mode}]}, {}]")
    assert [request.best for request in forked if not request.fork] == [request.best for request in plain]


def test_after_a_compaction_the_tail_is_said_in_full_again() -> None:
    compacted = played(
        "turns: [{repeat: 2}, {before: [{toggle: plan_mode}]}, {user: Q., before: [{compact: {summary: S.}}]}]"
    )[-1]
    fresh = played("inputs: {plan_mode: true}\nturns: [{user: S., answer: Understood.}, {user: Q.}]")[-1]
    assert compacted.best.total == fresh.best.total


def test_midnight_is_that_of_the_day_it_is() -> None:
    requests = played(
        'clock: {start: "2026-01-01T12:00", date: today}\n'
        "turns: [{}, {gap: 1d}, {gap: 30s, before: [{midnight: true}]}]"
    )
    assert [request.at for request in requests] == [0, 86_400, 86_400 + 43_200]
