"""Ask the provider to clear its own view of the conversation, in the same request (G-09)."""

from dataclasses import dataclass

from promptc.runtime.context.model import Moment, Talk


@dataclass(frozen=True, slots=True)
class ClearThinking:
    """Which thinking the provider is to keep.

    Attributes:
        idle: Milliseconds since the last answer from which on the cache is cold.
        keep_when_idle: Turns of thinking that are kept then; all of them otherwise.
    """

    idle: int = 3_600_000
    keep_when_idle: int = 1

    def edit(self, talk: Talk, moment: Moment) -> dict[str, object]:
        """The edit, as a member of a request's context management."""
        last = max((m.at for m in talk.messages if m.role == "assistant"), default=0)
        idle = bool(last) and moment.now - last >= self.idle
        keep: object = {"type": "thinking_turns", "value": self.keep_when_idle} if idle else "all"
        return {"type": "clear_thinking_20251015", "keep": keep}
