"""Collect diagnostics, without duplicates, in the order of presentation."""

from collections.abc import Iterable

from promptc.diagnostics.model import Diagnostic, Severity
from promptc.diagnostics.registry import lookup


def severity_of(diagnostic: Diagnostic) -> Severity:
    """The severity that counts: the diagnostic's own, else its code's."""
    return diagnostic.severity or lookup(diagnostic.code).severity


class Sink:
    """Takes diagnostics from passes. Passes report here and never print."""

    def __init__(self) -> None:
        self._items: dict[Diagnostic, None] = {}

    def report(self, diagnostic: Diagnostic) -> None:
        """Add one finding; an equal one is kept once."""
        self._items.setdefault(diagnostic, None)

    def extend(self, diagnostics: Iterable[Diagnostic]) -> None:
        """Add several."""
        for diagnostic in diagnostics:
            self.report(diagnostic)

    def sorted(self) -> tuple[Diagnostic, ...]:
        """All findings in the order of presentation."""
        return tuple(sorted(self._items, key=lambda d: d.sort_key))

    @property
    def has_errors(self) -> bool:
        """Whether any finding is an error."""
        return any(severity_of(d) is Severity.ERROR for d in self._items)
