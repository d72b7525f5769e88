"""Tells the shape of a request from its members; what decided is said in the result."""

from promptc.streams.json_value import JsonObject, JsonValue, has_member, member


def detect_format(body: JsonObject) -> str | None:
    """Name of the shape of a request body, None when it is none that promptc knows.

    Members that only one shape has decide first; the rest is told by how tools, system text and content look.
    """
    if has_member(body, "contents"):
        return "gemini-generate"
    if has_member(body, "input") or (has_member(body, "instructions") and not has_member(body, "messages")):
        return "openai-responses"
    if not has_member(body, "messages"):
        return None
    if any(has_member(body, name) for name in ("toolConfig", "inferenceConfig", "guardrailConfig")):
        return "bedrock-converse"
    if has_member(body, "anthropic_version"):
        return "anthropic-messages"
    votes = [_system_vote(member(body, "system")), _tool_vote(member(body, "tools"))]
    votes += _message_votes(member(body, "messages"))
    found = next((vote for vote in votes if vote is not None), None)
    if found is not None:
        return found
    # Only this shape has to carry a bound on the answer; a bare list of turns is the older, wider spread one.
    return "anthropic-messages" if has_member(body, "max_tokens") and _is_claude(body) else "openai-chat"


def _is_claude(body: JsonObject) -> bool:
    model = member(body, "model")
    return not isinstance(model, str) or model.startswith("claude")


def _system_vote(system: JsonValue) -> str | None:
    if isinstance(system, list) and system:
        return "anthropic-messages" if has_member(system[0], "type") else "bedrock-converse"
    return "anthropic-messages" if isinstance(system, str) else None


def _tool_vote(tools: JsonValue) -> str | None:
    if not isinstance(tools, list) or not tools:
        return None
    first = tools[0]
    if has_member(first, "input_schema") or (has_member(first, "name") and has_member(first, "type")):
        return "anthropic-messages"
    return "openai-chat" if has_member(first, "function") else None


_ANTHROPIC_BLOCKS = ("tool_use", "tool_result", "thinking", "redacted_thinking", "document", "image", "server_tool_use")
_CONVERSE_BLOCKS = ("toolUse", "toolResult", "cachePoint", "reasoningContent")


def _message_votes(messages: JsonValue) -> list[str | None]:
    votes: list[str | None] = []
    for message in messages if isinstance(messages, list) else []:
        if member(message, "role") in ("tool", "developer", "function") or has_member(message, "tool_calls"):
            return ["openai-chat"]
        content = member(message, "content")
        for block in content if isinstance(content, list) else []:
            kind = member(block, "type")
            if kind in _ANTHROPIC_BLOCKS:
                return ["anthropic-messages"]
            if kind in ("image_url", "input_audio", "refusal"):
                return ["openai-chat"]
            if isinstance(block, tuple) and kind is None and any(has_member(block, n) for n in _CONVERSE_BLOCKS):
                return ["bedrock-converse"]
            if isinstance(block, tuple) and kind is None and has_member(block, "text"):
                votes.append("bedrock-converse")
    first = messages[0] if isinstance(messages, list) and messages else None
    if member(first, "role") == "system":
        votes.append("openai-chat")
    return votes
