"""Diagnostic, label, fix: plain values that every renderer takes."""

from dataclasses import dataclass
from enum import StrEnum

from promptc.source import Span


class Severity(StrEnum):
    """How much a finding matters. Only errors fail a run by themselves."""

    ERROR = "error"
    WARNING = "warning"
    HINT = "hint"


class Applicability(StrEnum):
    """What a tool may do with a fix.

    `SAFE` keeps the meaning and may be applied unasked; `UNSAFE` may change meaning and needs a person's yes;
    `DISPLAY` only shows the idea.
    """

    SAFE = "safe"
    UNSAFE = "unsafe"
    DISPLAY = "display-only"


@dataclass(frozen=True, slots=True)
class Label:
    """A place and what it is.

    Attributes:
        span: The place.
        text: What this place is, in a few words; may be empty for the primary label.
    """

    span: Span
    text: str = ""


@dataclass(frozen=True, slots=True)
class Edit:
    """Replace the text of one span."""

    span: Span
    replacement: str


@dataclass(frozen=True, slots=True)
class Fix:
    """A mechanical change that removes the cause.

    Attributes:
        title: What it does, as an imperative: "write `@session`".
        edits: Non-overlapping edits.
        applicability: Whether a tool may apply it unasked.
    """

    title: str
    edits: tuple[Edit, ...]
    applicability: Applicability = Applicability.UNSAFE


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One finding.

    Attributes:
        code: `PCnnn`, registered in `diagnostics.registry`.
        message: Lower case, no final period, names in backticks, true when read alone.
        primary: The smallest place that shows the cause; None only for findings with no place in a text.
        secondary: Other places that take part; the dependency chain, in order.
        notes: What else matters, one sentence each.
        help: What to do, when that is known.
        fix: A mechanical repair, when there is one.
        severity: Overrides the severity of the code's registry entry when not None.
        pointer: JSON pointer, for findings on a request body rather than a source text.
    """

    code: str
    message: str
    primary: Label | None
    secondary: tuple[Label, ...] = ()
    notes: tuple[str, ...] = ()
    help: str | None = None
    fix: Fix | None = None
    severity: Severity | None = None
    pointer: str | None = None

    @property
    def sort_key(self) -> tuple[str, int, int, str, str]:
        """Order of presentation: path, start, end, code, message."""
        if self.primary is None:
            return ("", -1, -1, self.code, self.pointer or self.message)
        span = self.primary.span
        return (span.path, span.start, span.end, self.code, self.message)
