"""Print a list or record that is too long for one line over several, one entry a line."""

from promptc.syntax import expressions as ex
from promptc.syntax import nodes
from promptc.syntax.format_expressions import format_expression, format_key

WIDTH = 120
"""Columns that a line with a literal may have before the literal is broken."""

INDENT = "  "


def declaration_lines(node: object, head: str, indent: str) -> list[str]:
    """The lines of a declaration whose head ends in a value; one line where it fits, or where the value has no parts."""
    value = _value(node)
    if value is None or len(indent) + len(head) <= WIDTH:
        return [indent + head]
    return _lines(value, indent, head.removesuffix(format_expression(value)), "")


def _value(node: object) -> ex.Expr | None:
    match node:
        case nodes.Binding():
            return node.value
        case nodes.InputDecl() | nodes.FieldDecl():
            return node.default
        case _:
            return None


def _lines(value: ex.Expr, indent: str, front: str, behind: str) -> list[str]:
    flat = f"{indent}{front}{format_expression(value)}{behind}"
    match value:
        case ex.ListLiteral(items=items) if items and len(flat) > WIDTH:
            entries = [("", item) for item in items]
            opening, closing = "[", "]"
        case ex.RecordLiteral(fields=fields) if fields and len(flat) > WIDTH:
            entries = [(f"{format_key(field.name.name)}: ", field.value) for field in fields]
            opening, closing = "{", "}"
        case _:
            return [flat]
    lines = [f"{indent}{front}{opening}"]
    for number, (key, entry) in enumerate(entries, start=1):
        lines += _lines(entry, indent + INDENT, key, "," if number < len(entries) else "")
    return [*lines, f"{indent}{closing}{behind}"]
