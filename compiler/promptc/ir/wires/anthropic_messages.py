"""The Messages format as the reference interpreter writes it: promptc's own form of a conversation, with markers."""

from promptc.ir.interpret_json import RawJson
from promptc.ir.wires.dialect import Dialect, Envelope, Part, Talk, Turn, opened


def _tool(name: str, description: str, schema: RawJson, deferred: bool) -> Part:
    late = {"defer_loading": True} if deferred else {}
    return {"name": name, "description": description, "input_schema": schema, **late}


def _text(text: str) -> Part:
    return {"type": "text", "text": text}


def _lower(turn: Turn, talk: Talk) -> list[Part]:
    if turn.native is not None:
        return talk.put_native(turn.native)
    parts: list[Part] = []
    for block, _, lasting in turn.each():
        talk.put(parts, block, lasting)
    return [{"role": turn.role, "content": parts}]


def _whole(envelope: Envelope) -> Part:
    request = {**opened(envelope), "max_tokens": envelope.max_tokens}
    if envelope.tools:
        request["tools"] = envelope.tools
    if envelope.system:
        request["system"] = envelope.system
    return {**request, "messages": envelope.messages}


ANTHROPIC_MESSAGES = Dialect(_tool, _text, _lower, _whole)
