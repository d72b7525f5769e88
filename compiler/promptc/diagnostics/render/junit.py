"""Findings as JUnit XML, which every CI server reads: a suite a file, a failed case a finding."""

from collections.abc import Sequence

from promptc.diagnostics.model import Diagnostic, Severity
from promptc.diagnostics.registry import lookup
from promptc.diagnostics.render.display import visible
from promptc.diagnostics.render.place import place_of
from promptc.diagnostics.sink import severity_of
from promptc.source import SourceSet

_ESCAPES = {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "\n": "&#10;"}
_TABLE = str.maketrans(_ESCAPES)


def render(diagnostics: Sequence[Diagnostic], sources: SourceSet) -> str:
    """The document. Errors and warnings are failures; a hint is a case that passes and says its text.

    Without findings there is one passing case: servers take a document without cases for a run that did not happen.
    """
    by_path: dict[str, list[Diagnostic]] = {}
    for diagnostic in diagnostics:
        path = diagnostic.primary.span.path if diagnostic.primary is not None else ""
        by_path.setdefault(path, []).append(diagnostic)
    total, failed = max(len(diagnostics), 1), _failures(diagnostics)
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        f'<testsuites name="promptc" tests="{total}" failures="{failed}">',
    ]
    for path, own in by_path.items():
        name = _attribute(path or "promptc")
        lines.append(f'  <testsuite name="{name}" tests="{len(own)}" failures="{_failures(own)}">')
        for diagnostic in own:
            lines += _case(diagnostic, name, sources)
        lines.append("  </testsuite>")
    if not diagnostics:
        lines += [
            '  <testsuite name="promptc" tests="1" failures="0">',
            '    <testcase classname="promptc" name="no findings"/>',
            "  </testsuite>",
        ]
    lines.append("</testsuites>")
    return "\n".join(lines) + "\n"


def _failures(diagnostics: Sequence[Diagnostic]) -> int:
    return sum(severity_of(d) is not Severity.HINT for d in diagnostics)


def _case(diagnostic: Diagnostic, suite: str, sources: SourceSet) -> list[str]:
    place = None if diagnostic.primary is None else place_of(diagnostic.primary.span, sources)
    severity = severity_of(diagnostic)
    name = f"{diagnostic.code} {lookup(diagnostic.code).slug}"
    at = ""
    if place is not None and place.line is not None:
        name += f" {place.line}:{place.column}"
        at = f' line="{place.line}"'
    if diagnostic.pointer is not None:
        name += f" {diagnostic.pointer or '/'}"
    body = _content(diagnostic, f"{place}: " if place is not None else "")
    opening = f'    <testcase classname="{suite}" name="{_attribute(name)}"{at}>'
    if severity is Severity.HINT:
        return [opening, f"      <system-out>{body}</system-out>", "    </testcase>"]
    message = _attribute(diagnostic.message)
    inner = f'      <failure type="{severity.value}" message="{message}">{body}</failure>'
    return [opening, inner, "    </testcase>"]


def _content(diagnostic: Diagnostic, where: str) -> str:
    lines = [f"{where}{diagnostic.message}"]
    lines += [f"note: {note}" for note in diagnostic.notes]
    if diagnostic.help is not None:
        lines.append(f"help: {diagnostic.help}")
    # Made visible first: XML 1.0 has no way at all to write most control characters.
    return "\n".join(visible(line) for line in lines).translate({k: v for k, v in _TABLE.items() if k != ord("\n")})


def _attribute(text: str) -> str:
    return visible(text).translate(_TABLE)
