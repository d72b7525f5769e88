"""Expressions: precedence as in Jinja2, literals, spans, limits, and slips in words."""

from dataclasses import fields
from typing import Any

import pytest
from jinja2 import Environment
from jinja2 import nodes as jinja

from promptc.diagnostics.sink import Sink
from promptc.source import Segment, Span, TextMap
from promptc.syntax import expressions as ex
from promptc.syntax.parser import parse_expression, parse_type


def parse(text: str) -> ex.Expr:
    sink = Sink()
    node = parse_expression(text, TextMap.identity("a", len(text)), sink)
    assert node is not None and not sink.sorted(), sink.sorted()
    return node


def codes(text: str) -> list[str]:
    sink = Sink()
    parse_expression(text, TextMap.identity("a", len(text)), sink)
    return [finding.code for finding in sink.sorted()]


OPS = {"eq": "==", "ne": "!=", "lt": "<", "lteq": "<=", "gt": ">", "gteq": ">=", "in": "in", "notin": "not in"}
BINARY = {jinja.Add: "+", jinja.Sub: "-", jinja.Mul: "*", jinja.FloorDiv: "//", jinja.Mod: "%"}


def jinja_shape(node: Any) -> Any:
    """Jinja2's own tree of an expression, as nested tuples."""
    match node:
        case jinja.Name():
            return node.name
        case jinja.Const():
            return ("const", node.value)
        case jinja.Getattr():
            return ("attr", jinja_shape(node.node), node.attr)
        case jinja.Not():
            return ("not", jinja_shape(node.node))
        case jinja.Neg():
            return ("neg", jinja_shape(node.node))
        case jinja.And() | jinja.Or():
            return (type(node).__name__.lower(), jinja_shape(node.left), jinja_shape(node.right))
        case jinja.Concat():
            shape = jinja_shape(node.nodes[0])
            for part in node.nodes[1:]:
                shape = ("~", shape, jinja_shape(part))
            return shape
        case jinja.BinExpr():
            return (BINARY[type(node)], jinja_shape(node.left), jinja_shape(node.right))
        case jinja.Compare():
            (operand,) = node.ops
            return (OPS[operand.op], jinja_shape(node.expr), jinja_shape(operand.expr))
        case jinja.CondExpr():
            return ("if", jinja_shape(node.test), jinja_shape(node.expr1), jinja_shape(node.expr2))
        case jinja.Filter() | jinja.Test():
            kind = "|" if isinstance(node, jinja.Filter) else "is"
            return (kind, jinja_shape(node.node), node.name, *(jinja_shape(arg) for arg in node.args))
        case jinja.List():
            return ("list", *(jinja_shape(item) for item in node.items))
    raise AssertionError(node)


def our_shape(node: Any) -> Any:
    """The same shape of our tree."""
    match node:
        case ex.Name():
            return node.name
        case ex.TextLiteral() | ex.IntLiteral() | ex.BoolLiteral():
            return ("const", node.value)
        case ex.NoneLiteral():
            return ("const", None)
        case ex.Attribute():
            return ("attr", our_shape(node.value), node.name.name)
        case ex.Not():
            return ("not", our_shape(node.operand))
        case ex.Negate():
            return ("neg", our_shape(node.operand))
        case ex.Logical() | ex.Binary() | ex.Compare():
            return (node.op, our_shape(node.left), our_shape(node.right))
        case ex.Conditional():
            return ("if", our_shape(node.test), our_shape(node.then), our_shape(node.orelse))
        case ex.Filter():
            return ("|", our_shape(node.value), node.name.name, *(our_shape(arg.value) for arg in node.args))
        case ex.Test():
            shape = ("is", our_shape(node.value), node.name.name, *(our_shape(arg.value) for arg in node.args))
            return ("not", shape) if node.negated else shape
        case ex.ListLiteral():
            return ("list", *(our_shape(item) for item in node.items))
    raise AssertionError(node)


SAME_AS_JINJA = [
    "not x in y",
    "x not in y",
    "a + b ~ c * d",
    "a ~ b + c",
    "a ~ b ~ c",
    "a - b - c",
    "a * b // c % d",
    "-x | abs",
    "- - x",
    "-x.y + z",
    "a + b | length",
    "a | trim | length > 3",
    "x is defined",
    "x is not none and y",
    "not x is defined",
    "x | length is divisibleby(3)",
    "a + b is string",
    "a or b and not c",
    "a if b else c if d else e",
    "a or b if c and d else e",
    "a == b and c != d or e <= f",
    "a.b.c | join(', ')",
    "[a, 1, 'x',]",
    "(a or b) and c",
    "a < b + 1",
    "true and False or none",
    "1_000 + 2",
    "\"a\\n\\\\b\" ~ 'it\\'s'",
    "a.in.not",
]


@pytest.mark.parametrize("text", SAME_AS_JINJA)
def test_the_tree_is_jinjas_tree(text: str) -> None:
    template = Environment().parse("{{ " + text + " }}")
    output = template.body[0]
    assert isinstance(output, jinja.Output)
    assert our_shape(parse(text)) == jinja_shape(output.nodes[0])


def test_spans_are_exact() -> None:
    text = "  (a.b or 'x') | trim"
    node = parse(text)
    assert isinstance(node, ex.Filter)
    assert text[node.span.start : node.span.end] == text.strip()
    assert text[node.value.span.start : node.value.span.end] == "(a.b or 'x')"
    assert isinstance(node.value, ex.Logical)
    assert text[node.value.left.span.start : node.value.left.span.end] == "a.b"
    assert text[node.value.right.span.start : node.value.right.span.end] == "'x'"


def test_spans_follow_the_text_map() -> None:
    # Derived text "a or b", written as `a or` and, four columns deeper on the next line, ` b`.
    text_map = TextMap("a", (Segment(0, 100, 4, 4), Segment(4, 108, 2, 2)))
    node = parse_expression("a or b", text_map, Sink())
    assert isinstance(node, ex.Logical)
    assert node.left.span == Span("a", 100, 101)
    assert node.right.span == Span("a", 109, 110)
    dotted = parse_expression(" b", TextMap("a", (Segment(0, 108, 2, 2),)), Sink())
    assert dotted is not None and dotted.span == Span("a", 109, 110)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("a < b < c", "PC108"),
        ("a in b in c", "PC108"),
        ("a = b", "PC115"),
        ("a && b", "PC117"),
        ("a || b", "PC117"),
        ("!a", "PC117"),
        ("a ** 2", "PC117"),
        ("a / 2", "PC117"),
        ("a[0]", "PC117"),
        ("1.5", "PC117"),
        ("a if b", "PC109"),
        ("(a", "PC102"),
        ("f(a, [b", "PC102"),
        ("'abc", "PC103"),
        ("'\\q'", "PC104"),
        ("007", "PC111"),
        ("9007199254740992", "PC111"),
        ("9" * 10_000, "PC111"),
        ("", "PC100"),
        ("a b", "PC100"),
        ("a.", "PC100"),
        ("in", "PC100"),
        ("a + not b", "PC100"),
        ("a, b", "PC100"),
        ("\x00", "PC100"),
        ("x is divisibleby 3", "PC100"),
        ("x is not sameas y", "PC100"),
    ],
)
def test_a_slip_gives_its_code_once(text: str, code: str) -> None:
    assert codes(text) == [code]


@pytest.mark.parametrize(
    "text",
    [
        "not " * 10_000 + "a",
        "-" * 10_000 + "a",
        "a" + " + a" * 10_000,
        "a" + " | f" * 10_000,
        "[" * 5_000 + "]" * 5_000,
    ],
)
def test_deep_trees_are_refused_without_recursion(text: str) -> None:
    assert codes(text) == ["PC110"]


def test_deep_parentheses_are_no_depth() -> None:
    assert isinstance(parse("(" * 10_000 + "a" + ")" * 10_000), ex.Name)


def test_unbalanced_deep_brackets_are_one_finding() -> None:
    assert len(codes("(" * 10_000)) == 1
    assert len(codes("[" * 10_000 + "a")) == 1


def test_a_keyword_is_no_head_of_a_longer_name() -> None:
    assert codes("a inverse") == ["PC100"]
    node = parse("notable or iffy")
    assert isinstance(node, ex.Logical)
    assert [getattr(node, f.name).name for f in fields(node) if f.name in ("left", "right")] == ["notable", "iffy"]


@pytest.mark.parametrize(
    ("text", "code"),
    [("text 1..5", "PC118"), ("int 5..1", "PC118"), ("set[text]", "PC100"), ("list[", "PC100"), ("", "PC100")],
)
def test_slips_in_types(text: str, code: str) -> None:
    sink = Sink()
    parse_type(text, TextMap.identity("a", len(text)), sink)
    assert [finding.code for finding in sink.sorted()] == [code]
