"""Print expressions and types in their canonical form, with no more parentheses than needed."""

import re
from typing import assert_never

from promptc.syntax import expressions as ex
from promptc.syntax import nodes
from promptc.syntax.strings import escape

_IDENTIFIER = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
# How tightly a form binds; an operand that binds less gets parentheses.
_CONDITIONAL, _OR, _AND, _NOT, _COMPARE, _SUM, _CONCAT, _PRODUCT, _FILTER, _NEGATE, _POSTFIX = range(11)
_BINARY = {"+": _SUM, "-": _SUM, "~": _CONCAT, "*": _PRODUCT, "//": _PRODUCT, "%": _PRODUCT}


def format_expression(node: ex.Expr) -> str:
    """The expression on one line; parses back to the same tree."""
    return _print(node, _CONDITIONAL)


def format_type(node: nodes.TypeExpr) -> str:
    """The type on one line."""
    match node:
        case nodes.NamedType():
            return node.name
        case nodes.RangeType():
            return f"int {format_number(node.low)}..{format_number(node.high)}"
        case nodes.EnumType():
            return " | ".join(quoted(member.value) for member in node.members)
        case nodes.ListType():
            return f"list[{format_type(node.item)}]"
        case nodes.OptionalType():
            return f"{format_type(node.item)}?"
        case _:
            assert_never(node)


def format_number(value: int) -> str:
    """A whole number, its digits in groups of three."""
    return f"{value:_}"


def quoted(text: str) -> str:
    """A short text with its quotes."""
    return f'"{escape(text)}"'


def _print(node: ex.Expr, least: int) -> str:
    text, level = _form(node)
    return f"({text})" if level < least else text


def _form(node: ex.Expr) -> tuple[str, int]:
    """The text of a node and how tightly it binds."""
    match node:
        case ex.Conditional():
            then, test = _print(node.then, _OR), _print(node.test, _OR)
            return f"{then} if {test} else {_print(node.orelse, _CONDITIONAL)}", _CONDITIONAL
        case ex.Logical():
            level = _OR if node.op == "or" else _AND
            return f"{_print(node.left, level)} {node.op} {_print(node.right, level + 1)}", level
        case ex.Not():
            return f"not {_print(node.operand, _NOT)}", _NOT
        case ex.Compare():
            return f"{_print(node.left, _SUM)} {node.op} {_print(node.right, _SUM)}", _COMPARE
        case ex.Binary():
            level = _BINARY[node.op]
            return f"{_print(node.left, level)} {node.op} {_print(node.right, level + 1)}", level
        case ex.Filter():
            return f"{_print(node.value, _FILTER)} | {node.name.name}{_arguments(node.args)}", _FILTER
        case ex.Test():
            verb = "is not" if node.negated else "is"
            return f"{_print(node.value, _FILTER)} {verb} {node.name.name}{_arguments(node.args)}", _FILTER
        case ex.Negate():
            return f"-{_print(node.operand, _NEGATE)}", _NEGATE
        case _:
            return _primary(node), _POSTFIX


def _primary(
    node: ex.Name
    | ex.Attribute
    | ex.TextLiteral
    | ex.IntLiteral
    | ex.BoolLiteral
    | ex.NoneLiteral
    | ex.ListLiteral
    | ex.RecordLiteral
    | ex.Call,
) -> str:
    match node:
        case ex.Name():
            return node.name
        case ex.Attribute():
            return f"{_print(node.value, _POSTFIX)}.{node.name.name}"
        case ex.TextLiteral():
            return quoted(node.value)
        case ex.IntLiteral():
            return format_number(node.value)
        case ex.BoolLiteral():
            return "true" if node.value else "false"
        case ex.NoneLiteral():
            return "none"
        case ex.ListLiteral():
            return f"[{', '.join(format_expression(item) for item in node.items)}]"
        case ex.RecordLiteral():
            inner = ", ".join(
                f"{format_key(field.name.name)}: {format_expression(field.value)}" for field in node.fields
            )
            return f"{{ {inner} }}" if inner else "{}"
        case ex.Call():
            arguments = ", ".join(_argument(argument) for argument in node.args)
            return f"{_print(node.function, _POSTFIX)}({arguments})"
        case _:
            assert_never(node)


def format_key(name: str) -> str:
    """A key of a record literal, in quotes where it is no name."""
    return name if _IDENTIFIER.fullmatch(name) else quoted(name)


def _arguments(args: tuple[ex.Argument, ...]) -> str:
    return f"({', '.join(_argument(argument) for argument in args)})" if args else ""


def _argument(argument: ex.Argument) -> str:
    value = format_expression(argument.value)
    return value if argument.name is None else f"{argument.name.name}={value}"
