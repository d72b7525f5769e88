"""What is hidden from the model or shown as a summary, while storage keeps all of it (G-01, G-04, G-07)."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from hashlib import sha256

from promptc.runtime.state import Decision
from promptc.runtime.transcript.grouping import is_human
from promptc.runtime.transcript.model import Record

_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"
_TAG_LENGTH = 6


@dataclass(frozen=True, slots=True)
class Span:
    """Records from one to another, both included, that are not shown.

    Attributes:
        first, last: Ids of records; the span counts only where both are on the chain, in this order.
        summary: What is shown in their place; None: nothing.
    """

    first: str
    last: str
    summary: str | None = None


@dataclass(frozen=True, slots=True)
class Projection:
    """How a conversation is shown.

    Attributes:
        spans: In the order in which they were decided; a later one may cover earlier ones.
        tags: Whether messages of people carry a short tag, so that the model can name them.
    """

    spans: tuple[Span, ...] = ()
    tags: bool = False


def tag_of(name: str) -> str:
    """The tag of a record: six digits of base 36, from its id."""
    number = int.from_bytes(sha256(name.encode()).digest()[:8], "big")
    digits = ""
    for _ in range(_TAG_LENGTH):
        number, digit = divmod(number, len(_DIGITS))
        digits += _DIGITS[digit]
    return digits


def projected(
    chain: Sequence[Record], projection: Projection, decisions: list[Decision]
) -> tuple[list[Record], tuple[Record, ...]]:
    """The records as they are shown, and those that are not shown any more."""
    shown = list(chain)
    hidden: list[Record] = []
    for span in projection.spans:
        at = {record.id: index for index, record in enumerate(shown)}
        first, last = at.get(span.first, -1), at.get(span.last, -1)
        if first < 0 or last < first:
            decisions.append(Decision("span-skipped", "", f"`{span.first}` to `{span.last}` is not on the chain"))
            continue
        covered = shown[first : last + 1]
        hidden += [record for record in covered if record.kind != "event"]
        shown[first : last + 1] = [_in_place_of(covered, span)] if span.summary is not None else []
    if projection.tags:
        shown = [_tagged(record) if is_human(record) else record for record in shown]
    return shown, tuple(hidden)


def _in_place_of(covered: Sequence[Record], span: Span) -> Record:
    return Record(
        id=f"{span.first}..{span.last}",
        parent=covered[0].parent,
        role="user",
        content=({"type": "text", "text": span.summary},),
        at=covered[-1].at,
        origin="harness",
        meta=True,
    )


def _tagged(record: Record) -> Record:
    return replace(record, content=(*record.content, {"type": "text", "text": f"[message {tag_of(record.id)}]"}))
