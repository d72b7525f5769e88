"""Short texts and blocks: escapes, dedent, and where their characters stand."""

import pytest

from promptc.diagnostics.sink import Sink
from promptc.source import Source
from promptc.syntax.bodies_ast import Template
from promptc.syntax.nodes import SectionDecl
from promptc.syntax.parser import parse_module
from promptc.syntax.strings import TextProblem, escape, unescape


def body(text: str) -> Template:
    sink = Sink()
    (item,) = parse_module(Source("a.promptc", text), sink).items
    assert not sink.sorted()
    assert isinstance(item, SectionDecl)
    assert isinstance(item.content, Template)
    return item.content


@pytest.mark.parametrize(
    "text", ["", "plain", 'a"b', "back\\slash", "tab\tline\nreturn\r", "\u2028\x00\x1b", "\U0001f600"]
)
def test_escaping_and_unescaping_give_the_text_back(text: str) -> None:
    problems: list[TextProblem] = []
    assert unescape(escape(text), 0, problems)[0] == text
    assert not problems


def test_offsets_of_an_escaped_text_lead_to_the_source() -> None:
    source = 'section a "x\\n\\u{41}y"'
    template = body(source)
    assert template.text == "x\nAy"
    spans = [template.map.span(n, n + 1) for n in range(4)]
    assert [source[span.start : span.end] for span in spans] == ["x", "\\n", "\\u{41}", "y"]


def test_offsets_of_a_block_lead_to_the_source() -> None:
    source = 'section a """\n    one\n      two\n\n    {{ three }}\n    """'
    template = body(source)
    assert template.text == "one\n  two\n\n{{ three }}"
    at = template.text.index("three")
    span = template.map.span(at, at + 5)
    assert source[span.start : span.end] == "three"


@pytest.mark.parametrize(
    ("written", "text"),
    [
        ('"""\n  """', ""),
        ('"""\n\n  """', ""),
        ('"""\n\n\n  """', "\n"),
        ('"""\n  a\n  """', "a"),
        ('"""\n  a\n\n  """', "a\n"),
        ('"""\n    a\n  b\n  """', "  a\nb"),
        ('"""one line"""', "one line"),
        ('""""\n  a """ b\n  """"', 'a """ b'),
        ('"""\n  a \\n b\n  """', "a \\n b"),
        ('"""\n  """" four\n  """', '"""" four'),
    ],
)
def test_blocks_are_dedented_by_their_closing_quotes(written: str, text: str) -> None:
    assert body(f"section a {written}").text == text
