"""The spec of many targets, and a conversation that every one of them can say."""

from functools import cache
from typing import Any

from promptc.pipeline import Compilation
from promptc.runtime.errors import InputError
from support.specs import Prompt, Rendered, compile_spec, spec_text

SPEC = "many_targets/desk.promptc"
PROMPTS = (
    "desk",
    "desk_vertex",
    "desk_bedrock",
    "desk_converse",
    "desk_nova",
    "desk_chat",
    "desk_chat_marked",
    "desk_responses",
    "desk_responses_marked",
    "desk_openrouter",
    "desk_vllm",
    "desk_gemini",
)
INPUTS: dict[str, object] = {
    "shop_name": "Kite & Co",
    "rules": ["Returns within 30 days", "No gift cards by telephone"],
    "tools": [
        {"name": "find_order", "description": "Find an order.", "input_schema": {"type": "object", "properties": {}}}
    ],
    "customer": "Ada “the flyer”",
    "open_orders": 2,
    "hurry": True,
}
PICTURE = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "aGVsbG8="}}
CALL = {"type": "tool_use", "id": "call_1", "name": "find_order", "input": {"number": 7, "z": ["é", None]}}
RESULT = {"type": "tool_result", "tool_use_id": "call_1", "content": [{"type": "text", "text": "Shipped\ntoday."}]}
TURNS: tuple[list[dict[str, Any]], ...] = (
    [{"role": "user", "content": [{"type": "text", "text": "Where is my kite?"}, PICTURE]}],
    [
        {"role": "user", "content": [{"type": "text", "text": "Where is my kite?"}, PICTURE]},
        {"role": "assistant", "content": [{"type": "text", "text": "Let me look."}, CALL]},
        {"role": "user", "content": [RESULT]},
    ],
    [
        {"role": "user", "content": [{"type": "text", "text": "Where is my kite?"}, PICTURE]},
        {"role": "assistant", "content": [{"type": "text", "text": "Let me look."}, CALL]},
        {"role": "user", "content": [RESULT]},
        {"role": "assistant", "content": "It left today."},
        {"role": "user", "content": "Thank you."},
    ],
)


@cache
def _compiled() -> Compilation:
    # Nothing stands in front of the system text there, so it is known to be shorter than what is cached, and said so.
    nova = 'prompt desk_nova extends desk { target bedrock_nova_converse model "amazon.nova-pro-v1:0" }'
    return compile_spec(SPEC, {SPEC: f"{spec_text(SPEC)}\n{nova}\n"})


@cache
def prompt(name: str) -> Prompt:
    """A prompt of the spec, with one sample that holds `INPUTS`."""
    found = Prompt(_compiled(), name)
    found.samples["all"] = (INPUTS, [{"role": "user", "content": "Hello."}])
    return found


def requests(name: str, hurry: bool = True) -> list[Rendered]:
    """The requests of the conversation, each with the state of the one before.

    Args:
        hurry: Whether some of them end in a text that is in this request only.
    """
    out: list[Rendered] = []
    for at, messages in enumerate(TURNS):
        state = out[-1].state if out else None
        orders = (2, 3, 0)[at]
        out.append(prompt(name).render("all", messages, state, open_orders=orders, hurry=hurry and at != 1))
    return out


def refused(name: str, messages: list[dict[str, Any]]) -> str:
    """What the assembler of a prompt says about a conversation that it cannot say; empty when it can."""
    try:
        prompt(name).render("all", messages)
    except InputError as error:
        return str(error)
    return ""
