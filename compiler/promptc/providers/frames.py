"""What a provider adds by itself: tokens around tools, and the place of its automatic marker."""

from collections.abc import Iterable

from promptc.providers.model import Provider
from promptc.providers.wire.view import Block, View, as_mapping

_CLIENT = frozenset({"tool", "custom", "function", "toolSpec"})


def is_deferred(provider: Provider, tool: Block) -> bool:
    """Whether a tool is announced by name only, and so is no part of the prefix."""
    rules = provider.deferred_tools
    return rules is not None and not rules.in_prefix.value and as_mapping(tool.raw).get(rules.field) is True


def automatic_end(provider: Provider, view: View) -> Block | None:
    """The block that an automatic marker falls on: the last that may carry one and is not blank."""
    barred = provider.marker.must_not_carry.value if provider.marker else ()
    for block in reversed(view.blocks(provider.prefix_order.value)):
        blank = block.kind == "text" and not (block.text or "").strip()
        if block.kind not in barred and not blank and not is_deferred(provider, block):
            return block
    return None


def tool_frame(provider: Provider, tools: Iterable[Block], renderer: Provider | None = None) -> int:
    """Tokens that are rendered around a list of tools; 0 where there are none or nothing is known.

    Args:
        provider: Whose shape the tools have.
        tools: The tools.
        renderer: Who renders them, where that is another provider.
    """
    loaded = any(not is_deferred(provider, tool) for tool in tools)
    return int((renderer or provider).feature("tool_frame_tokens") or 0) if loaded else 0


def has_server_tools(tools: Iterable[Block]) -> bool:
    """Whether any tool is the provider's own: what it renders for those is not published and may be large."""
    return any(tool.kind not in _CLIENT for tool in tools)
