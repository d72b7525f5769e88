"""The lookback cache model beside LiteLLM's own prediction: where they agree, and every known place where not.

LiteLLM is no dependency of this project; where it is not installed, this module is skipped.
"""

import random
from typing import Any

import pytest

from promptc.providers.cache_model.lowered import request_of
from promptc.providers.cache_model.simulate import step
from promptc.providers.cache_model.values import EMPTY
from promptc.providers.checks.run import check_request
from promptc.providers.registry import provider
from promptc.providers.tokens import TokenCount

prediction = pytest.importorskip("litellm.llms.anthropic.prompt_cache_prediction", reason="litellm is not installed")

_FACTS = provider("anthropic")
_SIZE = 600  # tokens of every block, above every minimum of the model
_MARK: dict[str, Any] = {"type": "ephemeral"}
_LONG: dict[str, Any] = {"type": "ephemeral", "ttl": "1h"}


def _count(_: str) -> TokenCount:
    return TokenCount(_SIZE, "given", True)


def _ours(bodies: list[dict[str, Any]]) -> list[int]:
    """Blocks read by each request of a session."""
    state, read = EMPTY, []
    for body in bodies:
        found = step(request_of(body, _FACTS, _count), state, _FACTS)
        state = found.state
        read.append(0 if found.hit is None else found.hit + 1)
    return read


def _theirs(bodies: list[dict[str, Any]]) -> list[int | str]:
    """The same by LiteLLM's plan: the longest earlier entry among the fingerprints that a breakpoint looks back to."""
    stored: dict[str, int] = {}
    read: list[int | str] = []
    for body in bodies:
        plan = prediction.parse_cache_plan(body)
        if not isinstance(plan, prediction.PromptCachePlan):
            read.append(plan.reason)
            continue
        ends = [_blocks(point.prefix_body) for point in plan.breakpoints]
        seen = [stored[mark] for point in plan.breakpoints for mark in point.lookback_fingerprints if mark in stored]
        read.append(max(seen, default=0))
        for point, end in zip(plan.breakpoints, ends, strict=True):
            stored[point.fingerprint] = end
    return read


def _blocks(body: Any) -> int:
    spoken = sum(1 if isinstance(m["content"], str) else len(m["content"]) for m in body["messages"])
    return len(body.get("tools", ())) + len(body.get("system", ())) + spoken


def _text(text: str, mark: dict[str, Any] | None = None) -> dict[str, Any]:
    return {"type": "text", "text": text, **({"cache_control": mark} if mark else {})}


def _body(*messages: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"model": "claude-opus-5", "max_tokens": 10, **more, "messages": list(messages)}


def _said(role: str, *blocks: Any) -> dict[str, Any]:
    return {"role": role, "content": list(blocks)}


def _session(seed: int) -> list[dict[str, Any]]:
    """A growing session with markers of one lifetime, runs of calls and results, and now and then a lagging marker."""
    rng = random.Random(seed)
    messages: list[dict[str, Any]] = []
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


def _marked(messages: list[dict[str, Any]], rng: random.Random) -> list[dict[str, Any]]:
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
    assert _ours(bodies) == _theirs(bodies)


def test_an_entry_of_the_other_lifetime_is_read_here_and_not_there() -> None:
    """The vendor's page does not say; LiteLLM puts the lifetime into the key, promptc follows "same prefix, same key"."""
    bodies = [_body(_said("user", _text("a", _LONG))), _body(_said("user", _text("a", _MARK)))]
    assert (_ours(bodies), _theirs(bodies)) == ([0, 1], [0, 0])


def test_a_change_of_speed_keeps_the_tools_here_and_not_there() -> None:
    """The vendor's table keeps tools; LiteLLM puts the speed in front of everything."""
    tools = [{"name": "look", "description": "d", "input_schema": {"type": "object"}, "cache_control": _MARK}]
    first = _body(_said("user", _text("a")), tools=tools)
    bodies = [first, {**first, "speed": "fast"}]
    assert (_ours(bodies), _theirs(bodies)) == ([0, 1], [0, 0])


def test_both_take_an_automatic_marker_of_the_same_lifetime_and_refuse_another() -> None:
    same = _body(_said("user", _text("a", {**_MARK, "ttl": "5m"})), cache_control=_MARK)
    other = _body(_said("user", _text("a", _LONG)), cache_control=_MARK)
    assert _theirs([same, other]) == [0, "conflicting_cache_ttl"]
    assert [found.code for found in check_request(same, _FACTS)] == []
    assert [found.code for found in check_request(other, _FACTS)] == ["PC603"]


def test_two_turns_of_one_role_are_one_here_and_two_there() -> None:
    """The vendor combines turns of one role; LiteLLM keeps the message's index in the key."""
    bodies = [
        _body(_said("user", _text("a", _MARK)), _said("user", _text("b"))),
        _body(_said("user", _text("a"), _text("b", _MARK))),
    ]
    assert _ours(bodies)[1] == _theirs(bodies)[1] == 1
    merged = [_body(_said("user", _text("a")), _said("user", _text("b", _MARK))), bodies[1]]
    assert (_ours(merged), _theirs(merged)) == ([0, 2], [0, 0])
