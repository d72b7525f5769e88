"""A stored conversation as a graph of records, and the effective view of it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from promptc.runtime.state import Decision

Kind: TypeAlias = Literal["message", "boundary", "attachment", "event"]
Origin: TypeAlias = Literal["human", "channel", "peer", "task", "observer", "hook", "harness", "unclassified"]
Role: TypeAlias = Literal["user", "assistant"]

KINDS: tuple[Kind, ...] = ("message", "boundary", "attachment", "event")
ORIGINS: tuple[Origin, ...] = (
    "human", "channel", "peer", "task", "observer", "hook", "harness", "unclassified",
)  # fmt: skip

Block: TypeAlias = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Record:
    """One node of a stored conversation.

    Attributes:
        id: Unique in its transcript.
        parent: The record that it follows; None where a conversation begins.
        kind: `message` is what was said; `boundary` stands where the conversation was compacted, its content is the
            summary; `attachment` keeps the record of something attached; `event` never reaches a model.
        role: Who speaks; of messages only.
        content: Blocks; a text is kept as one text block.
        at: Milliseconds since the epoch; 0 where it is not known.
        origin: Where a message of the user's side comes from.
        meta: Whether the model sees it and the person does not.
        reply: Id of the answer that this piece belongs to: pieces of one answer are one message.
        gone: Whether it was superseded or taken back.
        preserved: Of a boundary: ids of earlier records that stay behind the summary, in order.
        data: Of a boundary or attachment: what else it keeps, such as the tools that had been discovered.
    """

    id: str
    parent: str | None
    kind: Kind = "message"
    role: Role | None = None
    content: tuple[Block, ...] = ()
    at: int = 0
    origin: Origin = "unclassified"
    meta: bool = False
    reply: str | None = None
    gone: bool = False
    preserved: tuple[str, ...] = ()
    data: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class Transcript:
    """Everything that was stored of a conversation; the order of the records means nothing.

    Attributes:
        records: By id.
        leaf: Id of the record that the conversation stands at; None: the newest one that nothing follows.
    """

    records: Mapping[str, Record]
    leaf: str | None = None


@dataclass(frozen=True, slots=True)
class ViewMessage:
    """One message of the effective view.

    Attributes:
        role: Who speaks.
        content: Blocks, at least one.
        ids: The records that it was made of, in order.
        at: When the last of them was stored; milliseconds since the epoch, 0: not known.
        human: Whether any part of it was said by a person: no results, no meta messages, no summaries.
        summary: Whether it holds the summary of a compaction.
    """

    role: Role
    content: tuple[Block, ...]
    ids: tuple[str, ...]
    at: int = 0
    human: bool = False
    summary: bool = False

    def as_message(self) -> dict[str, object]:
        """The message as an assembler takes it."""
        return {"role": self.role, "content": [dict(block) for block in self.content]}


@dataclass(frozen=True, slots=True)
class View:
    """What of a conversation counts now.

    Attributes:
        messages: Alternating, the first from the user.
        settled: Id of every call that had no answer when it had to have one, and the answer it was given. Pass it in
            again: a late answer would change bytes that were sent.
        boundary: The boundary that the view begins with; None: the conversation was never compacted.
        hidden: Records that a projection does not show.
        decisions: What was repaired, dropped or replaced, and why.
    """

    messages: tuple[ViewMessage, ...]
    settled: Mapping[str, str]
    boundary: Record | None
    hidden: tuple[Record, ...]
    decisions: tuple[Decision, ...]

    def as_messages(self) -> list[dict[str, object]]:
        """The messages as an assembler takes them."""
        return [message.as_message() for message in self.messages]


@dataclass(frozen=True, slots=True)
class Abilities:
    """What the model and the provider at hand take.

    Attributes:
        refused: Types of blocks that they do not take.
        replacements: Type of block and the text that stands in its place; one without is dropped.
        missing_result: The answer to a call that never got one.
    """

    refused: frozenset[str] = frozenset()
    replacements: Mapping[str, str] | None = None
    missing_result: str = "[no result: the call was interrupted]"
