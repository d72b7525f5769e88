"""The pages of PC150 to PC169: each example shows its own code and nothing else, each repair is clean."""

import re

import pytest

from promptc.assets import asset_dir
from promptc.diagnostics.model import Diagnostic, Edit
from promptc.diagnostics.registry.syntax_yaml import YAML_CODES
from promptc.diagnostics.sink import Sink
from promptc.source import Source
from promptc.syntax.yaml_reader import parse_yaml_module

FENCE = re.compile(r"^```yaml (error=(?P<code>PC\d+)|ok)\n(?P<text>.*?)^```$", re.M | re.S)
NOT_SHOWN = {"PC158", "PC163"}  # too large, and invisible
FIXED = {"PC152", "PC160", "PC161", "PC164"}


def _findings(text: str) -> tuple[Diagnostic, ...]:
    sink = Sink()
    parse_yaml_module(Source("a.promptc.yaml", text), sink)
    return sink.sorted()


def _applied(text: str, edits: tuple[Edit, ...]) -> str:
    for edit in sorted(edits, key=lambda edit: edit.span, reverse=True):
        text = text[: edit.span.start] + edit.replacement + text[edit.span.end :]
    return text


@pytest.mark.parametrize("entry", YAML_CODES, ids=lambda entry: entry.code)
def test_a_page_shows_its_code(entry: object) -> None:
    code, slug = getattr(entry, "code", ""), getattr(entry, "slug", "")
    page = (asset_dir("codes") / f"{code}.md").read_text(encoding="utf-8")
    assert page.startswith(f"# {code} {slug}\n")
    fences = list(FENCE.finditer(page))
    assert [fence["code"] for fence in fences] == ([None] if code in NOT_SHOWN else [code, None])
    for fence in fences:
        assert [finding.code for finding in _findings(fence["text"])] == ([code] if fence["code"] else [])


@pytest.mark.parametrize("code", [entry.code for entry in YAML_CODES if entry.code not in NOT_SHOWN])
def test_a_fix_of_a_page_removes_the_finding(code: str) -> None:
    page = (asset_dir("codes") / f"{code}.md").read_text(encoding="utf-8")
    fence = FENCE.search(page)
    assert fence is not None
    fix = _findings(fence["text"])[0].fix
    assert (fix is not None) == (code in FIXED)
    if fix is not None:
        assert _findings(_applied(fence["text"], fix.edits)) == ()
