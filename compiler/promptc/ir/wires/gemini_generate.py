"""The generateContent format as the reference interpreter writes it: parts, and results that name their tool."""

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


def _tool(name: str, description: str, schema: RawJson, deferred: bool) -> Part:
    return {"name": name, "description": description, "parametersJsonSchema": schema}


def _text(text: str) -> Part:
    return {"text": text}


def _lower(turn: Turn, talk: Talk) -> list[Part]:
    if turn.native is not None:
        _note_calls(turn.native, talk)
        return [turn.native]
    parts: list[Part] = []
    for block, place, lasting in turn.each():
        talk.put(parts, _part(block, place, talk), lasting)
    return [{"role": "model" if turn.role == "assistant" else "user", "parts": parts}]


def _note_calls(message: Part, talk: Talk) -> None:
    parts = message.get("parts")
    for part in parts if isinstance(parts, list) else ():
        call = part.get("functionCall") if isinstance(part, dict) else None
        if isinstance(call, dict) and isinstance(call.get("id"), str) and isinstance(call.get("name"), str):
            talk.called[call["id"]] = call["name"]


def _part(block: Part, place: str, talk: Talk) -> Part:
    match block["type"]:
        case "text":
            only(block, ("type", "text"), place, talk.target)
            return _text(block["text"])
        case "image":
            media, data = image_source(block, place, talk.target)
            if not media:
                raise InputError(f"{place}.source", f"`{talk.target}` takes the data of an image, not its address")
            return {"inlineData": {"mimeType": media, "data": data}}
        case "tool_use":
            found, name, arguments = call_of(block, place, talk.target)
            if not isinstance(arguments, dict):
                raise InputError(f"{place}.input", "expected a mapping")
            talk.called[found] = name
            return {"functionCall": {"id": found, "name": name, "args": arguments}}
        case "tool_result":
            return _result(block, place, talk)
    raise refuse(block, place, talk.target)


def _result(block: Part, place: str, talk: Talk) -> Part:
    texts: list[str] = []
    for part, where in result_blocks(block, place, talk.target):
        if part["type"] != "text":
            raise refuse(part, where, talk.target)
        texts.append(part["text"])
    found = text_in(block, "tool_use_id", place)
    if found not in talk.called:
        raise InputError(place, f"answers a call that is not in the conversation, and `{talk.target}` needs its name")
    said = (texts[0] if texts else "") if len(texts) < 2 else texts
    response = {"error" if block.get("is_error") else "output": said}
    return {"functionResponse": {"id": found, "name": talk.called[found], "response": response}}


def _whole(envelope: Envelope) -> Part:
    request = {**opened(envelope), "generationConfig": {"maxOutputTokens": envelope.max_tokens}}
    if envelope.tools:
        request["tools"] = [{"functionDeclarations": envelope.tools}]
    if envelope.system:
        request["systemInstruction"] = {"parts": envelope.system}
    return {**request, "contents": envelope.messages}


GEMINI_GENERATE = Dialect(_tool, _text, _lower, _whole)
