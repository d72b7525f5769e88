"""`promptc diff --format html`: one page for every kind of input, to stdout or to a file."""

import json
from pathlib import Path

import pytest

from promptc.streams.result import Comparison, Finding
from support.checkout import ROOT, promptc
from support.manifests import GOLDEN as MANIFESTS
from support.pages import read_page

GOLDEN = ROOT / "tests" / "golden" / "diff"


def run(*arguments: object) -> tuple[int, str]:
    done = promptc(["diff", *map(str, arguments)], ROOT)
    return done.code, done.stdout.decode()


def edited_spec(folder: Path) -> tuple[Path, Path]:
    text = (MANIFESTS / "agent.promptc").read_text(encoding="utf-8")
    old, new = folder / "old.promptc", folder / "new.promptc"
    old.write_text(text, encoding="utf-8")
    new.write_text(text.replace("Directory: ", "Folder: "), encoding="utf-8")
    return old, new


def test_requests_give_a_page_on_stdout() -> None:
    folder = GOLDEN / "clock-and-respelled-result"
    code, out = run(folder / "a.json", folder / "b.json", "--format", "html")
    assert code == 1
    assert out == (folder / "report.html").read_text(encoding="utf-8")


def test_texts_give_a_page_in_a_file(tmp_path: Path) -> None:
    folder = GOLDEN / "plain-text"
    code, out = run(folder / "a.txt", folder / "b.txt", "-f", "html", "-o", tmp_path / "page.html")
    assert (code, out) == (1, "")
    assert (tmp_path / "page.html").read_bytes() == (folder / "report.html").read_bytes()


def test_specs_give_a_page_with_their_variants(tmp_path: Path) -> None:
    code, out = run(*edited_spec(tmp_path), "--format", "html")
    assert code == 1
    page = read_page(out)
    assert page.unclosed == []
    assert "variants, the worst first" in page.text
    assert "Folder" in page.text
    assert "new.promptc:" in page.text


def test_the_same_specs_break_nothing(tmp_path: Path) -> None:
    old, _ = edited_spec(tmp_path)
    code, out = run(old, old, "--format", "html")
    assert code == 0
    assert "same Nothing that is cached breaks" in read_page(out).text


def test_manifests_give_the_page_of_their_specs(tmp_path: Path) -> None:
    old, new = edited_spec(tmp_path)
    for path in (old, new):
        built = promptc(["build", str(path), "--out", str(tmp_path / path.stem)], tmp_path)
        assert built.code == 0, built.stderr
    code, out = run(tmp_path / "old", tmp_path / "new", "--format", "html")
    assert code == 1
    assert "variants, the worst first" in read_page(out).text


@pytest.mark.parametrize("format", ["text", "json"])
def test_other_formats_go_to_files_too(tmp_path: Path, format: str) -> None:
    old, new = edited_spec(tmp_path)
    _, shown = run(old, new, "--format", format)
    code, out = run(old, new, "--format", format, "--output", tmp_path / "report")
    assert (code, out) == (1, "")
    assert (tmp_path / "report").read_text(encoding="utf-8") == shown


def test_a_file_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    folder = GOLDEN / "plain-text"
    (tmp_path / "file").write_text("x")
    code, _ = run(folder / "a.txt", folder / "b.txt", "-f", "html", "-o", tmp_path / "file" / "page.html")
    assert code == 2


def test_another_format_is_refused() -> None:
    folder = GOLDEN / "plain-text"
    result = promptc(["diff", str(folder / "a.txt"), str(folder / "b.txt"), "--format", "xml"], ROOT)
    assert result.code == 2
    assert "`xml` is no format" in result.stderr


def test_the_guide_names_every_key_of_the_json(tmp_path: Path) -> None:
    guide = (ROOT / "docs" / "how-to" / "read-a-diff.md").read_text(encoding="utf-8")
    _, out = run(*edited_spec(tmp_path), "--format", "json")
    keys = [*json.loads(out), *Comparison.model_fields]
    keys += [name for name, field in Finding.model_fields.items() if not field.exclude]
    assert [key for key in keys if f"`{key}`" not in guide] == []
