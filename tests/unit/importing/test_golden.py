"""Whole files of every format: the spec that comes out, and what is said of the rest."""

from pathlib import Path

import pytest

from promptc.diagnostics.sink import Sink
from promptc.source import Source
from promptc.syntax.canonical import canonical
from promptc.syntax.dump import dump
from promptc.syntax.format import format_module
from promptc.syntax.parser import parse_module
from promptc.syntax.yaml_reader import parse_yaml_module
from support.imports import compiled, imported, report

_GOLDEN = Path(__file__).resolve().parents[2] / "golden" / "importing"
_CASES = sorted(path.name for path in _GOLDEN.iterdir())


@pytest.mark.parametrize("case", _CASES)
def test_a_file_gives_its_spec_and_its_report(case: str, update: bool) -> None:
    folder = _GOLDEN / case
    files = {p.name: p.read_text(encoding="utf-8") for p in sorted(folder.iterdir())}
    (main,) = [name for name in files if name.startswith("main.")]
    found = imported(main, files[main], files)
    assert found.spec is not None, report(found)
    if update:
        (folder / "expected.promptc").write_text(found.spec.dsl, encoding="utf-8")
        (folder / "report.txt").write_text(report(found), encoding="utf-8")
        return
    assert found.spec.dsl == files["expected.promptc"]
    assert report(found) == files["report.txt"]


@pytest.mark.parametrize("case", _CASES)
def test_the_spec_checks_is_formatted_and_says_the_same_in_yaml(case: str) -> None:
    folder = _GOLDEN / case
    files = {p.name: p.read_text(encoding="utf-8") for p in sorted(folder.iterdir())}
    (main,) = [name for name in files if name.startswith("main.")]
    found = imported(main, files[main], files)
    assert found.spec is not None
    compiled(found.spec.dsl)
    source = Source("spec.promptc", found.spec.dsl)
    assert format_module(parse_module(source, Sink()), source) == found.spec.dsl
    sink = Sink()
    twin = parse_yaml_module(Source("spec.promptc.yaml", found.spec.yaml), sink)
    assert not sink.has_errors
    assert dump(canonical(twin)) == dump(canonical(parse_module(source, Sink())))
