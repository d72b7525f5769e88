"""The Responses format as the reference interpreter writes it: one list of items, the system text first among them."""

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
    # Left out, `strict` would be true on this wire and false on every other.
    late = {"defer_loading": True} if deferred else {}
    tool = {"type": "function", "name": name, "description": description, "parameters": schema, "strict": False}
    return {**tool, **late}


def _text(text: str) -> Part:
    return {"type": "input_text", "text": text}


def _lower(turn: Turn, talk: Talk) -> list[Part]:
    if turn.native is not None:
        return talk.put_native(turn.native)
    return _assistant(turn, talk) if turn.role == "assistant" else _others(turn, talk)


def _others(turn: Turn, talk: Talk) -> list[Part]:
    out: list[Part] = []
    parts: list[Part] = []
    for block, place, lasting in turn.each():
        if block["type"] == "tool_result" and turn.role == "user":
            if parts:
                raise InputError(place, "a tool result must stand in front of everything else in its message")
            out.append(_result(block, place, talk))
        elif block["type"] == "text" or turn.role == "user":
            talk.put(parts, _part(block, place, talk), lasting)
        else:
            raise refuse(block, place, talk.target)
    if parts or not out:
        out.append({"role": talk.form.role if turn.role == "system" else "user", "content": parts})
    return out


def _part(block: Part, place: str, talk: Talk) -> Part:
    if block["type"] == "text":
        only(block, ("type", "text"), place, talk.target)
        return _text(block["text"])
    if block["type"] == "image":
        address = image_address(block, place, talk.target)
        return {"type": "input_image", "detail": "auto", "image_url": address}
    raise refuse(block, place, talk.target)


def _result(block: Part, place: str, talk: Talk) -> Part:
    output: list[Part] = []
    for part, where in result_blocks(block, place, talk.target):
        talk.put(output, _part(part, where, talk), True)
    flag_not_said(block, place, talk)
    if not output:
        output.append(_text(""))
    found = text_in(block, "tool_use_id", place)
    return {"type": "function_call_output", "call_id": found, "output": output}


def _assistant(turn: Turn, talk: Talk) -> list[Part]:
    out: list[Part] = []
    for block, place, _ in turn.each():
        if block["type"] == "text":
            only(block, ("type", "text"), place, talk.target)
            out.append({"role": "assistant", "content": block["text"]})
        elif block["type"] == "tool_use":
            found, name, arguments = call_of(block, place, talk.target)
            item = {"type": "function_call", "call_id": found, "name": name, "arguments": compact(arguments)}
            out.append(item)
        else:
            raise refuse(block, place, talk.target)
    return out


def _whole(envelope: Envelope) -> Part:
    request = {**opened(envelope), "max_output_tokens": envelope.max_tokens}
    if envelope.tools:
        request["tools"] = envelope.tools
    head = [{"role": envelope.form.role, "content": envelope.system}] if envelope.system else []
    return {**request, "input": [*head, *envelope.messages]}


OPENAI_RESPONSES = Dialect(_tool, _text, _lower, _whole)
