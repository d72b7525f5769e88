"""Which target a provider or a model of another tool stands for."""

import re
from collections.abc import Callable
from dataclasses import dataclass

_PROVIDERS = {
    "anthropic": "anthropic",
    "openai": "openai-chat",
    "openai:responses": "openai-responses",
    "azure": "azure-openai",
    "azureopenai": "azure-openai",
    "azure_openai": "azure-openai",
    "google": "gemini-implicit",
    "googleai": "gemini-implicit",
    "vertexai": "gemini-implicit",
    "vertex": "gemini-implicit",
    "gemini": "gemini-implicit",
    "bedrock": "bedrock-claude",
    "deepseek": "deepseek",
    "xai": "xai",
    "groq": "groq",
    "fireworks": "fireworks",
    "openrouter": "openrouter",
    "vllm": "vllm",
}
_MODELS = (
    (re.compile(r"claude"), "anthropic"),
    (re.compile(r"(?:chat)?gpt|o[0-9]\b|o[0-9]-|davinci"), "openai-chat"),
    (re.compile(r"gemini"), "gemini-implicit"),
    (re.compile(r"deepseek"), "deepseek"),
    (re.compile(r"grok"), "xai"),
)
FALLBACK = "anthropic"


@dataclass(frozen=True, slots=True)
class TargetGuess:
    """A target, and the reason why it is one; None where the file names it."""

    target: str
    reason: str | None


def guess_target(provider: str | None, model: str | None, writable: Callable[[str], bool]) -> TargetGuess:
    """The target of a prompt.

    Args:
        provider, model: As the file names them.
        writable: Whether an assembler can be written for a target.
    """
    named = _PROVIDERS.get((provider or "").lower())
    by_model = next((target for sign, target in _MODELS if model and sign.match(model.lower())), None)
    found = named or by_model
    if found is None:
        return TargetGuess(FALLBACK, "the file names no provider that promptc knows")
    if not writable(found):
        reason = f"the file is for `{found}`, which this version writes no assembler for"
        return TargetGuess(FALLBACK, reason)
    return TargetGuess(found, None if named else "it follows from the name of the model")
