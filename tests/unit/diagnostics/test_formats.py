"""What each format says, beyond being safe."""

import json
from collections import Counter
from xml.etree import ElementTree

import pytest

from promptc.diagnostics.model import Diagnostic, Edit, Fix, Label, Severity
from promptc.diagnostics.render.dispatch import FORMATS, render_diagnostics
from promptc.diagnostics.render.summary import summary
from promptc.source import SourceSet, Span
from support.findings import at, source_set

_SOURCES = source_set(a="one\n日本 two\n")


def _finding(severity: Severity | None = None, text: str = "two") -> Diagnostic:
    return Diagnostic("PC201", f"`{text}` is not declared", Label(at(_SOURCES, "two")), severity=severity)


def test_summary_counts_and_leaves_out_what_is_not_there() -> None:
    hint, warning, error = (_finding(s) for s in (Severity.HINT, Severity.WARNING, Severity.ERROR))
    assert summary(()) == "no findings"
    assert summary((error,)) == "1 error"
    assert summary((hint, warning, error, error)) == "2 errors, 1 warning, 1 hint"


@pytest.mark.parametrize("format", FORMATS)
def test_every_format_is_deterministic_and_ends_its_last_line(format: str) -> None:
    shown = render_diagnostics(format, (_finding(),), _SOURCES)
    assert shown == render_diagnostics(format, (_finding(),), _SOURCES)
    assert shown.endswith("\n") and not shown.endswith("\n\n")


def test_an_unknown_format_is_a_key_error() -> None:
    with pytest.raises(KeyError):
        render_diagnostics("html", (), _SOURCES)


def test_concise_counts_lines_and_columns_from_one_in_code_points() -> None:
    assert (
        render_diagnostics("concise", (_finding(),), _SOURCES) == "a.promptc:2:4: error[PC201] `two` is not declared\n"
    )


def test_json_places_are_one_based_with_exclusive_ends() -> None:
    data = json.loads(render_diagnostics("json", (_finding(),), _SOURCES))
    first = data["diagnostics"][0]
    assert (first["line"], first["column"], first["end_line"], first["end_column"]) == (2, 4, 2, 7)
    assert data["summary"] == {"error": 1, "warning": 0, "hint": 0}
    assert first["code"] == "PC201" and first["slug"] == "unknown-name" and first["fix"] is None


def test_github_annotates_the_worst_first_and_ten_of_a_level() -> None:
    found = [_finding(Severity.HINT), *[_finding(Severity.WARNING)] * 3, *[_finding()] * 12]
    *commands, last = render_diagnostics("github", found, _SOURCES).splitlines()
    levels = [command.split()[0] for command in commands]
    assert levels == ["::error"] * 10 + ["::warning"] * 3 + ["::notice"]
    assert last == "12 errors, 3 warnings, 1 hint (2 not annotated)"
    assert render_diagnostics("github", (), _SOURCES) == ""


def test_github_properties_escape_what_ends_them() -> None:
    found = Diagnostic("PC201", "100% a:b", Label(Span("a,b:c%.promptc", 0, 1)))
    first = render_diagnostics("github", (found,), SourceSet()).splitlines()[0]
    assert first == "::error file=a%2Cb%3Ac%25.promptc,title=PC201 unknown-name::100%25 a:b"


def test_junit_hints_pass_and_a_clean_run_has_a_case() -> None:
    root = ElementTree.fromstring(render_diagnostics("junit", (_finding(Severity.HINT), _finding()), _SOURCES))
    assert (root.attrib["tests"], root.attrib["failures"]) == ("2", "1")
    clean = ElementTree.fromstring(render_diagnostics("junit", (), _SOURCES))
    assert (clean.attrib["tests"], clean.attrib["failures"]) == ("1", "0")
    assert clean.find("testsuite/testcase") is not None


def test_markdown_has_a_row_a_finding_and_folds_what_is_long() -> None:
    plain = _finding()
    rich = Diagnostic("PC201", "m", Label(at(_SOURCES, "one")), notes=("why",), help="do it")
    shown = render_diagnostics("markdown", (plain, rich), _SOURCES)
    assert shown.startswith("**promptc**: 2 errors\n")
    assert shown.count("\n| error | PC201 unknown-name |") == 2
    assert shown.count("<details>") == shown.count("</details>") == 1


def _sarif(*found: Diagnostic, sources: SourceSet = _SOURCES) -> dict[str, object]:
    log = json.loads(render_diagnostics("sarif", found, sources))
    assert log["version"] == "2.1.0"
    assert len(log["runs"]) == 1
    run: dict[str, object] = log["runs"][0]
    return run


def test_sarif_names_its_rules_and_counts_code_points() -> None:
    run = _sarif(_finding(), Diagnostic("PC220", "m", Label(at(_SOURCES, "one"))))
    assert run["columnKind"] == "unicodeCodePoints"
    rules = run["tool"]["driver"]["rules"]  # type: ignore[index]  # JSON
    results = run["results"]
    assert [r["id"] for r in rules] == ["PC201", "PC220"]
    assert [(r["ruleId"], r["ruleIndex"], r["level"]) for r in results] == [  # type: ignore[attr-defined]  # JSON
        ("PC201", 0, "error"),
        ("PC220", 1, "warning"),
    ]
    region = results[0]["locations"][0]["physicalLocation"]["region"]  # type: ignore[index]  # JSON
    assert region == {"startLine": 2, "startColumn": 4, "endLine": 2, "endColumn": 7}


def test_sarif_fingerprints_outlive_a_move_and_tell_like_findings_apart() -> None:
    def prints(run: dict[str, object]) -> list[str]:
        return [r["partialFingerprints"]["promptcFinding/v1"] for r in run["results"]]  # type: ignore[attr-defined]

    moved = source_set(a="zero\n\none\n日本 two\n")
    there = Diagnostic("PC201", "`two` is not declared", Label(at(moved, "two")))
    assert prints(_sarif(_finding())) == prints(_sarif(there, sources=moved))
    assert max(Counter(prints(_sarif(_finding(), _finding(), _finding(text="x")))).values()) == 1


def test_sarif_fix_replaces_regions() -> None:
    span = at(_SOURCES, "two")
    found = Diagnostic("PC201", "m", Label(span), fix=Fix("write `2`", (Edit(span, "2"),)))
    result = _sarif(found)["results"][0]  # type: ignore[index]  # JSON
    replacement = result["fixes"][0]["artifactChanges"][0]["replacements"][0]
    assert replacement["deletedRegion"]["startColumn"] == 4
    assert replacement["insertedContent"] == {"text": "2"}
    without_text = Diagnostic("PC201", "m", Label(span), fix=Fix("t", (Edit(Span("gone", 0, 1), ""),)))
    assert "fixes" not in _sarif(without_text)["results"][0]  # type: ignore[index]  # JSON


def test_sarif_of_a_request_has_its_pointer_as_a_logical_location() -> None:
    result = _sarif(Diagnostic("PC600", "m", None, pointer="/messages/0"))["results"][0]  # type: ignore[index]
    assert result["locations"] == [{"logicalLocations": [{"fullyQualifiedName": "/messages/0", "kind": "value"}]}]
