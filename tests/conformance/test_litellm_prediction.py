"""The lookback cache model beside LiteLLM's own prediction: where they agree, and every known place where not.

LiteLLM is no dependency of this project; where it is not installed, this module is skipped.
"""

import random
from typing import Any

import pytest

from promptc.providers.checks.run import check_request
from promptc.providers.registry import provider
from support.litellm_peer import Body, ours, peer, theirs

prediction = peer("litellm.llms.anthropic.prompt_cache_prediction")

_FACTS = provider("anthropic")
_MARK: Body = {"type": "ephemeral"}
_LONG: Body = {"type": "ephemeral", "ttl": "1h"}


def _text(text: str, mark: Body | None = None) -> Body:
    return {"type": "text", "text": text, **({"cache_control": mark} if mark else {})}


def _body(*messages: Body, **more: Any) -> Body:
    return {"model": "claude-opus-5", "max_tokens": 10, **more, "messages": list(messages)}


def _said(role: str, *blocks: Any) -> Body:
    return {"role": role, "content": list(blocks)}


def _session(seed: int) -> list[Body]:
    """A growing session with markers of one lifetime, runs of calls and results, and now and then a lagging marker."""
    rng = random.Random(seed)
    messages: list[Body] = []
    bodies = []
    for turn in range(rng.randint(2, 5)):
        messages.append(_said("user", *(_text(f"{turn} user {n}") for n in range(rng.choice([1, 2, 19, 20, 21])))))
        bodies.append(_body(*_marked(messages, rng), system=[_text("rules")]))
        calls = [
            {"type": "tool_use", "id": f"t{turn}_{n}", "name": "look", "input": {"n": n}}
            for n in range(rng.choice([0, 1, 3, 25]))
        ]
        messages.append(_said("assistant", _text(f"{turn} answer"), *calls))
        if calls:
            messages.append(
                _said("user", *({"type": "tool_result", "tool_use_id": call["id"], "content": "ok"} for call in calls))
            )
            bodies.append(_body(*_marked(messages, rng), system=[_text("rules")]))
            messages.append(_said("assistant", _text(f"{turn} done")))
    return bodies


def _marked(messages: list[Body], rng: random.Random) -> list[Body]:
    at = {len(messages) - 1, *([rng.randrange(len(messages))] if rng.random() < 0.4 else [])}
    return [
        {**message, "content": [*message["content"][:-1], {**message["content"][-1], "cache_control": _MARK}]}
        if index in at
        else message
        for index, message in enumerate(messages)
    ]


@pytest.mark.parametrize("seed", range(150))
def test_sessions_with_one_lifetime_are_predicted_alike(seed: int) -> None:
    bodies = _session(seed)
    assert ours(bodies) == theirs(prediction, bodies)


def test_an_entry_of_the_other_lifetime_is_read_here_and_not_there() -> None:
    """The vendor's page does not say; LiteLLM puts the lifetime into the key, promptc follows "same prefix, same key"."""
    bodies = [_body(_said("user", _text("a", _LONG))), _body(_said("user", _text("a", _MARK)))]
    assert (ours(bodies), theirs(prediction, bodies)) == ([0, 1], [0, 0])


def test_a_change_of_speed_keeps_the_tools_here_and_not_there() -> None:
    """The vendor's table keeps tools; LiteLLM puts the speed in front of everything."""
    tools = [{"name": "look", "description": "d", "input_schema": {"type": "object"}, "cache_control": _MARK}]
    first = _body(_said("user", _text("a")), tools=tools)
    bodies = [first, {**first, "speed": "fast"}]
    assert (ours(bodies), theirs(prediction, bodies)) == ([0, 1], [0, 0])


def test_both_take_an_automatic_marker_of_the_same_lifetime_and_refuse_another() -> None:
    same = _body(_said("user", _text("a", {**_MARK, "ttl": "5m"})), cache_control=_MARK)
    other = _body(_said("user", _text("a", _LONG)), cache_control=_MARK)
    assert theirs(prediction, [same, other]) == [0, "conflicting_cache_ttl"]
    assert [found.code for found in check_request(same, _FACTS)] == []
    assert [found.code for found in check_request(other, _FACTS)] == ["PC603"]


def test_two_turns_of_one_role_are_one_here_and_two_there() -> None:
    """The vendor combines turns of one role; LiteLLM keeps the message's index in the key."""
    bodies = [
        _body(_said("user", _text("a", _MARK)), _said("user", _text("b"))),
        _body(_said("user", _text("a"), _text("b", _MARK))),
    ]
    assert ours(bodies)[1] == theirs(prediction, bodies)[1] == 1
    merged = [_body(_said("user", _text("a")), _said("user", _text("b", _MARK))), bodies[1]]
    assert (ours(merged), theirs(prediction, merged)) == ([0, 2], [0, 0])
