"""The targets that random programs are made for, with their forms from the shipped facts."""

from typing import NamedTuple

from promptc.ir.form import WireForm
from promptc.lowering.wire_form import wire_form
from promptc.providers.registry import provider


class IrTarget(NamedTuple):
    """What a program says of its target."""

    name: str
    wire: str
    form: WireForm


def ir_target(name: str) -> IrTarget:
    """A target as a program for it says it."""
    facts = provider(name)
    return IrTarget(facts.id, facts.format, wire_form(facts, None, marked=True))


ANTHROPIC = ir_target("anthropic")
TARGETS = tuple(
    ir_target(name)
    for name in (
        "anthropic",
        "bedrock-claude-invoke",
        "vertex-claude",
        "bedrock-claude",
        "bedrock-nova-converse",
        "openai-chat",
        "openai-chat-5.6",
        "openrouter",
        "vllm",
        "openai-responses",
        "openai-responses-5.6",
        "gemini-implicit",
    )
)
