"""The pages of PC100 to PC120: each example shows its own code and nothing else, each repair is clean."""

import re

import pytest

from promptc.assets import asset_dir
from promptc.diagnostics.registry.syntax_dsl import DSL_CODES
from promptc.diagnostics.sink import Sink
from promptc.source import Source
from promptc.syntax.format import format_module
from promptc.syntax.parser import parse_module

FENCE = re.compile(r"^```promptc (error=(?P<code>PC\d+)|ok)\n(?P<text>.*?)^```$", re.M | re.S)


@pytest.mark.parametrize("code", [entry.code for entry in DSL_CODES])
def test_a_page_shows_its_code(code: str) -> None:
    page = (asset_dir("codes") / f"{code}.md").read_text()
    fences = list(FENCE.finditer(page))
    assert [fence["code"] for fence in fences] == [code, None]
    for fence in fences:
        sink = Sink()
        source = Source(f"{code}.promptc", fence["text"])
        module = parse_module(source, sink)
        assert [finding.code for finding in sink.sorted()] == ([code] if fence["code"] else [])
        if not fence["code"]:
            assert format_module(module, source) == fence["text"]


@pytest.mark.parametrize("code", [entry.code for entry in DSL_CODES])
def test_a_fix_of_a_page_removes_the_finding(code: str) -> None:
    page = (asset_dir("codes") / f"{code}.md").read_text()
    text = next(FENCE.finditer(page))["text"]
    sink = Sink()
    parse_module(Source("a.promptc", text), sink)
    fix = sink.sorted()[0].fix
    if fix is None:
        assert code not in FIXED
        return
    assert code in FIXED
    for edit in sorted(fix.edits, key=lambda e: -e.span.start):
        text = text[: edit.span.start] + edit.replacement + text[edit.span.end :]
    after = Sink()
    parse_module(Source("a.promptc", text), after)
    assert after.sorted() == ()


FIXED = {"PC101", "PC104", "PC105", "PC106", "PC107", "PC111", "PC112", "PC113", "PC114", "PC115", "PC117", "PC120"}


@pytest.mark.parametrize("entry", DSL_CODES, ids=lambda entry: entry.code)
def test_a_page_is_titled_with_code_and_slug(entry: object) -> None:
    code, slug = getattr(entry, "code", ""), getattr(entry, "slug", "")
    page = (asset_dir("codes") / f"{code}.md").read_text()
    assert page.startswith(f"# {code} {slug}\n")
