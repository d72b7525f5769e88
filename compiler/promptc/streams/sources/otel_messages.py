"""Messages of `gen_ai` attributes, `{role, parts}`, as a request of the provider that they went to."""

from promptc.streams.json_value import JsonValue, encode, member
from promptc.streams.sources.members import first_of, made


def body_of(
    messages: list[JsonValue], system: JsonValue, tools: JsonValue, model: JsonValue, provider: JsonValue
) -> JsonValue:
    """A request body as near to what was sent as a span allows.

    Args:
        messages: `gen_ai.input.messages`.
        system: `gen_ai.system_instructions`.
        tools: `gen_ai.tool.definitions`.
        model: The model that was asked for.
        provider: Name of the provider; it decides the shape together with the model.
    """
    if _speaks_anthropic(model, provider):
        texts: list[JsonValue] | None = [_anthropic_part(part) for part in system] if isinstance(system, list) else None
        turns: list[JsonValue] = [
            (("role", _anthropic_role(member(m, "role"))), ("content", [_anthropic_part(p) for p in _parts(m)]))
            for m in messages
        ]
        return made(("model", model), ("tools", tools), ("system", texts or None), ("messages", turns))
    first: list[JsonValue] = []
    if isinstance(system, list) and system:
        first = [(("role", "system"), ("content", [_openai_part(part) for part in system]))]
    for message in messages:
        first += _openai_messages(message)
    return made(("model", model), ("tools", tools), ("messages", first))


def _speaks_anthropic(model: JsonValue, provider: JsonValue) -> bool:
    named = provider.lower() if isinstance(provider, str) else ""
    return "anthropic" in named or (isinstance(model, str) and "claude" in model.lower())


def _parts(message: JsonValue) -> list[JsonValue]:
    parts = member(message, "parts")
    return parts if isinstance(parts, list) else []


def _anthropic_role(role: JsonValue) -> JsonValue:
    return "user" if role == "tool" else role


def _anthropic_part(part: JsonValue) -> JsonValue:
    match member(part, "type"):
        case "text":
            return (("type", "text"), ("text", _content(part)))
        case "reasoning":
            return (("type", "thinking"), ("thinking", _content(part)))
        case "tool_call":
            name, given = member(part, "name"), member(part, "arguments")
            return made(("type", "tool_use"), ("id", member(part, "id")), ("name", name), ("input", given))
        case "tool_call_response":
            return made(("type", "tool_result"), ("tool_use_id", member(part, "id")), ("content", _response(part)))
    return part


def _openai_part(part: JsonValue) -> JsonValue:
    return (("type", "text"), ("text", _content(part))) if member(part, "type") == "text" else part


def _openai_messages(message: JsonValue) -> list[JsonValue]:
    parts = _parts(message)
    calls: list[JsonValue] = [_openai_call(part) for part in parts if member(part, "type") == "tool_call"]
    answers: list[JsonValue] = [
        made(("role", "tool"), ("tool_call_id", member(part, "id")), ("content", _response(part)))
        for part in parts
        if member(part, "type") == "tool_call_response"
    ]
    rest: list[JsonValue] = [
        _openai_part(part) for part in parts if member(part, "type") not in ("tool_call", "tool_call_response")
    ]
    if not rest and not calls:
        return answers
    said = made(("role", member(message, "role")), ("content", rest or None), ("tool_calls", calls or None))
    return [*answers, said]


def _openai_call(part: JsonValue) -> JsonValue:
    given = member(part, "arguments")
    text = given if isinstance(given, str) else encode(given)
    function = made(("name", member(part, "name")), ("arguments", text))
    return made(("id", member(part, "id")), ("type", "function"), ("function", function))


def _content(part: JsonValue) -> JsonValue:
    found = member(part, "content")
    return "" if found is None else found


def _response(part: JsonValue) -> JsonValue:
    found = first_of(part, "response", "result")
    return found if isinstance(found, str | list) else encode(found)
