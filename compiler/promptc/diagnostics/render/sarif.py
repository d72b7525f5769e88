"""Findings as SARIF 2.1.0 (OASIS, 2020), for code scanning services."""

import hashlib
import json
import re
from collections import Counter
from collections.abc import Sequence
from urllib.parse import quote

from promptc.diagnostics.codes import Code
from promptc.diagnostics.model import Diagnostic, Fix, Label, Severity
from promptc.diagnostics.registry import lookup
from promptc.diagnostics.render.display import visible
from promptc.diagnostics.render.place import place_of
from promptc.diagnostics.sink import severity_of
from promptc.source import SourceSet, Span

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
# The key names what the fingerprint is made of; another recipe takes another number.
FINGERPRINT = "promptcFinding/v1"

_LEVELS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.HINT: "note"}


def render(diagnostics: Sequence[Diagnostic], sources: SourceSet) -> str:
    """The log with a final newline. URIs are relative to the repository, columns count code points."""
    rules = sorted({d.code for d in diagnostics})
    seen: Counter[str] = Counter()
    log = {
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [
            {
                "tool": {"driver": {"name": "promptc", "rules": [_rule(lookup(code)) for code in rules]}},
                "columnKind": "unicodeCodePoints",
                "originalUriBaseIds": {"REPOSITORY": {"description": {"text": "The root of the repository."}}},
                "results": [_result(d, rules.index(d.code), sources, seen) for d in diagnostics],
            }
        ],
    }
    return json.dumps(log, indent=2) + "\n"


def _rule(code: Code) -> dict[str, object]:
    return {
        "id": code.code,
        "name": code.slug,
        "shortDescription": {"text": code.summary},
        "defaultConfiguration": {"level": _LEVELS[code.severity]},
    }


def _result(diagnostic: Diagnostic, rule: int, sources: SourceSet, seen: Counter[str]) -> dict[str, object]:
    result: dict[str, object] = {
        "ruleId": diagnostic.code,
        "ruleIndex": rule,
        "level": _LEVELS[severity_of(diagnostic)],
        "message": {"text": _message(diagnostic)},
        "partialFingerprints": {FINGERPRINT: _fingerprint(diagnostic, sources, seen)},
    }
    if diagnostic.primary is not None:
        result["locations"] = [_location(diagnostic.primary, sources)]
    elif diagnostic.pointer is not None:
        name = visible(diagnostic.pointer) or "/"
        result["locations"] = [{"logicalLocations": [{"fullyQualifiedName": name, "kind": "value"}]}]
    if diagnostic.secondary:
        result["relatedLocations"] = [
            {"id": number, **_location(label, sources)} for number, label in enumerate(diagnostic.secondary, start=1)
        ]
    fix = None if diagnostic.fix is None else _fix(diagnostic.fix, sources)
    if fix is not None:
        result["fixes"] = [fix]
    return result


def _message(diagnostic: Diagnostic) -> str:
    parts = [diagnostic.message, *diagnostic.notes, *((diagnostic.help,) if diagnostic.help is not None else ())]
    # In a message string `[text](target)` is a link (SARIF 3.11.6); a backslash makes brackets plain text.
    return "\n".join(re.sub(r"[\\\[\]]", r"\\\g<0>", visible(part)) for part in parts)


def _location(label: Label, sources: SourceSet) -> dict[str, object]:
    location: dict[str, object] = {"physicalLocation": _physical(label.span, sources)}
    if label.text:
        location["message"] = {"text": re.sub(r"[\\\[\]]", r"\\\g<0>", visible(label.text))}
    return location


def _physical(span: Span, sources: SourceSet) -> dict[str, object]:
    physical: dict[str, object] = {"artifactLocation": _artifact(span.path, sources)}
    region = _region(span, sources)
    if region is not None:
        physical["region"] = region
    return physical


def _artifact(path: str, sources: SourceSet) -> dict[str, object]:
    # A first segment with a colon would be read as a scheme, so it is always escaped.
    return {"uri": quote(sources.prefix + path, safe="/", errors="backslashreplace"), "uriBaseId": "REPOSITORY"}


def _region(span: Span, sources: SourceSet) -> dict[str, object] | None:
    place = place_of(span, sources)
    if place.line is None:
        return None
    return {
        "startLine": place.line,
        "startColumn": place.column,
        "endLine": place.end_line,
        "endColumn": place.end_column,
    }


def _fix(fix: Fix, sources: SourceSet) -> dict[str, object] | None:
    """A fix; None when the text that it changes is not at hand, since an empty one is not SARIF."""
    by_path: dict[str, list[dict[str, object]]] = {}
    for edit in fix.edits:
        region = _region(edit.span, sources)
        if region is not None:
            replacement = {"deletedRegion": region, "insertedContent": {"text": edit.replacement}}
            by_path.setdefault(edit.span.path, []).append(replacement)
    changes = [{"artifactLocation": _artifact(path, sources), "replacements": own} for path, own in by_path.items()]
    return {"description": {"text": visible(fix.title)}, "artifactChanges": changes} if changes else None


def _fingerprint(diagnostic: Diagnostic, sources: SourceSet, seen: Counter[str]) -> str:
    """A digest that stays when lines move: code, path, message, the marked text, and the how-manieth of its like."""
    where = ["", ""]
    if diagnostic.primary is not None:
        span = diagnostic.primary.span
        source = sources.get(span.path)
        where = [span.path, source.text[span.start : span.end] if source is not None else ""]
    content = json.dumps([diagnostic.code, *where, diagnostic.pointer, diagnostic.message])
    seen[content] += 1
    return hashlib.sha256(f"{content}#{seen[content]}".encode()).hexdigest()[:32]
