"""What the steps of the context pipeline share: the talk, the moment, the state and what a step says of itself."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, Protocol, TypeAlias

from promptc.runtime.state import Decision
from promptc.runtime.transcript.model import Block, ViewMessage

PrefixEffect: TypeAlias = Literal["keeps", "tail", "rewrites"]
Wish: TypeAlias = Literal["", "compact", "stop"]


@dataclass(frozen=True, slots=True)
class Effect:
    """What a step does when it acts (G-11).

    Attributes:
        messages: Whether it hides messages from the model.
        results: Whether it changes the content of tool results.
        storage: Whether it has the host store something.
        prefix: `keeps` what was sent, changes only the `tail` that was not, or `rewrites` what may be cached.
    """

    messages: bool
    results: bool
    storage: bool
    prefix: PrefixEffect


@dataclass(frozen=True, slots=True)
class Moment:
    """What a step may know of the world; the host passes it, nothing is asked.

    Attributes:
        now: Milliseconds since the epoch.
        window: Context window of the model, in tokens.
        cache_editing: Whether the provider deletes parts of its cache on request.
        own_request: Whether this is a request that the pipeline itself asked for, such as the one for a summary.
        side_request: Whether this is a request beside the conversation: a fork, a question on the side.
    """

    now: int
    window: int
    cache_editing: bool = False
    own_request: bool = False
    side_request: bool = False


@dataclass(frozen=True, slots=True)
class ContextState:
    """Everything that was decided once and holds for ever; a plain value.

    Attributes:
        replaced: Id of every tool result whose size was judged, with the text that replaced it; None: it stays.
        cleared: Ids of the tool results that were cleared.
        edits: Deletions that were asked of the provider's cache: behind how many messages they stand, and the ids.
        failures: How often in a row a compaction failed.
    """

    replaced: Mapping[str, str | None] = field(default_factory=dict)
    cleared: tuple[str, ...] = ()
    edits: tuple[tuple[int, tuple[str, ...]], ...] = ()
    failures: int = 0


@dataclass(frozen=True, slots=True)
class Talk:
    """A conversation under way through the pipeline.

    Attributes:
        messages: What is left of it.
        state: What is to be kept for the next request.
        decisions: What was done, and why.
        store: Id and full text of every result that was replaced in this request; the host stores it.
        wish: `compact`: a summary should be made first; `stop`: the request would not fit.
        freed: Tokens that earlier steps hid and that estimates from usage still count.
    """

    messages: tuple[ViewMessage, ...]
    state: ContextState
    decisions: tuple[Decision, ...] = ()
    store: tuple[tuple[str, str], ...] = ()
    wish: Wish = ""
    freed: int = 0


class Step(Protocol):
    """One step of the pipeline."""

    @property
    def effect(self) -> Effect:
        """What it does when it acts."""

    def __call__(self, talk: Talk, moment: Moment) -> Talk:
        """The talk behind the step."""


def run(steps: tuple[Step, ...], talk: Talk, moment: Moment) -> Talk:
    """Run the steps in their order.

    The display of a token count and the request must both come from here, so that what is shown is what is sent
    (G-10).
    """
    for step in steps:
        talk = step(talk, moment)
    return talk


def result_text(block: Block) -> str | None:
    """The text of a tool result; None where it holds anything that is not text."""
    content = block.get("content")
    if isinstance(content, str):
        return content
    if not isinstance(content, list | tuple):
        return ""
    if any(part.get("type") != "text" for part in content):
        return None
    return "".join(str(part.get("text", "")) for part in content)


def with_text(block: Block, text: str) -> Block:
    """A tool result with another text."""
    return {**block, "content": [{"type": "text", "text": text}]}


def tools_by_call(messages: tuple[ViewMessage, ...]) -> dict[str, str]:
    """The tool that every call names, by the call's id."""
    return {
        str(block.get("id")): str(block.get("name"))
        for message in messages
        for block in message.content
        if block.get("type") == "tool_use"
    }


def estimated_tokens(messages: tuple[ViewMessage, ...]) -> int:
    """An estimate: a token for every four bytes of text and of other values, images not counted."""
    return sum(_bytes(block) for message in messages for block in message.content) // 4


def _bytes(value: object) -> int:
    if isinstance(value, str):
        return len(value.encode())
    if isinstance(value, Mapping):
        if value.get("type") == "image":
            return 0
        return sum(_bytes(item) for item in value.values())
    if isinstance(value, list | tuple):
        return sum(_bytes(item) for item in value)
    return 4 if value is not None else 0
