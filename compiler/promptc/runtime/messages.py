"""What a caller passes as the conversation: read, checked, cache markers taken off."""

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

from promptc.runtime.checks import check_json, check_text
from promptc.runtime.errors import InputError
from promptc.runtime.escape import escape
from promptc.runtime.native import Native, NativeMessage, bare_native
from promptc.runtime.state import Decision, Work
from promptc.runtime.wire import Wire

HEAD = {"user": b'{"role":"user","content":[', "assistant": b'{"role":"assistant","content":['}
TEXT_HEAD = {role: head + b'{"type":"text","text":"' for role, head in HEAD.items()}

Block: TypeAlias = Mapping[str, Any]
Content: TypeAlias = str | list[Block] | NativeMessage


class Written:
    """A message of one text that is escaped already; a host keeps these instead of escaping its history every time.

    Attributes:
        role: `user` or `assistant`.
        content: The text.
        data: The whole message as JSON, in the form of `anthropic-messages`; other wires take the text out of it.
    """

    __slots__ = ("content", "data", "role")

    def __init__(self, role: str, content: str) -> None:
        if role not in TEXT_HEAD:
            raise InputError("role", "must be `user` or `assistant`")
        check_text(content, "content")
        self.role = role
        self.content = content
        self.data = TEXT_HEAD[role] + escape(content) + b'"}]}'

    def text(self) -> bytes:
        """The escaped text."""
        return self.data[len(TEXT_HEAD[self.role]) : -4]


Message: TypeAlias = Mapping[str, object] | Written | Native


def read_message(message: Message, at: int, work: Work, wire: Wire) -> tuple[str, Content]:
    """Role and content of a message; a content of one plain text block is given as its text."""
    if type(message) is Written:
        return message.role, message.content
    if type(message) is Native:
        return "native", bare_native(message.value, at, work, wire)
    if not isinstance(message, dict) or len(message) != 2 or "role" not in message or "content" not in message:
        raise InputError(f"messages[{at}]", "expected a mapping with exactly `role` and `content`")
    role, content = message["role"], message["content"]
    if role != "user" and role != "assistant":
        return _system(role, content, at, work, wire)
    if isinstance(content, str):
        return role, content
    if not isinstance(content, list | tuple):
        raise InputError(f"messages[{at}].content", "expected a text or a list of blocks")
    if len(content) == 1:
        block = content[0]
        if isinstance(block, dict) and tuple(block) == ("type", "text") and block["type"] == "text":
            text = block["text"]
            if isinstance(text, str):
                return role, text
    return role, [_block(block, f"messages[{at}].content[{index}]", work) for index, block in enumerate(content)]


def _system(role: object, content: object, at: int, work: Work, wire: Wire) -> tuple[str, Content]:
    where = f"messages[{at}].role"
    if role != "system":
        raise InputError(where, "must be `user` or `assistant`")
    if wire.turns == "never":
        reason = f"must be `user` or `assistant`: `{wire.target}` takes no system message in a conversation"
        raise InputError(where, reason)
    where = f"messages[{at}].content"
    if isinstance(content, str):
        check_text(content, where)
        return role, [{"type": "text", "text": content}]
    if not isinstance(content, list | tuple):
        raise InputError(where, "expected a text or a list of blocks")
    blocks = [_block(block, f"{where}[{index}]", work) for index, block in enumerate(content)]
    for index, block in enumerate(blocks):
        if block["type"] != "text":
            raise InputError(f"{where}[{index}]", "a system message holds nothing but texts")
    return role, blocks


def _block(block: object, where: str, work: Work) -> Block:
    if not isinstance(block, dict) or not isinstance(block.get("type"), str):
        raise InputError(where, "expected a mapping with a `type`")
    if block["type"] == "text" and not isinstance(block.get("text"), str):
        raise InputError(where, "a text block needs a `text`")
    check_json(block, where)
    kept = _unmarked(block) if "cache_control" in block else block
    inner = block.get("content")
    parts = inner if block["type"] == "tool_result" and isinstance(inner, list | tuple) else ()
    if any(isinstance(part, dict) and "cache_control" in part for part in parts):
        kept = {**kept, "content": [_unmarked(part) if isinstance(part, dict) else part for part in parts]}
    if kept is not block:
        work.decisions.append(Decision("marker-removed", "", f"{where} carried a cache marker"))
    return kept


def _unmarked(block: Block) -> Block:
    return {key: value for key, value in block.items() if key != "cache_control"}


def check_turns(turns: Sequence[tuple[str, Content]], wire: Wire) -> None:
    """Hold system messages in a conversation to the places where the target takes them."""
    for at, (role, _) in enumerate(turns):
        if role != "system":
            continue
        where = f"messages[{at}].role"
        front = next(((r, c) for r, c in reversed(turns[:at]) if r != "system"), None)
        behind = next((r for r, _ in turns[at:] if r != "system"), "")
        if front is not None and isinstance(front[1], list) and any(b["type"] == "tool_use" for b in front[1]):
            raise InputError(where, "a system message cannot stand between a call and its result")
        if wire.turns == "any":
            continue
        if front is None:
            raise InputError(where, f"`{wire.target}` takes no system message in front of a conversation")
        if front[0] == "assistant":
            raise InputError(where, f"`{wire.target}` takes a system message only behind one from the user")
        if behind == "user":
            raise InputError(where, f"`{wire.target}` takes a system message only in front of one from the assistant")
