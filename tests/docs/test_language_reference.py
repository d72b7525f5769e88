"""Every example of the language reference does what the page says; `--update` rewrites the outputs."""

import re
from pathlib import Path

import pytest

from promptc.diagnostics.explain import table
from promptc.ir.ops import OPS
from promptc.semantics.filters import FILTERS, REFUSED_FILTERS, TESTS
from promptc.syntax.refused_tags import REFUSED_TAGS
from support.code_pages import prose
from support.doc_blocks import (
    Block,
    blocks,
    comparison,
    findings,
    fragment_findings,
    jinja_output,
    kind_of,
    pages,
    program_of,
    promptc_output,
    requests_of,
    rewritten,
)

FOLDER = Path(__file__).resolve().parents[2] / "docs" / "language"
ALL = [block for page in pages(FOLDER) for block in blocks(page)]
_CODE = re.compile(r"PC\d{3}")
_ROW = re.compile(r"^\| (PC\d{3}) \| `([^`]+)` \|", re.MULTILINE)


def of(*kinds: str) -> list[Block]:
    return [block for block in ALL if kind_of(block) in kinds]


@pytest.mark.parametrize("page", pages(FOLDER), ids=lambda page: page.stem)
def test_every_fence_says_what_it_promises(page: Path) -> None:
    strange = [(b.fence.line, b.fence.language, b.fence.words) for b in blocks(page) if kind_of(b) is None]
    assert strange == []


@pytest.mark.parametrize("block", of("ok", "same"), ids=str)
def test_module_is_clean(block: Block) -> None:
    assert [(d.code, d.message) for d in findings(block.fence, block.files)] == []


@pytest.mark.parametrize("block", of("error"), ids=str)
def test_module_has_exactly_the_finding_that_its_fence_names(block: Block) -> None:
    found = findings(block.fence, block.files)
    assert [d.code for d in found] == [block.fence.value("error")], [d.message for d in found]


@pytest.mark.parametrize("block", of("same"), ids=str)
def test_both_surfaces_say_the_same(block: Block) -> None:
    assert block.previous is not None
    assert program_of(block.fence, block.files) == program_of(block.previous, block.files)


@pytest.mark.parametrize("block", of("fragment"), ids=str)
def test_fragment_can_be_read(block: Block) -> None:
    assert fragment_findings(block.fence) == []


@pytest.mark.parametrize("page", sorted({b.page for b in of("output")}), ids=lambda page: page.stem)
def test_output_is_what_the_samples_render_to(page: Path, update: bool) -> None:
    if update:
        page.write_text(rewritten(page), encoding="utf-8", newline="\n")
    for block in blocks(page):
        if kind_of(block) == "output":
            assert block.previous is not None
            assert block.fence.text == requests_of(block.previous, block.files), str(block)


@pytest.mark.parametrize("block", of("jinja"), ids=str)
def test_body_gives_what_its_lines_say(block: Block) -> None:
    case = comparison(block.fence.text)
    said = {"jinja2": case.plain, "trimmed": case.trimmed, "promptc": case.promptc}
    found = {
        "jinja2": None if case.plain is None else jinja_output(case, trimmed=False),
        "trimmed": None if case.trimmed is None else jinja_output(case, trimmed=True),
        "promptc": promptc_output(case),
    }
    assert found == said
    others = {text for text in (case.plain, case.trimmed) if text is not None}
    if block.fence.words == ("renders",):
        assert not others
        return
    assert others
    if block.fence.words == ("same",):
        assert others == {case.promptc}
    else:
        assert others != {case.promptc}


def text_of(*names: str) -> str:
    return "\n".join((FOLDER / name).read_text(encoding="utf-8") for name in names)


def test_every_filter_test_and_tag_is_in_its_table() -> None:
    bodies = text_of("05-bodies.md")
    missing = [f"`{name}" for name in (*FILTERS, *TESTS, *REFUSED_FILTERS, *REFUSED_TAGS) if f"| `{name}" not in bodies]
    assert missing == []


def test_every_operation_is_described_as_the_catalogue_describes_it() -> None:
    rows = [f"| `{name}` | {'any' if op.arity is None else op.arity} | {op.meaning} |" for name, op in OPS.items()]
    lines = text_of("04-expressions.md").splitlines()
    assert [row for row in rows if row not in lines] == []


def test_every_row_of_codes_has_the_slug_of_its_code() -> None:
    slugs = {entry.code: entry.slug for entry in table()}
    rows = [row for page in pages(FOLDER) for row in _ROW.findall(page.read_text(encoding="utf-8"))]
    assert len(rows) > 100
    assert [(code, slug) for code, slug in rows if slugs[code] != slug] == []


def test_every_chapter_names_its_codes_and_together_they_name_all_of_the_language() -> None:
    known = {entry.code for entry in table() if not entry.deprecated}
    named: set[str] = set()
    for page in pages(FOLDER):
        if page.name == "README.md":
            continue
        here = set(_CODE.findall("\n".join(line for _, line in prose(page.read_text(encoding="utf-8")))))
        assert here, page.name
        named |= here
    assert named <= known
    of_language = {code for code in known if "PC100" <= code < "PC600"}
    assert of_language <= named
