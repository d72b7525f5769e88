"""How many findings of each severity there are."""

from collections import Counter
from collections.abc import Iterable

from promptc.diagnostics.model import Diagnostic, Severity
from promptc.diagnostics.sink import severity_of


def counts(diagnostics: Iterable[Diagnostic]) -> dict[Severity, int]:
    """Number of findings by severity, worst first, zeros included."""
    found = Counter(severity_of(d) for d in diagnostics)
    return {severity: found[severity] for severity in Severity}


def summary(diagnostics: Iterable[Diagnostic]) -> str:
    """A line such as `2 errors, 1 warning`; `no findings` for none."""
    parts = [f"{n} {s.value}{'' if n == 1 else 's'}" for s, n in counts(diagnostics).items() if n]
    return ", ".join(parts) or "no findings"
