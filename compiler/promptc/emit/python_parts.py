"""Pieces of emitted code that write to a request, and how texts that may be missing are joined."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from promptc.emit.python_text import append_lines, indented

Join = Literal["leading", "trailing", "between"]
"""Where a separator goes: in front of a text that follows one that is always there; behind one that stands before
it; or in front of any text but the first."""


@dataclass(frozen=True)
class Part:
    """Code that writes one text or one element.

    Attributes:
        stage: When everything that it reads is known.
        uses: Variables that the code reads.
        gate: Condition; None: always.
        prepare: Statements in front.
        test: Whether there is anything to write, after `prepare`; None: there always is.
        pieces: Pieces and marks to append; or
        call: a statement that appends them, with `{target}` for the list.
    """

    stage: int
    uses: frozenset[str]
    gate: str | None = None
    prepare: tuple[str, ...] = ()
    test: str | None = None
    pieces: tuple[str, ...] = ()
    call: str = ""

    @property
    def certain(self) -> bool:
        """Whether the text is there in every request."""
        return self.gate is None and self.test is None

    def lines(self, target: str, join: Join | None = None, separator: Sequence[str] = ()) -> list[str]:
        """The statements that write the text, with a separator on the side that `join` names."""
        between = list(separator) if join == "between" else []
        leading = tuple(separator) if join == "leading" else ()
        trailing = tuple(separator) if join == "trailing" else ()
        lines = [f"if {target}:", *indented(append_lines(target, between))] if between else []
        if self.call:
            lines += append_lines(target, leading)
            lines.append(self.call.replace("{target}", target))
            lines += append_lines(target, trailing)
        else:
            lines += append_lines(target, [*leading, *self.pieces, *trailing])
        if self.test is not None:
            lines = [f"if {self.test}:", *indented(lines)]
        lines = [*self.prepare, *lines]
        return [f"if {self.gate}:", *indented(lines)] if self.gate is not None else lines


def certain_index(parts: Sequence[Part]) -> int | None:
    """The first part that is there in every request, on which the separators of all others rest."""
    return next((at for at, part in enumerate(parts) if part.certain), None)


def join_side(at: int, anchor: int) -> Join | None:
    """Where the separator of a part goes; None for the anchor itself."""
    if at == anchor:
        return None
    return "trailing" if at < anchor else "leading"


@dataclass(frozen=True)
class Item:
    """One step of writing the request, in order.

    Attributes:
        pieces: Pieces and marks; or
        lines: statements that write to `out`.
    """

    stage: int
    uses: frozenset[str]
    pieces: tuple[str, ...] = ()
    lines: tuple[str, ...] = ()


@dataclass(frozen=True)
class Step:
    """One computation of a stage.

    Attributes:
        defines: Variable that later steps and stages may use; None for a step that only checks.
    """

    stage: int
    uses: frozenset[str]
    lines: tuple[str, ...]
    defines: str | None = None
