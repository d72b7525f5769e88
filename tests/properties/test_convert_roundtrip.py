"""Converting between the surfaces keeps the program, and no YAML text makes the reader raise."""

import os
from collections.abc import Sequence
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from promptc.diagnostics.sink import Sink
from promptc.source import Source, Span
from promptc.syntax import expressions as ex
from promptc.syntax.canonical import canonical
from promptc.syntax.dump import dump
from promptc.syntax.format import format_module
from promptc.syntax.nodes import Module
from promptc.syntax.parser import parse_module
from promptc.syntax.yaml_data import DataReader
from promptc.syntax.yaml_fields import FieldReader
from promptc.syntax.yaml_layout import Entry, Mapping, lay_out
from promptc.syntax.yaml_nodes import YamlMapping, compose
from promptc.syntax.yaml_reader import parse_yaml_module
from promptc.syntax.yaml_writer import data_value, write_yaml
from support.module_strategies import modules, names

_EXAMPLES = 5_000 if os.environ.get("PROMPTC_NIGHTLY") == "1" else 60
_SEED = (Path(__file__).parents[1] / "golden" / "yaml" / "library_desk" / "module.promptc.yaml").read_text("utf-8")


def _program(module: Module) -> str:
    return dump(canonical(module))


def _clean(module: Module, sink: Sink, text: str) -> Module:
    assert [d.message for d in sink.sorted()] == [], text
    return module


def _from_yaml(text: str) -> Module:
    sink = Sink()
    return _clean(parse_yaml_module(Source("a.promptc.yaml", text), sink), sink, text)


def _from_dsl(text: str) -> Module:
    sink = Sink()
    return _clean(parse_module(Source("a.promptc", text), sink), sink, text)


@settings(max_examples=_EXAMPLES, deadline=None)
@given(modules())
def test_a_module_written_as_yaml_reads_as_the_same_program(module: Module) -> None:
    assert _program(_from_yaml(write_yaml(module))) == _program(module)


@settings(max_examples=_EXAMPLES, deadline=None)
@given(modules())
def test_dsl_to_yaml_and_back_is_the_same_program(module: Module) -> None:
    from_dsl = _from_dsl(format_module(module, None))
    from_yaml = _from_yaml(write_yaml(from_dsl))
    assert _program(_from_dsl(format_module(from_yaml, None))) == _program(module)


_HERE = Span("a", 0, 0)
_scalars: st.SearchStrategy[ex.Expr] = st.one_of(
    st.text(st.characters(codec="utf-8"), max_size=10).map(lambda v: ex.TextLiteral(span=_HERE, value=v)),
    st.sampled_from(
        ["on", "010", "1.10", "~", "", "a: b", "a #b", "- a", "{", "...", "---", "<<", " x", "\n", "a\n", "\n\n x\n\n"]
    ).map(lambda v: ex.TextLiteral(span=_HERE, value=v)),
    st.integers(0, 2**53 - 1).map(lambda v: ex.IntLiteral(span=_HERE, value=v)),
    st.integers(0, 9).map(lambda v: ex.Negate(span=_HERE, operand=ex.IntLiteral(span=_HERE, value=v))),
    st.booleans().map(lambda v: ex.BoolLiteral(span=_HERE, value=v)),
    st.just(ex.NoneLiteral(span=_HERE)),
    names.map(lambda v: ex.Name(span=_HERE, name=v)),
)


def _record(pairs: dict[str, ex.Expr]) -> ex.RecordLiteral:
    fields = [ex.RecordField(span=_HERE, name=ex.Ident(span=_HERE, name=k), value=v) for k, v in pairs.items()]
    return ex.RecordLiteral(span=_HERE, fields=tuple(fields))


_data = st.recursive(
    _scalars,
    lambda inner: st.one_of(
        st.lists(inner, max_size=4).map(lambda v: ex.ListLiteral(span=_HERE, items=tuple(v))),
        st.dictionaries(st.text(st.characters(codec="utf-8"), max_size=8), inner, max_size=4).map(_record),
    ),
    max_leaves=12,
)


@settings(max_examples=5 * _EXAMPLES, deadline=None)
@given(_data)
def test_data_written_as_yaml_reads_as_the_same_value(value: ex.Expr) -> None:
    source, sink = (
        Source("a", lay_out(Mapping([Entry("k", data_value(value)), Entry("z", data_value(value))]), [])),
        Sink(),
    )
    root, whole = compose(source, sink)
    assert whole, (source.text, sink.sorted())
    assert isinstance(root, YamlMapping)
    for _, node in root.pairs:
        read = DataReader(FieldReader(source, sink), {}).read(node, None)
        assert dump(read) == dump(value), source.text
    assert sink.sorted() == ()


_SNIPPETS = (
    "\t",
    "*a",
    "&a ",
    "<<: ",
    "!!x ",
    "- ",
    ": ",
    "? ",
    "{",
    "}",
    "[",
    "]",
    "|",
    ">",
    '"',
    "'",
    "#",
    "\n",
    "\r",
    "\0",
    "%",
    "@",
    "😀",
    "\u2028",
    "\ud800",
    "---\n",
    "on",
    "null",
    "  ",
)


@st.composite
def _mutated(draw: st.DrawFn) -> str:
    text = _SEED
    for _ in range(draw(st.integers(1, 6))):
        at = draw(st.integers(0, len(text)))
        stop = min(len(text), at + draw(st.integers(0, 12)))
        text = text[:at] + draw(st.sampled_from(_SNIPPETS) | st.text(max_size=3)) + text[stop:]
    return text


def _spans_are_inside(module: Module, text: str) -> bool:
    pending: list[object] = list(module.items)
    while pending:
        node = pending.pop()
        if isinstance(node, ex.Node):
            if not 0 <= node.span.start <= node.span.end <= len(text):
                return False
            pending.extend(getattr(node, name) for name in node.__dataclass_fields__)
        elif isinstance(node, Sequence) and not isinstance(node, str):
            pending.extend(node)
    return True


@settings(max_examples=5 * _EXAMPLES, deadline=None)
@given(_mutated() | st.text(max_size=40))
def test_no_text_makes_the_reader_raise_or_lose_its_place(text: str) -> None:
    sink = Sink()
    module = parse_yaml_module(Source("a.promptc.yaml", text), sink)
    assert module.broken == sink.has_errors
    for diagnostic in sink.sorted():
        assert diagnostic.primary is not None
        assert 0 <= diagnostic.primary.span.start <= diagnostic.primary.span.end <= len(text)
    assert _spans_are_inside(module, text)
