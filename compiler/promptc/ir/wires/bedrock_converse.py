"""The Converse format as the reference interpreter writes it: markers are blocks, the model is in the address."""

from promptc.ir.interpret_json import RawJson
from promptc.ir.wires.dialect import (
    Dialect,
    Envelope,
    Part,
    Talk,
    Turn,
    call_of,
    image_source,
    only,
    opened,
    refuse,
    result_blocks,
    text_in,
)
from promptc.runtime.errors import InputError

_IMAGES = {"image/png": "png", "image/jpeg": "jpeg", "image/gif": "gif", "image/webp": "webp"}


def _tool(name: str, description: str, schema: RawJson, deferred: bool) -> Part:
    # The service takes no empty text here, and there is nothing in it to lose.
    told = {"description": description} if description else {}
    return {"toolSpec": {"name": name, **told, "inputSchema": {"json": schema}}}


def _text(text: str) -> Part:
    return {"text": text}


def _lower(turn: Turn, talk: Talk) -> list[Part]:
    if turn.native is not None:
        return talk.put_native(turn.native)
    parts: list[Part] = []
    for block, place, lasting in turn.each():
        talk.put(parts, _part(block, place, talk.target), lasting)
    return [{"role": turn.role, "content": parts}]


def _part(block: Part, place: str, target: str) -> Part:
    match block["type"]:
        case "text":
            only(block, ("type", "text"), place, target)
            return _text(block["text"])
        case "image":
            return _image(block, place, target)
        case "tool_use":
            found, name, arguments = call_of(block, place, target)
            return {"toolUse": {"toolUseId": found, "name": name, "input": arguments}}
        case "tool_result":
            return _result(block, place, target)
        case "thinking":
            only(block, ("type", "thinking", "signature"), place, target)
            text, signature = text_in(block, "thinking", place), text_in(block, "signature", place)
            return {"reasoningContent": {"reasoningText": {"text": text, "signature": signature}}}
        case "redacted_thinking":
            only(block, ("type", "data"), place, target)
            return {"reasoningContent": {"redactedContent": text_in(block, "data", place)}}
    raise refuse(block, place, target)


def _image(block: Part, place: str, target: str) -> Part:
    media, data = image_source(block, place, target)
    if media not in _IMAGES:
        raise InputError(f"{place}.source", f"`{target}` takes the data of a png, jpeg, gif or webp image")
    return {"image": {"format": _IMAGES[media], "source": {"bytes": data}}}


def _result(block: Part, place: str, target: str) -> Part:
    content: list[Part] = []
    for part, where in result_blocks(block, place, target):
        if part["type"] == "text":
            content.append(_text(part["text"]))
        elif part["type"] == "image":
            content.append(_image(part, where, target))
        else:
            raise refuse(part, where, target)
    result: Part = {"toolUseId": text_in(block, "tool_use_id", place), "content": content}
    if block.get("is_error"):
        result["status"] = "error"
    return {"toolResult": result}


def _whole(envelope: Envelope) -> Part:
    request = {**opened(envelope), "inferenceConfig": {"maxTokens": envelope.max_tokens}}
    if envelope.tools:
        request["toolConfig"] = {"tools": envelope.tools}
    if envelope.system:
        request["system"] = envelope.system
    return {**request, "messages": envelope.messages}


BEDROCK_CONVERSE = Dialect(_tool, _text, _lower, _whole)
