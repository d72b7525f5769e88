"""Golden cases of the DSL: trees, findings of recovery, canonical texts."""

from pathlib import Path

import pytest

from promptc.diagnostics.sink import Sink
from promptc.source import Source
from promptc.syntax.dump import dump
from promptc.syntax.format import format_module
from promptc.syntax.nodes import Module
from promptc.syntax.parser import parse_module

GOLDEN = Path(__file__).resolve().parents[2] / "golden"


def cases(area: str) -> list[Path]:
    return sorted((GOLDEN / area).glob("*.promptc"))


def load(case: Path) -> tuple[Source, Module, Sink]:
    source = Source(case.name, case.read_bytes().decode())
    sink = Sink()
    return source, parse_module(source, sink), sink


def check(expected: Path, actual: str, update: bool) -> None:
    if update:
        expected.write_bytes(actual.encode())
    assert actual == expected.read_bytes().decode()


@pytest.mark.parametrize("case", cases("parse"), ids=lambda p: p.stem)
def test_sound_modules_give_their_trees(case: Path, update: bool) -> None:
    _, module, sink = load(case)
    assert sink.sorted() == ()
    check(case.with_suffix(".dump"), dump(module), update)


@pytest.mark.parametrize("case", cases("recover"), ids=lambda p: p.stem)
def test_mistakes_give_one_finding_each(case: Path, update: bool) -> None:
    source, module, sink = load(case)
    assert module.broken
    lines = []
    for finding in sink.sorted():
        assert finding.primary is not None
        line, column = source.line_column(finding.primary.span.start)
        found = source.text[finding.primary.span.start : finding.primary.span.end]
        lines.append(f"{line + 1}:{column + 1} {finding.code} {finding.message} [{found}]")
        lines += [f"  help: {finding.help}"] if finding.help else []
        lines += [f"  fix: {finding.fix.title}"] if finding.fix else []
    lines.append("kept: " + " ".join(type(item).__name__ for item in module.items))
    check(case.with_suffix(".findings"), "\n".join(lines) + "\n", update)


@pytest.mark.parametrize("case", cases("fmt"), ids=lambda p: p.stem)
def test_formatting_gives_the_canonical_text(case: Path, update: bool) -> None:
    source, module, sink = load(case)
    assert sink.sorted() == ()
    printed = format_module(module, source)
    check(case.with_suffix(".formatted"), printed, update)
    again = parse_module(Source(case.name, printed), Sink())
    assert dump(again) == dump(module) or case.stem == "comments"
    assert format_module(again, Source(case.name, printed)) == printed


def test_five_mistakes_are_five_findings() -> None:
    for stem, count in (("five-at-top-level", 5), ("five-in-one-prompt", 6)):
        _, _, sink = load(GOLDEN / "recover" / f"{stem}.promptc")
        assert len(sink.sorted()) == count


def test_every_golden_has_a_case() -> None:
    for area, suffix in (("parse", ".dump"), ("recover", ".findings"), ("fmt", ".formatted")):
        stems = {case.stem for case in cases(area)}
        assert {path.stem for path in (GOLDEN / area).glob(f"*{suffix}")} == stems
