"""Write expressions and types as the DSL spells them, with parentheses only where precedence needs them."""

import re

from promptc.syntax import expressions as ex
from promptc.syntax import nodes
from promptc.syntax.build_expressions import RESERVED
from promptc.syntax.strings import escape

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*", re.ASCII)

# The levels of grammar/expressions.lark, loosest first.
_ANY, _OR, _AND, _NOT, _COMPARE, _SUM, _CONCAT, _PRODUCT, _FILTER, _SIGN, _POSTFIX, _PRIMARY = range(12)
_LOGICAL_LEVELS = {"or": _OR, "and": _AND}
_BINARY_LEVELS = {"+": _SUM, "-": _SUM, "~": _CONCAT, "*": _PRODUCT, "//": _PRODUCT, "%": _PRODUCT}


def expression_text(node: ex.Expr) -> str:
    """The expression on one line; it parses to an equal tree."""
    return _write(node, _ANY)


def type_text(node: nodes.TypeExpr) -> str:
    """The type on one line; it parses to an equal tree."""
    if isinstance(node, nodes.NamedType):
        return node.name
    if isinstance(node, nodes.RangeType):
        return f"int {node.low}..{node.high}"
    if isinstance(node, nodes.EnumType):
        return " | ".join(_quoted(member.value) for member in node.members)
    if isinstance(node, nodes.ListType):
        return f"list[{type_text(node.item)}]"
    return f"{type_text(node.item)}?"


def _write(node: ex.Expr, level: int) -> str:
    own, text = _unit(node)
    return text if own >= level else f"({text})"


def _unit(node: ex.Expr) -> tuple[int, str]:
    """The level of a node and its text without parentheses around it."""
    if isinstance(node, ex.Conditional):
        then, test = _write(node.then, _OR), _write(node.test, _OR)
        return _ANY, f"{then} if {test} else {_write(node.orelse, _ANY)}"
    if isinstance(node, ex.Logical):
        own = _LOGICAL_LEVELS[node.op]
        return own, f"{_write(node.left, own)} {node.op} {_write(node.right, own + 1)}"
    if isinstance(node, ex.Not):
        return _NOT, f"not {_write(node.operand, _NOT)}"
    if isinstance(node, ex.Compare):
        return _COMPARE, f"{_write(node.left, _SUM)} {node.op} {_write(node.right, _SUM)}"
    if isinstance(node, ex.Binary):
        own = _BINARY_LEVELS[node.op]
        return own, f"{_write(node.left, own)} {node.op} {_write(node.right, own + 1)}"
    if isinstance(node, ex.Filter):
        return _FILTER, f"{_write(node.value, _FILTER)} | {node.name.name}{_optional_arguments(node.args)}"
    if isinstance(node, ex.Test):
        word = "is not" if node.negated else "is"
        return _FILTER, f"{_write(node.value, _FILTER)} {word} {node.name.name}{_optional_arguments(node.args)}"
    if isinstance(node, ex.Negate):
        return _SIGN, f"-{_write(node.operand, _SIGN)}"
    if isinstance(node, ex.Attribute):
        return _POSTFIX, f"{_write(node.value, _POSTFIX)}.{node.name.name}"
    if isinstance(node, ex.Call):
        return _POSTFIX, f"{_write(node.function, _POSTFIX)}({_arguments(node.args)})"
    return _PRIMARY, _primary(node)


def _primary(node: ex.Expr) -> str:
    if isinstance(node, ex.Name):
        return node.name
    if isinstance(node, ex.TextLiteral):
        return _quoted(node.value)
    if isinstance(node, ex.IntLiteral):
        return str(node.value)
    if isinstance(node, ex.BoolLiteral):
        return "true" if node.value else "false"
    if isinstance(node, ex.ListLiteral):
        return f"[{', '.join(_write(item, _ANY) for item in node.items)}]"
    if isinstance(node, ex.RecordLiteral):
        fields = ", ".join(f"{_field_name(field.name.name)}: {_write(field.value, _ANY)}" for field in node.fields)
        return f"{{{fields}}}"
    return "none"


def _optional_arguments(args: tuple[ex.Argument, ...]) -> str:
    return f"({_arguments(args)})" if args else ""


def _arguments(args: tuple[ex.Argument, ...]) -> str:
    return ", ".join((f"{arg.name.name}=" if arg.name else "") + _write(arg.value, _ANY) for arg in args)


def _field_name(name: str) -> str:
    return name if _NAME.fullmatch(name) and name not in RESERVED else _quoted(name)


def _quoted(text: str) -> str:
    return f'"{escape(text)}"'
