"""docs/captures.md names every format, and its snippet runs."""

import re
from pathlib import Path

import pytest

from promptc.streams.sources.formats import FORMATS
from support.checkout import ROOT
from support.code_pages import fences
from support.recorded import ALL

PAGE = (ROOT / "docs" / "captures.md").read_text(encoding="utf-8")


def test_the_table_has_a_row_for_every_format() -> None:
    rows = re.findall(r"^\| ([A-Z]?[\w -]+?) \|", PAGE, re.MULTILINE)
    assert sorted(rows) == sorted(["format", *(known.title for known in FORMATS)])


def test_a_format_that_loses_something_says_so_in_its_row() -> None:
    for known in FORMATS:
        row = next(line for line in PAGE.splitlines() if line.startswith(f"| {known.title} |"))
        assert (row.split("|")[3].strip() == "nothing") == (known.loses is None and known.name != "openpipe")


def test_the_snippet_prints_a_line_for_each_request(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "trace.jsonl").write_bytes(ALL["claude-tap"]())
    monkeypatch.chdir(tmp_path)
    code = next(fence.text for fence in fences(PAGE) if fence.language == "python")
    exec(compile(code, "captures.md", "exec"), {})
    assert len(capsys.readouterr().out.splitlines()) == 2
