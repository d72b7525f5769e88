"""Clear old tool results: in place where the cache is cold anyway, or in the provider's cache (G-05, G-06)."""

from dataclasses import dataclass, replace

from promptc.runtime.context.model import Effect, Moment, Talk, tools_by_call, with_text
from promptc.runtime.state import Decision
from promptc.runtime.transcript.model import Block, ViewMessage

CLEARED = "[an old result was cleared]"


@dataclass(frozen=True, slots=True)
class ClearWhenIdle:
    """Clear all but the newest results once the conversation was idle for so long that the cache is cold.

    Attributes:
        idle: Milliseconds since the last answer.
        keep: Results that stay.
        tools: Tools whose results may be cleared; None: all.
        marker: What stands in place of a cleared result.
    """

    idle: int
    keep: int
    tools: frozenset[str] | None = None
    marker: str = CLEARED

    @property
    def effect(self) -> Effect:
        """Cached history is rewritten, at a moment when it is not cached any more."""
        return Effect(messages=False, results=True, storage=False, prefix="rewrites")

    def __call__(self, talk: Talk, moment: Moment) -> Talk:
        """The talk with old results cleared; what was cleared once stays cleared."""
        last = max((m.at for m in talk.messages if m.role == "assistant"), default=0)
        cleared = list(talk.state.cleared)
        decisions = talk.decisions
        edits = talk.state.edits
        if last and moment.now - last >= self.idle and not moment.side_request:
            old = _results(talk.messages, self.tools)[: -self.keep or None]
            new = [name for name in old if name not in talk.state.cleared]
            if new:
                cleared += new
                # The provider's cache is gone; what was to be deleted from it needs no deleting any more.
                edits = ()
                decisions = (*decisions, Decision("results-cleared", "", f"{len(new)}, idle; the cache break is meant"))
        gone = set(cleared)
        return replace(
            talk,
            messages=tuple(_without(message, gone, self.marker) for message in talk.messages),
            state=replace(talk.state, cleared=tuple(cleared), edits=edits),
            decisions=decisions,
        )


@dataclass(frozen=True, slots=True)
class ClearInCache:
    """Ask the provider to delete old results from its cache; the messages themselves stay as they are.

    A deletion is asked for behind the message that was the last one then, and at the same place in every later
    request. It is decided once for a request, not for each retry: the state of the request before is passed again.

    Attributes:
        count: How many results may be there before any is deleted.
        keep: Results that stay.
        tools: Tools whose results may be deleted; None: all.
    """

    count: int
    keep: int
    tools: frozenset[str] | None = None

    @property
    def effect(self) -> Effect:
        """The bytes of the messages do not change."""
        return Effect(messages=False, results=False, storage=False, prefix="keeps")

    def __call__(self, talk: Talk, moment: Moment) -> Talk:
        """The talk with one more deletion where there are too many results."""
        if not moment.cache_editing or moment.side_request or not talk.messages:
            return talk
        gone = {name for _, names in talk.state.edits for name in names} | set(talk.state.cleared)
        there = [name for name in _results(talk.messages, self.tools) if name not in gone]
        if len(there) <= self.count:
            return talk
        old = tuple(there[: -self.keep or None])
        return replace(
            talk,
            state=replace(talk.state, edits=(*talk.state.edits, (len(talk.messages), old))),
            decisions=(*talk.decisions, Decision("results-deleted-in-cache", "", str(len(old)))),
        )


def _results(messages: tuple[ViewMessage, ...], tools: frozenset[str] | None) -> list[str]:
    """Ids of the results that may be cleared, oldest first."""
    by_call = tools_by_call(messages)
    names = [
        str(block.get("tool_use_id"))
        for message in messages
        for block in message.content
        if block.get("type") == "tool_result"
    ]
    return [name for name in names if tools is None or by_call.get(name) in tools]


def _without(message: ViewMessage, gone: set[str], marker: str) -> ViewMessage:
    def kept(block: Block) -> Block:
        is_gone = block.get("type") == "tool_result" and str(block.get("tool_use_id")) in gone
        return with_text(block, marker) if is_gone else block

    return replace(message, content=tuple(kept(block) for block in message.content))
