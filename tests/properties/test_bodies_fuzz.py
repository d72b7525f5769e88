"""Whatever stands in a body: parsing gives a tree or findings, exact spans, and takes linear time."""

import os
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from promptc.diagnostics.model import Diagnostic
from promptc.diagnostics.sink import Sink
from promptc.source import Segment, TextMap
from promptc.syntax.bodies import parse_body
from promptc.syntax.bodies_ast import Body, For, If, Include, Literal, Part
from support.body_strategies import bodies

_EXAMPLES = 20_000 if os.environ.get("PROMPTC_NIGHTLY") == "1" else 300

_FRAGMENTS = st.sampled_from(
    [
        *("{{", "}}", "{%", "%}", "{#", "#}", "{", "}", "-", "+", "%", '"', "'", "\\", "\n", " ", "\t", "(", ")", ","),
        *("if", "elif", "else", "endif", "for", "in", "endfor", "set", "=", "include", "raw", "endraw", "macro", "x"),
        *("{% if x %}", "{% endif %}", "{% for a in b %}", "{% endfor %}", "{{ x }}", "{# c #}", "{%- raw -%}"),
        *("{% endraw %}", "{% set y = 1 %}", "recursive", "not", "is", "|", "~", ".", "1", "é", "🙂", "\r", "\u2028"),
    ]
)


def _spans_of(parts: tuple[Part, ...]) -> list[tuple[Part, tuple[Part, ...]]]:
    """Every part with the parts inside it."""
    found: list[tuple[Part, tuple[Part, ...]]] = []
    for part in parts:
        inner: tuple[Part, ...] = ()
        if isinstance(part, If):
            inner = (*(p for arm in part.branches for p in arm.body), *part.orelse)
        elif isinstance(part, For):
            inner = (*part.body, *part.orelse)
        found.append((part, inner))
        found.extend(_spans_of(inner))
    return found


def _check(text: str, body: Body, found: tuple[Diagnostic, ...]) -> None:
    """What holds for every body whose text stands in its source as it is."""
    assert (body.span.start, body.span.end) == (0, len(text))
    assert body.broken or not found
    for diagnostic in found:
        assert diagnostic.primary is not None
        for label in (diagnostic.primary, *diagnostic.secondary):
            assert 0 <= label.span.start <= label.span.end <= len(text)
    last = 0
    for part in body.parts:
        assert last <= part.span.start
        last = part.span.end
    for part, inner in _spans_of(body.parts):
        assert 0 <= part.span.start < part.span.end <= len(text)
        written = text[part.span.start : part.span.end]
        if isinstance(part, Literal):
            assert part.text == written
        elif isinstance(part, Include):
            assert text[part.name.span.start : part.name.span.end] == part.name.name
        else:
            assert written.startswith("{") or body.broken
        for child in inner:
            assert part.span.start < child.span.start <= child.span.end <= part.span.end


@settings(max_examples=_EXAMPLES, deadline=None)
@given(st.lists(_FRAGMENTS, max_size=30).map("".join))
def test_any_text_gives_a_tree_or_findings(text: str) -> None:
    sink = Sink()
    body = parse_body(text, TextMap.identity("a.md", len(text)), sink)
    _check(text, body, sink.sorted())
    assert body.broken == bool(sink.sorted())


@settings(max_examples=_EXAMPLES // 3, deadline=None)
@given(bodies(), st.data())
def test_a_damaged_body_gives_a_tree_or_findings(text: str, data: st.DataObject) -> None:
    cut = data.draw(st.integers(0, len(text)))
    gap = data.draw(st.integers(0, 4))
    damaged = text[:cut] + data.draw(st.sampled_from(["", "{", "%}", '"', "}}"])) + text[cut + gap :]
    sink = Sink()
    _check(damaged, parse_body(damaged, TextMap.identity("a.md", len(damaged)), sink), sink.sorted())


@settings(max_examples=_EXAMPLES // 3, deadline=None)
@given(bodies(), st.integers(1, 8))
def test_spans_go_through_the_map_of_a_dedented_text(text: str, indent: int) -> None:
    segments: list[Segment] = []
    source = ""
    at = 0
    for line in text.splitlines(keepends=True):
        source += " " * indent
        segments.append(Segment(at, len(source), len(line), len(line)))
        source += line
        at += len(line)
    body = parse_body(text, TextMap("a.promptc", tuple(segments)), Sink())
    plain = parse_body(text, TextMap.identity("a.promptc", len(text)), Sink())
    # What a span covers is the same text, but for the indentation between its lines.
    for (part, _), (twin, _) in zip(_spans_of(body.parts), _spans_of(plain.parts), strict=True):
        covered = source[part.span.start : part.span.end]
        lines = covered.split("\n")
        undented = "\n".join([lines[0], *(line[indent:] for line in lines[1:])])
        assert undented.replace("\r", "") == text[twin.span.start : twin.span.end].replace("\r", "")


@pytest.mark.parametrize(
    "text",
    [
        "{{ x }} abc\n" * 20_000,
        "{{ x " * 40_000,
        '{{ " }}{{ \\" }}' * 15_000,
        "{{ " + '\\"' * 100_000,
        '{% for x in "' + '\\"' * 100_000 + " %}",
        "{%" + " " * 200_000,
        "{% if" + " " * 200_000,
        "{% if x %}" * 12_000 + "{% endfor %}" * 12_000,
        "{% if x %}{% for a in b %}" * 6_000 + "{% endif %}" * 12_000,
        "{# " * 60_000,
        "{" * 200_000,
        "{{ { " * 40_000,
        "{{- x -}}   \n" * 15_000,
        "{% raw %}" * 20_000,
        "{% macro m %}" * 15_000 + "{% endmacro %}" * 15_000,
        "{# c #} " * 25_000,
        "{# c #}\n" * 25_000,
        " " * 200_000 + "{# c #}",
        "{{ x }}" + " " * 200_000,
    ],
    ids=range(19),
)
def test_time_is_linear_on_hostile_text(text: str) -> None:
    started = time.perf_counter()
    parse_body(text, TextMap.identity("a.md", len(text)), Sink())
    # Each takes well under a second; a quadratic step would take minutes at this size.
    assert time.perf_counter() - started < 20
