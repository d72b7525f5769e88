"""What the model and the provider at hand do not take: stripped block by block, or replaced (C-05, C-07)."""

from collections.abc import Sequence
from typing import Any

from promptc.runtime.state import Decision
from promptc.runtime.transcript.grouping import Group
from promptc.runtime.transcript.model import Abilities, Block

THINKING = ("thinking", "redacted_thinking")


def stripped(groups: Sequence[Group], abilities: Abilities, decisions: list[Decision]) -> None:
    """Drop or replace every block of a type that is refused, inside results too; drop empty texts."""
    for group in groups:
        group.content = [kept for block in group.content if (kept := _block(block, abilities, decisions)) is not None]


def _block(block: Block, abilities: Abilities, decisions: list[Decision]) -> Block | None:
    kind = str(block.get("type"))
    if kind in abilities.refused:
        instead = (abilities.replacements or {}).get(kind)
        decisions.append(Decision("block-stripped" if instead is None else "block-replaced", "", f"`{kind}`"))
        return None if instead is None else {"type": "text", "text": instead}
    if kind == "text" and not str(block.get("text", "")).strip():
        return None
    if kind != "tool_result":
        return block
    inner = block.get("content")
    if not isinstance(inner, list | tuple):
        return block
    kept: list[Any] = [part if not isinstance(part, dict) else _block(part, abilities, decisions) for part in inner]
    parts = [part for part in kept if part is not None]
    if parts == list(inner):
        return block
    return {**block, "content": parts or [{"type": "text", "text": "[empty]"}]}


def without_idle_thinking(groups: Sequence[Group], decisions: list[Decision]) -> None:
    """Strip thinking from the end of every answer; one that held nothing else is dropped.

    Where only the last answer is stripped, dropping has to come first, or the answer in front of a dropped one ends
    the conversation with thinking. Here every answer is treated alike: the one that is last in a request is not in
    the next, and its bytes must not change.
    """
    for group in groups:
        if group.role != "assistant":
            continue
        end = len(group.content)
        while end and group.content[end - 1].get("type") in THINKING:
            end -= 1
        if end < len(group.content):
            kind, why = ("thinking-stripped", "ends with it") if end else ("thinking-dropped", "holds nothing else")
            decisions.append(Decision(kind, "", f"`{group.ids[-1]}` {why}"))
            group.content = group.content[:end]
