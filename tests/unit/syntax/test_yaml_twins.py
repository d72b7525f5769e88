"""A module in both surfaces is one program, in every direction, with its comments."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from promptc.diagnostics.sink import Sink
from promptc.source import Source
from promptc.syntax.canonical import canonical
from promptc.syntax.dump import dump
from promptc.syntax.format import format_module
from promptc.syntax.nodes import Module
from promptc.syntax.parser import parse_module
from promptc.syntax.yaml_reader import parse_yaml_module
from promptc.syntax.yaml_writer import write_yaml

GOLDEN = Path(__file__).parents[2] / "golden" / "yaml"
CASES = sorted(path.name for path in GOLDEN.iterdir())


def _clean(path: str, text: str) -> Module:
    sink = Sink()
    parse = parse_yaml_module if path.endswith(".yaml") else parse_module
    module = parse(Source(path, text), sink)
    assert [d.message for d in sink.sorted()] == []
    return module


@pytest.fixture(params=CASES)
def twins(request: pytest.FixtureRequest) -> Iterator[tuple[Path, Module, Module]]:
    """The directory of a case and its module from each surface."""
    case = GOLDEN / request.param
    dsl, yaml = (case / name for name in ("module.promptc", "module.promptc.yaml"))
    yield (
        case,
        _clean(dsl.name, dsl.read_text(encoding="utf-8")),
        _clean(yaml.name, yaml.read_text(encoding="utf-8")),
    )


def test_both_surfaces_give_one_program(twins: tuple[Path, Module, Module]) -> None:
    _, from_dsl, from_yaml = twins
    assert dump(canonical(from_yaml)) == dump(canonical(from_dsl))


def test_yaml_to_dsl_and_back_is_the_same_program(twins: tuple[Path, Module, Module]) -> None:
    _, _, module = twins
    through = _clean("a.promptc", format_module(module, None))
    assert dump(canonical(through)) == dump(canonical(module))
    assert sorted(c.text for c in through.comments) == sorted(c.text for c in module.comments)


def test_the_dsl_written_as_yaml_reads_as_golden(twins: tuple[Path, Module, Module], update: bool) -> None:
    case, module, _ = twins
    source = Source("module.promptc", (case / "module.promptc").read_text(encoding="utf-8"))
    written = write_yaml(module, source)
    golden = case / "converted.promptc.yaml"
    if update:
        golden.write_text(written, encoding="utf-8")
    assert written == golden.read_text(encoding="utf-8")
    again = _clean("a.promptc.yaml", written)
    assert dump(canonical(again)) == dump(canonical(module))
    assert sorted(c.text for c in again.comments) == sorted(c.text for c in module.comments)


def test_writing_what_was_written_changes_nothing(twins: tuple[Path, Module, Module]) -> None:
    _, _, module = twins
    first = write_yaml(module)
    source = Source("a.promptc.yaml", first)
    assert write_yaml(parse_yaml_module(source, Sink()), source) == first
