"""Tokens that a provider adds by itself: what tools cost besides their definitions."""

from collections.abc import Iterable

from promptc.providers.model import Provider
from promptc.providers.wire.view import Block, as_mapping

_CLIENT = frozenset({"tool", "custom", "function", "toolSpec"})


def is_deferred(provider: Provider, tool: Block) -> bool:
    """Whether a tool is announced by name only, and so is no part of the prefix."""
    rules = provider.deferred_tools
    return rules is not None and not rules.in_prefix.value and as_mapping(tool.raw).get(rules.field) is True


def tool_frame(provider: Provider, tools: Iterable[Block]) -> int:
    """Tokens that the provider renders around a list of tools; 0 where there are none or nothing is known."""
    loaded = any(not is_deferred(provider, tool) for tool in tools)
    return int(provider.feature("tool_frame_tokens") or 0) if loaded else 0


def has_server_tools(tools: Iterable[Block]) -> bool:
    """Whether any tool is the provider's own: what it renders for those is not published and may be large."""
    return any(tool.kind not in _CLIENT for tool in tools)
