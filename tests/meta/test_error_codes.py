"""The table of codes, the pages, the examples and the compiler say the same."""

import ast
import re
from collections import Counter
from functools import cache
from pathlib import Path

import pytest

from promptc.diagnostics.explain import page, table
from promptc.diagnostics.registry import find_code
from support.code_pages import Example, examples, findings, has_text_example, headings, pages

_CHECKOUT = Path(__file__).resolve().parents[2]
_CODE = re.compile(r"PC\d{3}")
_BRACKETED = re.compile(r"\[PC\d{3}\]")
_HEADINGS = ("## What it means", "## Example", "## Why it matters", "## How to fix")
_EXAMPLES = [example for path in pages() for example in examples(path)]


def test_every_code_has_a_page_and_every_page_a_code() -> None:
    assert [path.stem for path in pages()] == [entry.code for entry in table()]


@pytest.mark.parametrize("path", pages(), ids=lambda path: path.stem)
def test_page_has_the_title_of_its_code_and_the_sections_of_a_page(path: Path) -> None:
    entry = find_code(path.stem)
    assert entry is not None
    assert headings(path)[0] == f"# {entry.code} {entry.slug}"
    assert tuple(h for h in headings(path) if h.startswith("## ")) == _HEADINGS
    # Severity and version are in the table, and one place is enough for them to go wrong.
    assert page(entry.code) == page(entry.slug) == path.read_text(encoding="utf-8")


@pytest.mark.parametrize("path", pages(), ids=lambda path: path.stem)
def test_page_shows_its_code_and_no_other(path: Path) -> None:
    shown = {example.code for example in examples(path) if example.code is not None}
    assert shown == {path.stem} or (not shown and has_text_example(path))


@pytest.mark.parametrize("example", _EXAMPLES, ids=str)
def test_example_raises_exactly_its_code_and_repair_is_clean(example: Example) -> None:
    found = findings(example)
    wanted = set() if example.code is None else {example.code}
    assert {d.code for d in found} == wanted, [f"{d.code} {d.message}" for d in found]


def test_every_code_is_shown_by_an_executed_example_or_covered_by_a_test() -> None:
    executed = {example.code for example in _EXAMPLES}
    tested = _codes_named_in_tests()
    assert [e.code for e in table() if not e.deprecated and e.code not in executed | tested] == []


def test_every_code_in_the_table_is_raised_and_no_other() -> None:
    raised = _codes_raised()
    assert [e.code for e in table() if not e.deprecated and e.code not in raised] == []
    assert sorted(code for code in raised if find_code(code) is None) == []


def test_no_deprecated_code_is_raised() -> None:
    assert [e.code for e in table() if e.deprecated and e.code in _codes_raised()] == []


def test_codes_and_slugs_are_unique_and_well_formed() -> None:
    for count in (Counter(e.code for e in table()), Counter(e.slug for e in table())):
        assert [name for name, n in count.items() if n > 1] == []
    for entry in table():
        assert re.fullmatch(r"PC\d{3}", entry.code)
        assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", entry.slug), entry.slug
        # A slug names the bad thing, so that "allow SLUG" reads well.
        assert not entry.slug.startswith(("no-", "disallow-", "invalid-", "illegal-")) or entry.slug == "no-specs"


def test_summaries_are_one_sentence_that_says_when() -> None:
    for entry in table():
        assert entry.summary.startswith("Reported when "), entry.code
        assert entry.summary.endswith(".") and "\n" not in entry.summary, entry.code


@cache
def _codes_named_in_tests() -> frozenset[str]:
    here = Path(__file__)
    files = [p for p in (_CHECKOUT / "tests").rglob("*") if p.is_file() and p != here and "__pycache__" not in p.parts]
    return frozenset(
        code for path in files for code in _CODE.findall(path.read_text(encoding="utf-8", errors="replace"))
    )


@cache
def _codes_raised() -> frozenset[str]:
    found: set[str] = set()
    for path in (_CHECKOUT / "compiler").rglob("*.py"):
        if "registry" not in path.parts:
            found |= _raised_in(ast.parse(path.read_text(encoding="utf-8")))
    return frozenset(found)


def _raised_in(tree: ast.Module) -> set[str]:
    """Codes that a module writes as values: not those that it compares with, bounds by, or holds in a set."""
    asked: set[ast.AST] = set()
    for node in ast.walk(tree):
        match node:
            case ast.Compare(left=left, comparators=others):
                asked |= {left, *others}
            case ast.keyword(arg="below", value=value):
                asked.add(value)
            case ast.Set(elts=elements):
                asked |= set(elements)
    constants = (n.value for n in ast.walk(tree) if isinstance(n, ast.Constant) and n not in asked)
    # The command line says what it says about itself as text, with the code in brackets.
    return {
        code.strip("[]")
        for text in constants
        if isinstance(text, str)
        for code in ([text] if _CODE.fullmatch(text) else _BRACKETED.findall(text))
    }
