"""The Chat Completions format as the reference interpreter writes it: calls and results are messages of their own."""

from promptc.ir.interpret_json import RawJson, compact
from promptc.ir.wires.dialect import (
    Dialect,
    Envelope,
    Part,
    Talk,
    Turn,
    call_of,
    flag_not_said,
    image_address,
    only,
    opened,
    refuse,
    result_blocks,
    text_in,
)
from promptc.runtime.errors import InputError


def _tool(name: str, description: str, schema: RawJson, deferred: bool) -> Part:
    return {"type": "function", "function": {"name": name, "description": description, "parameters": schema}}


def _text(text: str) -> Part:
    return {"type": "text", "text": text}


def _lower(turn: Turn, talk: Talk) -> list[Part]:
    if turn.native is not None:
        return talk.put_native(turn.native)
    return _assistant(turn, talk) if turn.role == "assistant" else _others(turn, talk)


def _others(turn: Turn, talk: Talk) -> list[Part]:
    out: list[Part] = []
    parts: list[Part] = []
    for block, place, lasting in turn.each():
        if block["type"] == "text":
            only(block, ("type", "text"), place, talk.target)
            talk.put(parts, _text(block["text"]), lasting)
        elif block["type"] == "image" and turn.role == "user":
            talk.put(parts, {"type": "image_url", "image_url": {"url": image_address(block, place, talk.target)}}, True)
        elif block["type"] == "tool_result" and turn.role == "user":
            if parts:
                raise InputError(place, "a tool result must stand in front of everything else in its message")
            out.append(_result(block, place, talk))
        else:
            raise refuse(block, place, talk.target)
    if parts or not out:
        out.append({"role": talk.form.role if turn.role == "system" else "user", "content": parts})
    return out


def _result(block: Part, place: str, talk: Talk) -> Part:
    content: list[Part] = []
    for part, where in result_blocks(block, place, talk.target):
        if part["type"] != "text":
            raise refuse(part, where, talk.target)
        talk.put(content, _text(part["text"]), True)
    flag_not_said(block, place, talk)
    if not content:
        content.append(_text(""))
    return {"role": "tool", "tool_call_id": text_in(block, "tool_use_id", place), "content": content}


def _assistant(turn: Turn, talk: Talk) -> list[Part]:
    parts: list[Part] = []
    calls: list[Part] = []
    for block, place, lasting in turn.each():
        if block["type"] == "text":
            only(block, ("type", "text"), place, talk.target)
            if calls:
                raise InputError(place, f"`{talk.target}` has no place for a text behind a call")
            talk.put(parts, _text(block["text"]), lasting)
        elif block["type"] == "tool_use":
            found, name, arguments = call_of(block, place, talk.target)
            calls.append({"id": found, "type": "function", "function": {"name": name, "arguments": compact(arguments)}})
        else:
            raise refuse(block, place, talk.target)
    message: Part = {"role": "assistant"}
    if parts or not calls:
        message["content"] = parts
    if calls:
        message["tool_calls"] = calls
    return [message]


def _whole(envelope: Envelope) -> Part:
    request = {**opened(envelope), envelope.form.limit_field: envelope.max_tokens}
    if envelope.tools:
        request["tools"] = envelope.tools
    head = [{"role": envelope.form.role, "content": envelope.system}] if envelope.system else []
    return {**request, "messages": [*head, *envelope.messages]}


OPENAI_CHAT = Dialect(_tool, _text, _lower, _whole)
