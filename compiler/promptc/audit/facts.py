"""What an audit keeps of one request: digests instead of bytes, and what the log says about it."""

from dataclasses import dataclass

from promptc.compare.lineage import Trail
from promptc.providers.cache_model.values import Counts


@dataclass(frozen=True, slots=True)
class Facts:
    """One request of a log.

    Attributes:
        trail: What it is known by.
        at: When it was sent, as the log spells it.
        target: Provider whose rules hold for it.
        format: Shape of its body.
        counts: What the provider counted; None where the log does not say.
        part: Which request of its record it is, from 0.
    """

    trail: Trail
    at: str | None
    target: str | None
    format: str
    counts: Counts | None
    part: int = 0


@dataclass(frozen=True, slots=True)
class Place:
    """Where a request is in a log.

    Attributes:
        input: Which of the logs.
        line: Line of the log, or number of the record where it has no lines, from 1.
        offset: First byte of the line; None where the log cannot be read again at a place.
        length: Bytes of the line.
        part: Which request of the line, from 0.
    """

    input: int
    line: int
    offset: int | None
    length: int
    part: int = 0
