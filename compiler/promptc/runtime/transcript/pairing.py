"""Every call has its result right behind it, and every result its call (C-03)."""

from collections.abc import Mapping, Sequence

from promptc.runtime.state import Decision
from promptc.runtime.transcript.grouping import Group
from promptc.runtime.transcript.model import Block


def without_repeated_calls(groups: Sequence[Group], decisions: list[Decision]) -> None:
    """Drop a call whose id was used before: a provider refuses two of the same id."""
    seen: set[object] = set()
    for group in groups:
        if group.role != "assistant":
            continue
        kept = []
        for block in group.content:
            name = block.get("id")
            if block.get("type") == "tool_use" and name in seen:
                decisions.append(Decision("call-repeated", "", f"`{name}` was called before"))
                continue
            if block.get("type") == "tool_use":
                seen.add(name)
            kept.append(block)
        group.content = kept


def paired(
    groups: Sequence[Group], settled: Mapping[str, str], missing: str, decisions: list[Decision]
) -> tuple[list[Group], dict[str, str]]:
    """Messages in which calls and results match.

    A result counts only right behind its call; one elsewhere, a second one and one of a settled call are dropped. A
    call without a result gets one that says so, unless the conversation ends with it: then the call is dropped too,
    since a request cannot end with it and a later one would have to say it differently.

    Args:
        settled: Calls that were given an answer in an earlier request, and that answer.
        missing: The answer to a call that never got one.

    Returns:
        The messages, and all settled calls.
    """
    now = dict(settled)
    result: list[Group] = []
    at = 0
    while at < len(groups):
        group = groups[at]
        calls = _calls(group)
        if not calls:
            _drop_results(group, frozenset(), decisions)
            result.append(group)
            at += 1
            continue
        answer = groups[at + 1] if at + 1 < len(groups) and groups[at + 1].role == "user" else None
        if answer is None:
            result.append(_without_calls(group, decisions))
            at += 1
            continue
        _settle(calls, answer, now, missing, decisions)
        result += (group, answer)
        at += 2
    return result, now


def _calls(group: Group) -> list[str]:
    if group.role != "assistant":
        return []
    return [str(block["id"]) for block in group.content if block.get("type") == "tool_use" and "id" in block]


def _settle(calls: Sequence[str], answer: Group, now: dict[str, str], missing: str, decisions: list[Decision]) -> None:
    """Give every call of a message exactly one result in the message behind it."""
    wanted = set(calls)
    given: dict[str, Block] = {}
    rest: list[Block] = []
    for block in answer.content:
        if block.get("type") != "tool_result":
            rest.append(block)
            continue
        name = str(block.get("tool_use_id"))
        if name not in wanted:
            decisions.append(Decision("result-dropped", "", f"no call `{name}` stands in front of it"))
        elif name in now:
            decisions.append(Decision("result-late", "", f"`{name}` was answered in an earlier request"))
        elif name in given:
            decisions.append(Decision("result-repeated", "", f"`{name}` has a result"))
        else:
            given[name] = block
    for name in calls:
        if name not in given:
            if name not in now:
                now[name] = missing
                decisions.append(Decision("result-missing", "", f"`{name}` never got one"))
            given[name] = {
                "type": "tool_result",
                "tool_use_id": name,
                "content": [{"type": "text", "text": now[name]}],
                "is_error": True,
            }
    answer.content = [*(given[name] for name in calls), *rest]


def _drop_results(group: Group, wanted: frozenset[str], decisions: list[Decision]) -> None:
    kept = []
    for block in group.content:
        if block.get("type") == "tool_result" and str(block.get("tool_use_id")) not in wanted:
            decisions.append(
                Decision("result-dropped", "", f"no call `{block.get('tool_use_id')}` stands in front of it")
            )
        else:
            kept.append(block)
    group.content = kept


def _without_calls(group: Group, decisions: list[Decision]) -> Group:
    for name in _calls(group):
        decisions.append(Decision("call-dropped", "", f"`{name}` ends the conversation without a result"))
    group.content = [block for block in group.content if block.get("type") != "tool_use"]
    return group
