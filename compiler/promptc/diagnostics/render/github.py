"""Findings as workflow commands, which GitHub shows beside the lines of a pull request."""

from collections.abc import Sequence

from promptc.diagnostics.model import Diagnostic, Severity
from promptc.diagnostics.registry import lookup
from promptc.diagnostics.render.display import visible
from promptc.diagnostics.render.place import place_of
from promptc.diagnostics.render.summary import summary
from promptc.diagnostics.sink import severity_of
from promptc.source import SourceSet

# GitHub shows ten annotations of each level for a step and drops the rest without a word
# (docs.github.com, "Workflow commands for GitHub Actions", limits of annotations, read 2026).
MAX_PER_LEVEL = 10

_LEVELS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.HINT: "notice"}


def render(diagnostics: Sequence[Diagnostic], sources: SourceSet) -> str:
    """At most ten commands a level, errors first, then one line that counts all findings; empty for none."""
    if not diagnostics:
        return ""
    lines: list[str] = []
    for severity in Severity:
        own = [d for d in diagnostics if severity_of(d) is severity]
        lines += [_command(d, severity, sources) for d in own[:MAX_PER_LEVEL]]
    left_out = len(diagnostics) - len(lines)
    lines.append(summary(diagnostics) + (f" ({left_out} not annotated)" if left_out else ""))
    return "".join(line + "\n" for line in lines)


def _command(diagnostic: Diagnostic, severity: Severity, sources: SourceSet) -> str:
    properties: dict[str, str] = {}
    if diagnostic.primary is not None:
        place = place_of(diagnostic.primary.span, sources)
        # An annotation is shown beside a file of the repository, which the project may be a folder of.
        properties["file"] = sources.prefix + place.path
        if place.line is not None:
            properties |= {"line": str(place.line), "endLine": str(place.end_line)}
            # Columns of a range over several lines would be read as those of its first line.
            if place.line == place.end_line:
                properties |= {"col": str(place.column), "endColumn": str(place.end_column)}
    properties["title"] = f"{diagnostic.code} {lookup(diagnostic.code).slug}"
    shown = ",".join(f"{name}={_property(value)}" for name, value in properties.items())
    return f"::{_LEVELS[severity]} {shown}::{_data(_text(diagnostic))}"


def _text(diagnostic: Diagnostic) -> str:
    parts = [visible(diagnostic.message)]
    if diagnostic.pointer is not None:
        parts.append(f"at {visible(diagnostic.pointer) or '/'}")
    parts += [f"note: {visible(note)}" for note in diagnostic.notes]
    if diagnostic.help is not None:
        parts.append(f"help: {visible(diagnostic.help)}")
    return "\n".join(parts)


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(visible(text)).replace(":", "%3A").replace(",", "%2C")
