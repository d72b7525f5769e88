"""Tells the shape of a request from its members; what decided is said in the result."""

from dataclasses import dataclass

from promptc.streams.json_value import JsonObject, JsonValue, has_member, member


@dataclass(frozen=True, slots=True)
class Detection:
    """A shape, and whether the body could be no other.

    Attributes:
        name: Name of the shape.
        sure: False where the body is written alike in several shapes: turns of plain strings, say.
    """

    name: str
    sure: bool


def detect_format(body: JsonObject) -> Detection | None:
    """The shape of a request body, None when it is none that promptc knows.

    Members that only one shape has decide first; the rest is told by how tools, system text and content look.
    """
    if has_member(body, "contents"):
        return Detection("gemini-generate", True)
    if has_member(body, "input") or (has_member(body, "instructions") and not has_member(body, "messages")):
        return Detection("openai-responses", True)
    if not has_member(body, "messages"):
        return None
    if any(has_member(body, name) for name in ("toolConfig", "inferenceConfig", "guardrailConfig")):
        return Detection("bedrock-converse", True)
    if has_member(body, "anthropic_version"):
        return Detection("anthropic-messages", True)
    votes = [_system_vote(member(body, "system")), _tool_vote(member(body, "tools"))]
    votes += _message_votes(member(body, "messages"))
    found = next((vote for vote in votes if vote is not None), None)
    return Detection(found, True) if found is not None else Detection(_guess(body), False)


def _guess(body: JsonObject) -> str:
    """The likelier shape of turns that say nothing: by the name of the model, else the more widely spread one."""
    model = member(body, "model")
    vendor = isinstance(model, str) and model.startswith("claude")
    # Only one shape has to carry a bound on the answer.
    bound = model is None and has_member(body, "max_tokens")
    return "anthropic-messages" if vendor or bound else "openai-chat"


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
