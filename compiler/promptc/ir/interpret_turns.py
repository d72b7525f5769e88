"""What a caller passes as the conversation, read and checked, as the reference interpreter does it."""

from collections.abc import Mapping, Sequence
from typing import Any

from promptc.ir.interpret_inputs import check_json, check_text
from promptc.ir.interpret_state import Decision
from promptc.ir.wires.dialect import Part, Talk, Turn
from promptc.runtime.errors import InputError
from promptc.runtime.native import Native


def read_turn(talk: Talk, message: object, where: str) -> Turn:
    """One message, cache markers taken off.

    Raises:
        InputError: It has not the form of a message.
    """
    if isinstance(message, Native):
        return Turn("native", [], _bare_native(talk, message.value, where))
    if not isinstance(message, dict) or set(message) != {"role", "content"}:
        raise InputError(where, "expected a mapping with exactly `role` and `content`")
    role = message["role"]
    if role not in ("user", "assistant", "system"):
        raise InputError(f"{where}.role", "must be `user` or `assistant`")
    if role == "system" and talk.form.turns == "never":
        reason = f"must be `user` or `assistant`: `{talk.target}` takes no system message in a conversation"
        raise InputError(f"{where}.role", reason)
    content = message["content"]
    if isinstance(content, str):
        text = check_text(content, f"{where}.content")
        return Turn(role, [{"type": "text", "text": text}], places=[f"{where}.content"])
    if not isinstance(content, list | tuple):
        raise InputError(f"{where}.content", "expected a text or a list of blocks")
    places = [f"{where}.content[{at}]" for at in range(len(content))]
    blocks = [_block(talk, block, place) for block, place in zip(content, places, strict=True)]
    if role == "system":
        for block, place in zip(blocks, places, strict=True):
            if block["type"] != "text":
                raise InputError(place, "a system message holds nothing but texts")
    return Turn(role, blocks, places=places)


def _block(talk: Talk, block: object, where: str) -> Part:
    if not isinstance(block, dict) or not isinstance(block.get("type"), str):
        raise InputError(where, "expected a mapping with a `type`")
    if block["type"] == "text" and not isinstance(block.get("text"), str):
        raise InputError(where, "a text block needs a `text`")
    check_json(block, where)
    # In promptc's own form a marker has this name, whatever the target calls it.
    kept = _bare(block, "cache_control")
    if kept != block:
        talk.decisions.append(Decision("marker-removed", "", f"{where} carried a cache marker"))
    return kept


def _bare(block: Mapping[str, Any], field: str) -> Part:
    kept = {key: value for key, value in block.items() if key != field}
    inner = kept.get("content")
    if kept.get("type") == "tool_result" and isinstance(inner, list | tuple):
        kept["content"] = [
            {k: v for k, v in part.items() if k != field} if isinstance(part, dict) else part for part in inner
        ]
    return kept


def _bare_native(talk: Talk, message: Part, where: str) -> Part:
    marker = talk.form.marker
    if marker is None:
        return message
    kept = {key: value for key, value in message.items() if key != marker.field}
    for name in ("content", "output"):
        if isinstance(kept.get(name), list):
            kept[name] = [
                _bare(part, marker.field) if isinstance(part, dict) else part
                for part in kept[name]
                if not (marker.apart and isinstance(part, dict) and marker.field in part)
            ]
    if kept != message:
        talk.decisions.append(Decision("marker-removed", "", f"{where} carried a cache marker"))
    return kept


def check_turns(talk: Talk, turns: Sequence[Turn]) -> None:
    """Hold system messages in a conversation to the places where the target takes them.

    Raises:
        InputError: One stands elsewhere.
    """
    for at, turn in enumerate(turns):
        if turn.role != "system":
            continue
        where = f"messages[{at}].role"
        before = next((t for t in reversed(turns[:at]) if t.role != "system"), None)
        after = next((t for t in turns[at:] if t.role != "system"), None)
        if before is not None and any(block["type"] == "tool_use" for block in before.blocks):
            raise InputError(where, "a system message cannot stand between a call and its result")
        if talk.form.turns == "any":
            continue
        if before is None:
            raise InputError(where, f"`{talk.target}` takes no system message in front of a conversation")
        if before.role == "assistant":
            raise InputError(where, f"`{talk.target}` takes a system message only behind one from the user")
        if after is not None and after.role == "user":
            raise InputError(where, f"`{talk.target}` takes a system message only in front of one from the assistant")
