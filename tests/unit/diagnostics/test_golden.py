"""Findings of whole modules in every format, as files under tests/golden/diagnostics."""

from pathlib import Path

import pytest

from promptc.diagnostics.render.dispatch import FORMATS, render_diagnostics
from promptc.diagnostics.render.summary import summary
from promptc.pipeline import compile_root
from support.code_pages import Files

_GOLDEN = Path(__file__).resolve().parents[2] / "golden" / "diagnostics"
_SUFFIXES = {"text": "txt", "json": "json", "markdown": "md", "sarif": "sarif", "junit": "xml"}


def _cases() -> list[Path]:
    return sorted(p for p in _GOLDEN.iterdir() if p.is_dir())


def _expected(case: Path, format: str) -> Path:
    return case / f"expected.{_SUFFIXES.get(format, format)}"


@pytest.mark.parametrize("case", _cases(), ids=lambda p: p.name)
@pytest.mark.parametrize("format", FORMATS)
def test_findings_look_as_recorded(case: Path, format: str, update: bool) -> None:
    files = {p.name: p.read_text(encoding="utf-8") for p in case.iterdir() if not p.name.startswith("expected.")}
    compilation = compile_root("spec.promptc", Files(files))
    shown = render_diagnostics(format, compilation.diagnostics, compilation.sources)
    if format == "text" and compilation.diagnostics:
        shown += f"\n{summary(compilation.diagnostics)}\n"
    path = _expected(case, format)
    if update:
        path.write_text(shown, encoding="utf-8", newline="\n")
    assert shown == path.read_text(encoding="utf-8")


def test_every_recorded_file_has_a_reader() -> None:
    for case in _cases():
        known = {_expected(case, format).name for format in FORMATS}
        assert {p.name for p in case.iterdir() if p.name.startswith("expected.")} == known
