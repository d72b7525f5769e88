"""Formatting keeps the meaning, settles after one round, and no text makes the parser raise."""

import os

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from promptc.diagnostics.sink import Sink
from promptc.source import Source, TextMap
from promptc.syntax.dump import dump
from promptc.syntax.expressions import Expr
from promptc.syntax.format import format_module
from promptc.syntax.format_expressions import format_expression
from promptc.syntax.nodes import Module
from promptc.syntax.parser import parse_expression, parse_module
from support.module_strategies import PATH, block_texts, expressions, modules, texts

EXAMPLES = 2_000 if os.environ.get("PROMPTC_NIGHTLY") else 40
few = settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=[HealthCheck.too_slow])
many = settings(max_examples=EXAMPLES * 5, deadline=None)


def parsed(text: str) -> Module:
    sink = Sink()
    module = parse_module(Source(PATH, text), sink)
    assert not sink.sorted(), (sink.sorted(), text)
    assert not module.broken
    return module


@few
@given(modules())
def test_a_printed_module_parses_back_to_the_same_tree(module: Module) -> None:
    text = format_module(module, None)
    again = parsed(text)
    assert dump(again) == dump(module)
    settled = format_module(again, Source(PATH, text))
    assert format_module(parsed(settled), Source(PATH, settled)) == settled


@many
@given(expressions)
def test_a_printed_expression_parses_back_to_the_same_tree(node: Expr) -> None:
    text = format_expression(node)
    sink = Sink()
    again = parse_expression(text, TextMap.identity(PATH, len(text)), sink)
    assert not sink.sorted(), text
    assert again is not None
    assert dump(again) == dump(node)


@many
@given(block_texts)
def test_a_block_keeps_every_character_of_its_text(text: str) -> None:
    from promptc.syntax.nodes import SectionDecl
    from support.module_strategies import NOWHERE, ident, template

    section = SectionDecl(
        span=NOWHERE,
        name=ident("a"),
        cls=None,
        when=None,
        deliver=None,
        pin=None,
        allows=(),
        content=template(text, block=True),
    )
    printed = format_module(Module(span=NOWHERE, path=PATH, items=(section,), comments=()), None)
    again = parsed(printed).items[0]
    assert isinstance(again, SectionDecl)
    assert getattr(again.content, "text", None) == text


COMMENTS = ("# one", "#two", "# \u00e9", "#")


@few
@given(modules(), st.data())
def test_comments_survive_and_formatting_settles(module: Module, data: st.DataObject) -> None:
    lines = format_module(module, None).split("\n")
    inside_text = False
    commented: list[str] = []
    wanted: list[str] = []
    for line in lines:
        opens = line.rstrip().endswith('"""')
        if not inside_text and not opens and data.draw(st.integers(0, 4)) == 0:
            comment = data.draw(st.sampled_from(COMMENTS))
            wanted.append(comment)
            commented += [line + "  " + comment] if data.draw(st.booleans()) else [comment, line]
        else:
            commented.append(line)
        inside_text ^= opens
    text = "\n".join(commented)
    first = parsed(text)
    printed = format_module(first, Source(PATH, text))
    second = parsed(printed)
    assert [c.text for c in second.comments] == wanted
    assert [c.text for c in first.comments] == wanted
    assert dump(second) == dump(first)
    assert format_module(second, Source(PATH, printed)) == printed


@many
@given(st.text(max_size=60) | texts)
def test_no_text_makes_the_parser_raise(text: str) -> None:
    parse_module(Source(PATH, text), Sink())
    parse_expression(text, TextMap.identity(PATH, len(text)), Sink())


SCRAPS = ('"""', "{", "}", "@", '"', "section ", "prompt ", "\n", "(", "'", "#", "cache ", "= ", "\\", "\x00", "not ")


@few
@given(modules(), st.data())
def test_damaged_modules_give_findings_inside_the_text(module: Module, data: st.DataObject) -> None:
    text = format_module(module, None)
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(text)))
        cut = data.draw(st.integers(0, 5))
        text = text[:at] + data.draw(st.sampled_from(("", *SCRAPS))) + text[at + cut :]
    sink = Sink()
    result = parse_module(Source(PATH, text), sink)
    assert result.broken == bool(sink.sorted())
    assert len(sink.sorted()) <= 30
    for finding in sink.sorted():
        assert finding.primary is not None
        assert 0 <= finding.primary.span.start <= finding.primary.span.end <= len(text)
