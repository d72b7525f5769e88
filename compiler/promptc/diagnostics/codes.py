"""What a diagnostic code is. The entries themselves are in `diagnostics.registry`, one module a block."""

from dataclasses import dataclass

from promptc.diagnostics.model import Severity


@dataclass(frozen=True, slots=True)
class Code:
    """One entry of the code table; never removed and never renumbered.

    Attributes:
        code: `PC` and three digits.
        slug: Kebab case, names the bad thing; reads well after "allow".
        severity: Default severity.
        summary: One sentence that starts with "Reported when".
        since: First version that reports it.
        deprecated: True when no longer emitted; the entry and its page stay.
    """

    code: str
    slug: str
    severity: Severity
    summary: str
    since: str = "0.1"
    deprecated: bool = False


def error(code: str, slug: str, summary: str) -> Code:
    """An entry whose findings are errors."""
    return Code(code, slug, Severity.ERROR, summary)


def warning(code: str, slug: str, summary: str) -> Code:
    """An entry whose findings are warnings."""
    return Code(code, slug, Severity.WARNING, summary)


def hint(code: str, slug: str, summary: str) -> Code:
    """An entry whose findings are hints."""
    return Code(code, slug, Severity.HINT, summary)
