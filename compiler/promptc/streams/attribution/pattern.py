"""What a block of a built prompt may look like when it is sent: literal texts, holes and forks, as a list of steps."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from promptc.streams.attribution.model import Owner
from promptc.streams.manifest_model import (
    BranchPiece,
    HolePiece,
    LoopPiece,
    ManifestElement,
    PhasePiece,
    Piece,
    Seams,
    TextPiece,
)

StepKind: TypeAlias = Literal["text", "hole", "fork"]


@dataclass(slots=True)
class Step:
    """One step of a pattern.

    Attributes:
        kind: `text` must stand here; a `hole` takes any text; a `fork` goes on at each of `targets`.
        owner: Whose it is; None for a seam.
        targets: Steps further on.
    """

    kind: StepKind
    text: str = ""
    owner: Owner | None = None
    targets: list[int] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Pattern:
    """The text of one block or envelope, whatever its variant and its inputs.

    Attributes:
        steps: Run from the first; a text fits when the end is reached behind the last.
        anchor: The longest text that every variant has; empty where there is none.
    """

    steps: tuple[Step, ...]
    anchor: str


def owner_of(element: ManifestElement) -> Owner:
    """The element as one who writes."""
    whole = all(isinstance(piece, TextPiece) for piece in element.pieces)
    at = element.span
    return Owner(element.name, element.cls, at.path, at.line, at.column, whole)


def block_pattern(elements: Sequence[ManifestElement], seams: Seams | None) -> Pattern:
    """The pattern of the sections of one block or envelope, of which those that are off leave no residue.

    Two tracks run side by side: in front of the first section that is there, and behind one. Only the latter
    writes a separator.
    """
    writer = _Writer()
    opening, separator, closing = (seams.open, seams.separator, seams.close) if seams is not None else ("", "", "")
    anchors = [opening, closing]
    writer.text(opening, None)
    to_first: list[Step] = []
    to_later: list[Step] = []
    for element in elements:
        optional = element.gate is not None or element.bytes.least == 0
        first, later = writer.fork(to_first), writer.fork(to_later)
        later.targets.append(writer.here)
        writer.text(separator, None)
        first.targets.append(writer.here)
        writer.element(element, owner_of(element))
        done = writer.fork(())
        to_first = [first] if optional else []
        to_later = [done, later] if optional else [done]
        if not optional:
            anchors += [piece.text for piece in element.pieces if isinstance(piece, TextPiece)]
    for step in (*to_first, *to_later):
        step.targets.append(writer.here)
    writer.text(closing, None)
    return Pattern(tuple(writer.steps), max(anchors, key=len))


class _Writer:
    def __init__(self) -> None:
        self.steps: list[Step] = []

    @property
    def here(self) -> int:
        return len(self.steps)

    def fork(self, sources: Sequence[Step]) -> Step:
        """Add a fork that some earlier forks lead to."""
        for source in sources:
            source.targets.append(self.here)
        step = Step("fork")
        self.steps.append(step)
        return step

    def text(self, text: str, owner: Owner | None) -> None:
        if text:
            self.steps.append(Step("text", text, owner))

    def element(self, element: ManifestElement, owner: Owner) -> None:
        phases = [piece for piece in element.pieces if isinstance(piece, PhasePiece)]
        if phases:
            self._either([phase.pieces for phase in phases], owner)
        else:
            self._pieces(element.pieces, owner)

    def _pieces(self, pieces: Sequence[Piece], owner: Owner) -> None:
        for piece in pieces:
            match piece:
                case TextPiece(text=text):
                    self.text(text, owner)
                case HolePiece() | LoopPiece():
                    # How often a loop runs is the caller's; all that it writes is its section's in any case.
                    self.steps.append(Step("hole", "", owner))
                case BranchPiece(arms=arms, orelse=orelse):
                    self._either([*(arm.then for arm in arms), orelse], owner)
                case _:
                    pass

    def _either(self, ways: Sequence[Sequence[Piece]], owner: Owner) -> None:
        choice = self.fork(())
        ends: list[Step] = []
        for way in ways:
            choice.targets.append(self.here)
            self._pieces(way, owner)
            ends.append(self.fork(()))
        for end in ends:
            end.targets.append(self.here)
