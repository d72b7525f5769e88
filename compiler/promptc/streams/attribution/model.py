"""Where the bytes of a captured request come from: ranges of its elements, each with a section and how that is known."""

from dataclasses import dataclass
from typing import Literal, TypeAlias

from promptc.streams.model import Piece, PrefixStream

By: TypeAlias = Literal["digest", "pattern", "lines", "name", "group"]
"""How a range is known to be a section's, the surest first: `digest`, its bytes are those of the spec; `pattern`, it fits
the literal pieces and holes; `lines`, lines of it are the section's, the whole fits no prompt; `name`, a tool of that
name with another text; `group`, no tool of the spec, and one group takes tools from outside."""

SUREST_FIRST: tuple[By, ...] = ("digest", "pattern", "lines", "name", "group")


@dataclass(frozen=True, slots=True)
class Owner:
    """A tool, tool group or section of a built prompt.

    Attributes:
        name: As declared.
        cls: Its effective class.
        whole: Whether all of its text is known to the spec.
    """

    name: str
    cls: str
    path: str
    line: int
    column: int
    whole: bool = False


@dataclass(frozen=True, slots=True)
class Range:
    """Neighbouring bytes of one element's text.

    Attributes:
        start: First byte, from 0.
        end: Behind the last byte.
        owner: Who wrote it; None for a seam of the prompt and for what nobody is known to have written.
        by: How that is known; None where it is not.
        literal: Whether the spec holds these bytes; False for a value that was inserted.
    """

    start: int
    end: int
    owner: Owner | None
    by: By | None
    literal: bool


@dataclass(frozen=True, slots=True)
class Origin:
    """Where one element comes from.

    Attributes:
        pointer: JSON pointer of the element.
        by: The least sure way in which any of its ranges is known.
        ranges: All of its text, in order.
    """

    pointer: str
    by: By
    ranges: tuple[Range, ...]


@dataclass(frozen=True, slots=True)
class Attribution:
    """What is known of the elements of one request.

    Attributes:
        prompt: Name of the built prompt that it fits best; None where it fits none.
        chain: Classes of that prompt, lowest first.
        stream: The request, its elements with their pieces.
        origins: Of the elements that are attributed, in cache order.
        unattributed: Pointers of the tools and system blocks that no prompt is known to have written.
        others: How many content blocks are not attributed: they are the conversation's own.
    """

    prompt: str | None
    chain: tuple[str, ...]
    stream: PrefixStream
    origins: tuple[Origin, ...]
    unattributed: tuple[str, ...]
    others: int

    @property
    def certain(self) -> bool:
        """Whether the bytes of any section are exactly those of the prompt."""
        return any(r.by == "digest" for origin in self.origins for r in origin.ranges)


def least_sure(ranges: tuple[Range, ...]) -> By:
    """The least sure way in which any of some ranges is known."""
    return max((r.by for r in ranges if r.by is not None), key=SUREST_FIRST.index, default="lines")


def pieces_of(ranges: tuple[Range, ...]) -> tuple[Piece, ...]:
    """The ranges as pieces of an element; a seam belongs to what stands in front of it."""
    out: list[Piece] = []
    for found in ranges:
        if found.owner is None:
            if found.by is None and (not out or out[-1].section):
                out.append(Piece(found.start, ""))
            continue
        owner = found.owner
        # What opens an envelope is the first section's.
        start = found.start if out else 0
        piece = Piece(start, owner.name, owner.path, owner.line, owner.column, found.by, not found.literal)
        if not out or (out[-1].section, out[-1].by, out[-1].inserted) != (owner.name, found.by, not found.literal):
            out.append(piece)
    return tuple(out)
