"""The pages of the PC600 to PC679 codes: each example gives exactly its code, each repair nothing."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from promptc.diagnostics.registry.cache import CACHE
from promptc.providers.checks.run import check_document
from promptc.providers.registry import resolve

_PAGES = Path(__file__).resolve().parents[3] / "docs" / "codes"
_CODES = [entry for entry in CACHE if "PC600" <= entry.code <= "PC679"]
_FENCE = re.compile(
    r"^```json (error=(?P<code>PC\d{3})|ok) target=(?P<target>[\w.-]+)\n(?P<body>.*?)^```$", re.M | re.S
)
_SECTIONS = ["## What it means", "## Example", "## Why it matters", "## How to fix"]


def _model(document: Any) -> str | None:
    last = document[-1] if isinstance(document, list) else document
    if isinstance(last.get("requests"), list):
        last = last["requests"][-1]
    found: str | None = last.get("model")
    return found


@pytest.mark.parametrize("code", [entry.code for entry in _CODES])
def test_page_has_its_sections_and_its_examples_do_what_they_say(code: str) -> None:
    page = (_PAGES / f"{code}.md").read_text(encoding="utf-8")
    entry = next(entry for entry in _CODES if entry.code == code)
    assert page.splitlines()[0] == f"# {code} {entry.slug}"
    assert [line for line in page.splitlines() if line.startswith("## ")] == _SECTIONS
    fences = list(_FENCE.finditer(page))
    if code == "PC677":  # about a project's own files, not about a request
        assert not fences
        return
    assert [fence["code"] for fence in fences] == [code, None]
    for fence in fences:
        document = json.loads(fence["body"])
        found = check_document(document, resolve(fence["target"], _model(document)), fence["body"].encode())
        assert {d.code for d in found} == ({code} if fence["code"] else set()), [d.message for d in found]
        assert all(d.pointer is not None for d in found)


def test_every_finding_reads_like_a_message() -> None:
    for entry in _CODES:
        page = (_PAGES / f"{entry.code}.md").read_text(encoding="utf-8")
        for fence in _FENCE.finditer(page):
            document = json.loads(fence["body"])
            for found in check_document(document, resolve(fence["target"], _model(document))):
                for text in (found.message, *found.notes, found.help or "x"):
                    if text.startswith("the API would refuse"):  # ends in the vendor's own words
                        continue
                    assert text and not text.endswith("."), text
                    assert text[0] == "`" or not text[0].isupper(), text
