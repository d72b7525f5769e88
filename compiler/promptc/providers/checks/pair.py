"""What two requests of one session have in common, block by block."""

from dataclasses import dataclass

from promptc.providers.checks.context import Context
from promptc.providers.frames import is_deferred
from promptc.providers.wire.view import Block, Json, without


@dataclass(frozen=True, slots=True)
class Pair:
    """Two requests, sent one after the other.

    Attributes:
        before: The earlier one.
        after: The later one; findings point into it.
        fork: Whether the later one is a side request that should share the earlier one's prefix.
    """

    before: Context
    after: Context
    fork: bool = False


@dataclass(frozen=True, slots=True)
class Divergence:
    """The first difference in a list of blocks.

    Attributes:
        index: How many blocks are the same.
        was: The earlier block there, None where the earlier list ends.
        now: The later block there, None where the later list ends.
    """

    index: int
    was: Block | None
    now: Block | None


def spoken(context: Context) -> tuple[Block, ...]:
    """Blocks of the conversation."""
    return tuple(b for b in context.view.blocks(context.provider.prefix_order.value) if b.lane == "messages")


def shared_tools(context: Context) -> tuple[Block, ...]:
    """Tools that are part of the prefix."""
    return tuple(tool for tool in context.view.tools if not is_deferred(context.provider, tool))


def system_blocks(context: Context) -> tuple[Block, ...]:
    """Blocks of the system lane."""
    return tuple(b for b in context.view.blocks(context.provider.prefix_order.value) if b.lane == "system")


def content(context: Context, block: Block) -> Json:
    """What of a block is cached: its value without markers; a plain string counts as one text block."""
    marker = context.provider.marker
    raw = {"type": "text", "text": block.raw} if isinstance(block.raw, str) else block.raw
    return without(raw, marker.field) if marker is not None else raw


def diverge(pair: Pair, was: tuple[Block, ...], now: tuple[Block, ...]) -> Divergence | None:
    """The first block that differs; None where the later list is the earlier one, or continues it."""
    for index, old in enumerate(was):
        new = now[index] if index < len(now) else None
        if new is None or old.role != new.role or content(pair.before, old) != content(pair.after, new):
            return Divergence(index, old, new)
    return None


def pointer_of(found: Divergence, now: tuple[Block, ...], fallback: str) -> str:
    """Where a divergence shows in the later request."""
    if found.now is not None:
        return found.now.pointer
    return now[-1].pointer if now else fallback
