"""Long lists and records are printed one entry a line; short ones stay on theirs."""

from promptc.diagnostics.sink import Sink
from promptc.source import Source
from promptc.syntax.format import format_module
from promptc.syntax.parser import parse_module


def formatted(text: str) -> str:
    source = Source("a.promptc", text)
    sink = Sink()
    module = parse_module(source, sink)
    assert sink.sorted() == ()
    return format_module(module, source)


def test_a_literal_that_fits_stays_on_its_line() -> None:
    line = 'input names: list[text] @static = ["a", "b"]\n'
    assert formatted(line) == 'input names : list[text] @static = ["a", "b"]\n'


def test_only_the_parts_that_are_too_long_are_broken() -> None:
    long = "x" * 70
    text = f"""\
input tools : list[Tool] @static = [
  {{ name: "a", schema: {{ type: "object" }} }},
  {{
    name: "{long}",
    schema: {{ "the key": ["{long[:20]}"], type: "object" }},
    on: true
  }}
]
"""
    assert formatted(text.replace("\n", " ")) == text
    assert formatted(text) == text
