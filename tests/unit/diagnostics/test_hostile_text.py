"""Text from users and captures stays text in every format."""

import json
import re
import unicodedata
from xml.etree import ElementTree

import pytest

from promptc.diagnostics.render.dispatch import FORMATS, render_diagnostics
from support.findings import HOSTILE_TEXTS, hostile

_hostile_texts = pytest.mark.parametrize("text", HOSTILE_TEXTS, ids=ascii)


@_hostile_texts
@pytest.mark.parametrize("format", FORMATS)
def test_no_format_lets_a_control_or_hidden_character_through(format: str, text: str) -> None:
    shown = render_diagnostics(format, *hostile(text))
    bad = {c for c in shown if c != "\n" and unicodedata.category(c) in ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")}
    assert bad == set()
    shown.encode("utf-8")


@pytest.mark.parametrize("format", FORMATS)
def test_number_of_lines_does_not_depend_on_the_text(format: str) -> None:
    lengths = {render_diagnostics(format, *hostile(t)).count("\n") for t in HOSTILE_TEXTS if "\n" not in t}
    assert len(lengths) == 1


@_hostile_texts
def test_concise_is_a_line_a_finding(text: str) -> None:
    found, sources = hostile(text)
    lines = render_diagnostics("concise", found, sources).splitlines()
    assert [bool(re.search(r": error\[PC\d{3}\] ", line)) for line in lines] == [True] * len(found)


@_hostile_texts
def test_github_takes_no_command_from_a_text(text: str) -> None:
    found, sources = hostile(text)
    *commands, last = render_diagnostics("github", found, sources).split("\n")[:-1]
    assert last == "2 errors"
    assert len(commands) == len(found)
    for command in commands:
        assert command.startswith("::error ")
        properties, _, data = command.removeprefix("::error ").partition("::")
        for one in properties.split(","):
            name, _, value = one.partition("=")
            assert name in {"file", "line", "endLine", "col", "endColumn", "title"}
            assert not set(value) & set("\r\n:,")
        assert "\n" not in data and re.fullmatch(r"(?:[^%]|%25|%0A|%0D)*", data)


@_hostile_texts
def test_json_keeps_the_text_as_it_is(text: str) -> None:
    data = json.loads(render_diagnostics("json", *hostile(text)))
    assert data["format"] == "promptc.diagnostics/1"
    first = data["diagnostics"][0]
    # Half of a pair and half of another are read back as the pair; alone each stays what it is.
    assert first["message"] == f"`{text}` is not declared"
    assert first["fix"]["edits"][0]["replacement"] == text
    assert first["path"] == f"{text}.promptc"


@_hostile_texts
def test_junit_is_xml_with_the_same_structure(text: str) -> None:
    root = ElementTree.fromstring(render_diagnostics("junit", *hostile(text)))
    assert [e.tag for e in root.iter()] == ["testsuites", *["testsuite", "testcase", "failure"] * 2]
    assert root.attrib["tests"] == root.attrib["failures"] == "2"


@_hostile_texts
def test_sarif_has_relative_uris_and_no_links(text: str) -> None:
    run = json.loads(render_diagnostics("sarif", *hostile(text)))["runs"][0]
    for result in run["results"]:
        assert re.search(r"(?<!\\)\[", result["message"]["text"]) is None
        for location in [*result["locations"], *result.get("relatedLocations", [])]:
            physical = location.get("physicalLocation")
            if physical is not None:
                uri = physical["artifactLocation"]["uri"]
                assert re.fullmatch(r"[A-Za-z0-9._~%/-]*", uri) and not uri.startswith("/")


@_hostile_texts
def test_markdown_shows_text_and_nothing_else(text: str) -> None:
    markdown_it = pytest.importorskip("markdown_it")
    found, sources = hostile(text)
    shown = render_diagnostics("markdown", found, sources)
    tokens = markdown_it.MarkdownIt("commonmark", {"html": True}).enable("table").parse(shown)
    inner = [child for token in tokens for child in token.children or ()]
    kinds = {token.type for token in inner}
    assert kinds <= {"text", "text_special", "softbreak", "strong_open", "strong_close"}
    rows = [line for line in shown.splitlines() if line.startswith("|")]
    assert [line.count("|") for line in rows] == [5] * (2 + len(found))
    html = [token.content for token in tokens if token.type == "html_block"]
    assert all(re.fullmatch(r"(<details><summary>[^<>]*</summary>|</details>)\n?", block) for block in html)
