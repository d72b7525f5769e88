"""Parse the DSL: modules, and single expressions and types for bodies and YAML."""

import re
from typing import cast

from lark.exceptions import UnexpectedInput

from promptc.diagnostics.sink import Sink
from promptc.source import Source, TextMap
from promptc.syntax import expressions as ex
from promptc.syntax.build_expressions import RESERVED, span_function
from promptc.syntax.explain import failure_of
from promptc.syntax.grammar import Start, expression_grammar, module_grammar
from promptc.syntax.mistakes import expression_mistake
from promptc.syntax.nodes import Item, Module, TypeExpr
from promptc.syntax.recover import recover

_PATH = re.compile(r"\s*([A-Za-z_][A-Za-z0-9_]*)((?:\.[A-Za-z_][A-Za-z0-9_]*)*)\s*", re.ASCII)


def parse_module(source: Source, sink: Sink) -> Module:
    """Parse a file of the DSL.

    Args:
        source: The file.
        sink: Takes PC100 to PC120; one finding a mistake.

    Returns:
        The module; after any syntax error `broken` is set and items that could not be read are missing.
    """
    return parse_text(source.text, TextMap.identity(source.path, len(source.text)), sink)


def parse_text(text: str, text_map: TextMap, sink: Sink) -> Module:
    """Parse a text of the DSL that stands for a whole file; `text_map` leads from its offsets to that file."""
    grammar, builder = module_grammar()
    builder.begin(text_map)
    try:
        items = cast("tuple[Item, ...]", grammar.lark.parse(text, start="module"))
    except UnexpectedInput:
        return recover(text, text_map, sink)
    if builder.unclosed is not None:
        return recover(text, text_map, sink)
    sink.extend(builder.found)
    return Module(
        span=text_map.span(0, len(text)),
        path=text_map.path,
        items=items,
        comments=tuple(builder.comments),
        broken=bool(builder.found),
    )


def parse_expression(text: str, text_map: TextMap, sink: Sink, *, what: str = "expression") -> ex.Expr | None:
    """Parse one expression.

    Args:
        text: All of it; blanks around it are allowed.
        text_map: From offsets of `text` to the source.
        sink: Takes PC100 to PC119.
        what: What the text is, for messages.

    Returns:
        The tree, or None after a syntax error. Problems inside a literal are reported and give a tree all the same.
    """
    match = _PATH.fullmatch(text)
    if match is not None and match[1] not in RESERVED:
        return _dotted(match, text_map)
    return cast("ex.Expr | None", _parse("expression", text, text_map, sink, what))


def parse_type(text: str, text_map: TextMap, sink: Sink) -> TypeExpr | None:
    """Parse one type; None after a syntax error."""
    return cast("TypeExpr | None", _parse("type", text, text_map, sink, "type"))


def _parse(start: Start, text: str, text_map: TextMap, sink: Sink, what: str) -> ex.Node | None:
    grammar, builder = expression_grammar()
    builder.begin(text_map)
    tree: ex.Node | None = None
    try:
        tree = grammar.lark.parse(text, start=start)  # type: ignore[assignment]  # the builder makes it a node
    except UnexpectedInput as error:
        if not builder.reserved_used:
            builder.report(expression_mistake(failure_of(error, text, grammar), builder.span, what, what))
    if tree is not None and not builder.bounded(tree):
        tree = None
    sink.extend(builder.found)
    return None if builder.reserved_used else tree


def _dotted(match: re.Match[str], text_map: TextMap) -> ex.Expr:
    """`name.field.field`: by far the most frequent expression of a body, and no work for a grammar."""
    span = span_function(text_map)
    start, end = match.span(1)
    node: ex.Expr = ex.Name(span=span(start, end), name=match[1])
    at = end
    for part in match[2].split(".")[1:]:
        begin, at = at + 1, at + 1 + len(part)
        node = ex.Attribute(span=span(start, at), value=node, name=ex.Ident(span=span(begin, at), name=part))
    return node
