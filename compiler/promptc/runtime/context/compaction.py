"""When a conversation has to be summarised, and what comes back after it was (G-08, F-01, F-02, F-03)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from promptc.runtime.context.model import ContextState, Effect, Moment, Talk, estimated_tokens
from promptc.runtime.state import Decision
from promptc.runtime.transcript.model import Block, Record


@dataclass(frozen=True, slots=True)
class CompactWhenFull:
    """Wish for a summary once the conversation nears the end of the window.

    Attributes:
        reserve: Tokens of the window that are kept for the summary.
        ahead: Tokens in front of what is left at which a summary is wished for.
        block_ahead: Tokens in front of it at which, without automatic compaction, no request is made.
        automatic: Whether summaries are made without being asked for.
        max_failures: Failures in a row after which none is tried any more.
    """

    reserve: int = 20_000
    ahead: int = 13_000
    block_ahead: int = 3_000
    automatic: bool = True
    max_failures: int = 3

    @property
    def effect(self) -> Effect:
        """The whole history is rewritten."""
        return Effect(messages=True, results=False, storage=True, prefix="rewrites")

    def __call__(self, talk: Talk, moment: Moment) -> Talk:
        """The talk with a wish; the messages are the host's to summarise."""
        if moment.own_request:
            return talk
        left = moment.window - self.reserve
        used = estimated_tokens(talk.messages) - talk.freed
        if self.automatic and used > left - self.ahead:
            if talk.state.failures < self.max_failures:
                return replace(talk, wish="compact")
            why = f"{talk.state.failures} failures in a row"
            return replace(talk, decisions=(*talk.decisions, Decision("compaction-withheld", "", why)))
        if not self.automatic and used > left - self.block_ahead:
            return replace(talk, wish="stop")
        return talk


def failed(state: ContextState) -> ContextState:
    """The state after a summary could not be made: nothing is cleared. After one that was made it is a new state."""
    return replace(state, failures=state.failures + 1)


def boundary_record(
    name: str, parent: str, summary: str, at: int, preserved: Sequence[str] = (), discovered: Sequence[str] = ()
) -> Record:
    """The record that a successful summary leaves in the transcript.

    Args:
        preserved: Ids of records that stay behind the summary.
        discovered: Tools whose schemas were sent on demand; they stay discovered (B-02).
    """
    content: tuple[Block, ...] = ({"type": "text", "text": summary},)
    data: Mapping[str, Any] = {"discovered": list(discovered)}
    return Record(name, parent, "boundary", None, content, at, preserved=tuple(preserved), data=data)


@dataclass(frozen=True, slots=True)
class Restored:
    """One thing that comes back after a compaction.

    Attributes:
        name: Its path or name.
        text: What of it comes back; None: only the reference to it.
    """

    name: str
    text: str | None


@dataclass(frozen=True, slots=True)
class Restore:
    """Bring the newest things back, each and all of them within a budget.

    Attributes:
        newest: How many at most.
        each: Tokens of one; a longer one becomes a reference, or is cut where `cut` says so.
        total: Tokens of all.
        cut: Marker behind the head of a text that is too long; None: a reference instead.
    """

    newest: int
    each: int
    total: int
    cut: str | None = None

    def __call__(self, candidates: Sequence[tuple[str, str]]) -> tuple[Restored, ...]:
        """What comes back.

        Args:
            candidates: Name and text, the newest first. Tokens are estimated: one for every four bytes.
        """
        left = self.total
        kept = []
        for name, text in candidates[: self.newest]:
            shown: str | None = text
            size = len(text.encode()) // 4
            if size > self.each:
                shown = None if self.cut is None else _head(text, self.each) + self.cut
                size = 0 if shown is None else self.each
            if size > left:
                shown, size = None, 0
            left -= size
            kept.append(Restored(name, shown))
        return tuple(kept)


def _head(text: str, tokens: int) -> str:
    return text.encode()[: tokens * 4].decode("utf-8", "ignore")
