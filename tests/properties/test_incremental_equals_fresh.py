"""After any edits, what is read again piece by piece equals what one reading of the whole text gives."""

import os
from collections.abc import Iterator
from dataclasses import fields, replace
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from promptc.diagnostics.model import Diagnostic
from promptc.diagnostics.sink import Sink
from promptc.source import AnchoredSource, Source, Span
from promptc.syntax import nodes
from promptc.syntax.dump import dump
from promptc.syntax.expressions import Node
from promptc.syntax.incremental import IncrementalModule
from promptc.syntax.parser import parse_module
from support.checkout import ROOT

EXAMPLES = 3_000 if os.environ.get("PROMPTC_NIGHTLY") == "1" else 40
FILES = sorted((ROOT / "specs").rglob("*.promptc"), key=Path.as_posix)
TYPED = (
    '"', '"""', "{", "}", "\n", "#", "@", "'", "(", ")", ",", "  ", " when a ", "\\q", '"""\n', "\n}\n", "é😀",
    'section x @static "a"\n', 'section y @session """\n  hello\n  """\n', "include lib\n", "section ", "gate g = ",
    "input q : text @turn\n", 'tool t @static { schema "{}" }\n', "cache global {\n", "prompt p2 {\n", "tools {",
)  # fmt: skip

places = st.floats(0, 1, exclude_max=True)
edits = st.lists(
    st.one_of(
        st.tuples(st.just("type"), places, st.sampled_from(TYPED), st.booleans()),
        st.tuples(st.just("delete"), places, st.sampled_from([1, 2, 5, 30, 200]), st.booleans()),
        st.tuples(st.just("undo"), places, st.just(0), st.booleans()),
    ),
    max_size=12,
)


@settings(max_examples=EXAMPLES, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
@given(st.sampled_from(FILES), edits)
def test_reading_again_what_changed_equals_reading_everything(
    file: Path, edits: list[tuple[str, float, str | int, bool]]
) -> None:
    text = file.read_text(encoding="utf-8")
    module = IncrementalModule("a.promptc", text)
    before: list[str] = []
    for kind, place, what, at_line in edits:
        if kind == "undo":
            text = before.pop() if before else text
        else:
            before.append(text)
            at = int(place * (len(text) + 1))
            at = text.rfind("\n", 0, at) + 1 if at_line else at
            text = (
                text[:at] + (str(what) if kind == "type" else "") + text[at + (int(what) if kind == "delete" else 0) :]
            )
        module.update(text)
        assert_equals_fresh(module, text)


def assert_equals_fresh(module: IncrementalModule, text: str) -> None:
    """Findings, trees and all places are those of a parse of the whole text."""
    sink = Sink()
    whole = parse_module(Source(module.path, text), sink)
    source = module.source
    assert source.text == text
    assert sorted((placed(d, source) for d in module.found), key=lambda d: d.sort_key) == list(sink.sorted())
    assert module.module.broken == whole.broken
    assert [dump(item) for item in module.module.items] == [dump(item) for item in whole.items]
    mine = [source.real_span(span) for span in spans(module.module)]
    assert mine == list(spans(whole))


def placed(diagnostic: Diagnostic, source: AnchoredSource) -> Diagnostic:
    primary, fix = diagnostic.primary, diagnostic.fix
    return replace(
        diagnostic,
        primary=primary and replace(primary, span=source.real_span(primary.span)),
        secondary=tuple(replace(s, span=source.real_span(s.span)) for s in diagnostic.secondary),
        fix=fix and replace(fix, edits=tuple(replace(e, span=source.real_span(e.span)) for e in fix.edits)),
    )


def spans(node: object) -> Iterator[Span]:
    if isinstance(node, tuple):
        for part in node:
            yield from spans(part)
    elif isinstance(node, Node):
        for field in fields(node):
            value = getattr(node, field.name)
            if isinstance(value, Span):
                yield value
            elif not (isinstance(node, nodes.Module) and field.name == "comments"):
                yield from spans(value)
