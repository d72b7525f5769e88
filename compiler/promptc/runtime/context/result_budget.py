"""Hold the tool results of one message to a budget; what was decided about a result is final (G-02)."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from promptc.runtime.context.model import Effect, Moment, Talk, result_text, tools_by_call, with_text
from promptc.runtime.state import Decision
from promptc.runtime.transcript.model import Block, ViewMessage


def preview(text: str, limit: int) -> str:
    """The head of a text: at most `limit` bytes of UTF-8, cut at the last line end in its second half."""
    data = text.encode()
    if len(data) <= limit:
        return text
    head = data[:limit].decode("utf-8", "ignore")
    end = head.rfind("\n")
    return head[: end + 1] if end >= 0 and len(head[:end].encode()) * 2 >= limit else head


@dataclass(frozen=True, slots=True)
class ResultBudget:
    """Replace the largest fresh results of a message until the rest fits.

    Fresh is what no request has shown yet. A result that was shown whole is never replaced later, and one that was
    replaced keeps the very text that replaced it, whatever the template says by then: both are bytes that were sent.

    Attributes:
        chars: Budget of one message as it goes over the wire, in code points.
        preview_bytes: How much of a text its replacement keeps.
        template: The replacement; `{size}` (code points), `{place}` and `{preview}` are filled in, once.
        folder: In front of the call's id it is the place where the host stores the whole text.
        unlimited: Tools whose results are never replaced.
    """

    chars: int
    preview_bytes: int = 2_000
    template: str = (
        "<stored-result>\n{size} characters, stored whole as {place}. It begins:\n{preview}\n</stored-result>"
    )
    folder: str = "results/"
    unlimited: frozenset[str] = frozenset()

    @property
    def effect(self) -> Effect:
        """Only what no request has shown is changed."""
        return Effect(messages=False, results=True, storage=True, prefix="tail")

    def __call__(self, talk: Talk, moment: Moment) -> Talk:
        """The talk with fresh results replaced."""
        tools = tools_by_call(talk.messages)
        replaced = dict(talk.state.replaced)
        store: list[tuple[str, str]] = []
        decisions: list[Decision] = []
        messages = []
        for message in talk.messages:
            if message.role == "user":
                self._judge(message, tools, replaced, store, decisions)
                message = replace(message, content=tuple(_shown(block, replaced) for block in message.content))
            messages.append(message)
        return replace(
            talk,
            messages=tuple(messages),
            state=replace(talk.state, replaced=replaced),
            store=(*talk.store, *store),
            decisions=(*talk.decisions, *decisions),
        )

    def _judge(
        self,
        message: ViewMessage,
        tools: Mapping[str, str],
        replaced: dict[str, str | None],
        store: list[tuple[str, str]],
        decisions: list[Decision],
    ) -> None:
        total = 0
        fresh: list[tuple[int, str, str]] = []
        for block in message.content:
            if block.get("type") != "tool_result":
                continue
            name, text = str(block.get("tool_use_id")), result_text(block)
            if name in replaced:
                kept = replaced[name]
                total += len(kept if kept is not None else text or "")
                continue
            total += len(text or "")
            replaced[name] = None
            if text is not None and tools.get(name) not in self.unlimited:
                fresh.append((len(text), name, text))
        for size, name, text in sorted(fresh, key=lambda entry: -entry[0]):
            if total <= self.chars:
                return
            instead = self._replacement(name, text)
            if len(instead) >= size:
                continue
            replaced[name] = instead
            total += len(instead) - size
            store.append((name, text))
            decisions.append(Decision("result-stored", "", f"`{name}` has {size} characters"))
        if total > self.chars:
            decisions.append(Decision("budget-exceeded", "", f"{total} of {self.chars} characters in one message"))

    def _replacement(self, name: str, text: str) -> str:
        filled = {"size": str(len(text)), "place": f"{self.folder}{name}", "preview": preview(text, self.preview_bytes)}
        pieces = self.template.split("{")
        # One pass: braces in what is filled in stay as they are.
        parts = [pieces[0]]
        for piece in pieces[1:]:
            key, closed, rest = piece.partition("}")
            parts.append(filled[key] + rest if closed and key in filled else "{" + piece)
        return "".join(parts)


def _shown(block: Block, replaced: Mapping[str, str | None]) -> Block:
    if block.get("type") != "tool_result":
        return block
    instead = replaced.get(str(block.get("tool_use_id")))
    return block if instead is None else with_text(block, instead)
