"""Colour as ANSI sequences, or none at all: the characters between them are the same either way."""

from dataclasses import dataclass
from typing import Literal, TypeAlias

from promptc.diagnostics.model import Severity

Style: TypeAlias = Literal["error", "warning", "hint", "frame", "strong", "added"]

_SGR: dict[Style, str] = {
    "error": "1;31",
    "warning": "1;33",
    "hint": "1;36",
    "frame": "1;34",
    "strong": "1",
    "added": "32",
}
_OF_SEVERITY: dict[Severity, Style] = {
    Severity.ERROR: "error",
    Severity.WARNING: "warning",
    Severity.HINT: "hint",
}


@dataclass(frozen=True, slots=True)
class Ink:
    """Paints pieces of text that hold no control character themselves."""

    colour: bool

    def paint(self, style: Style | None, text: str) -> str:
        """The text in a style; as it is without colour, without a style, or when there is nothing to see."""
        if not self.colour or style is None or not text.strip():
            return text
        return f"\x1b[{_SGR[style]}m{text}\x1b[0m"


def style_of(severity: Severity) -> Style:
    """The style of a severity."""
    return _OF_SEVERITY[severity]
