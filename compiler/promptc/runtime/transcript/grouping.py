"""Messages as the wire groups them: only what the assistant says separates the user's (C-06, G-03)."""

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from promptc.runtime.transcript.model import Block, Record, Role, ViewMessage


@dataclass
class Group:
    """A message that is being put together.

    Attributes:
        reply: Id of the answer whose pieces it holds.
    """

    role: Role
    reply: str | None = None
    content: list[Block] = field(default_factory=list)
    ids: list[str] = field(default_factory=list)
    at: int = 0
    human: bool = False
    summary: bool = False

    def take(self, record: Record) -> None:
        """Append what a record says."""
        self.content += record.content
        self.ids.append(record.id)
        self.at = max(self.at, record.at)
        self.summary = self.summary or record.kind == "boundary"
        self.human = self.human or is_human(record)

    def join(self, other: "Group") -> None:
        """Append a whole message."""
        self.content += other.content
        self.ids += other.ids
        self.at = max(self.at, other.at)
        self.human = self.human or other.human
        self.summary = self.summary or other.summary

    def finish(self) -> ViewMessage:
        """The message."""
        return ViewMessage(self.role, tuple(self.content), tuple(self.ids), self.at, self.human, self.summary)


def is_human(record: Record) -> bool:
    """Whether a person said it: results, meta messages, summaries and whatever a program sent do not count (C-08)."""
    if record.kind != "message" or record.role != "user" or record.meta or record.origin not in ("human", "channel"):
        return False
    return any(block.get("type") != "tool_result" for block in record.content)


def grouped(boundary: Record | None, records: Sequence[Record]) -> list[Group]:
    """Records as messages: pieces of one answer are one message, whatever stands between them.

    A streamed answer with parallel calls is stored piece by piece, with results between the pieces. On the wire it is
    one message, and all results are one message behind it.
    """
    groups: list[Group] = []
    by_reply: dict[str, Group] = {}
    if boundary is not None:
        opening = Group("user")
        opening.take(boundary)
        groups.append(opening)
    for record in records:
        if record.role is None:
            continue
        if record.role == "assistant" and record.reply is not None and record.reply in by_reply:
            by_reply[record.reply].take(record)
            continue
        group = Group(record.role, record.reply)
        group.take(record)
        groups.append(group)
        if record.role == "assistant" and record.reply is not None:
            by_reply[record.reply] = group
    return groups


def merged(groups: Sequence[Group]) -> list[Group]:
    """Neighbours of one role as one message; messages without a block are left out."""
    result: list[Group] = []
    for group in groups:
        if not group.content:
            continue
        if result and result[-1].role == group.role:
            result[-1].join(group)
        else:
            result.append(group)
    return result


def results_in_order(groups: Sequence[Group]) -> None:
    """Put the results of parallel calls into the order of their calls, in front of what else is said there (C-03)."""
    for before, group in itertools.pairwise(groups):
        if before.role != "assistant" or group.role != "user":
            continue
        rank: Mapping[object, int] = {
            block.get("id"): at for at, block in enumerate(before.content) if block.get("type") == "tool_use"
        }
        results = [block for block in group.content if block.get("type") == "tool_result"]
        if results:
            results.sort(key=lambda block: rank.get(block.get("tool_use_id"), len(rank)))
            group.content = [*results, *(b for b in group.content if b.get("type") != "tool_result")]
