"""Two ways of asking Jinja2 what a body should render to.

`jinja_source` prints a parsed body as a Jinja2 template whose tags touch nothing around them, so that the whitespace
rule is out of the picture and only the meaning of expressions and blocks is compared. `original_is_comparable` says
for which bodies the *original text* can be given to Jinja2 as it stands: there the whitespace rule is compared too.
"""

import json
import re
from collections.abc import Callable, Mapping
from typing import assert_never

import jinja2

from promptc.syntax.bodies_ast import Body, For, If, Include, Literal, Output, Part, Set
from promptc.syntax.body_scanner import Tag, scan
from promptc.syntax.expressions import (
    Argument,
    Attribute,
    Binary,
    BoolLiteral,
    Call,
    Compare,
    Conditional,
    Expr,
    Filter,
    IntLiteral,
    ListLiteral,
    Logical,
    Name,
    Negate,
    NoneLiteral,
    Not,
    RecordLiteral,
    Test,
    TextLiteral,
)
from promptc.syntax.whitespace import stands_for_text


def twin_environment(templates: Mapping[str, str] | None = None) -> jinja2.Environment:
    """Jinja2 with the settings of the comparison.

    Filters and tests keep Jinja2's meaning, except where promptc differs on purpose: an absent optional is `None`
    and counts as not defined, `default` replaces it, `sort` and `unique` go by code point, and `json` and `cut` are
    promptc's own.

    Args:
        templates: Jinja2 source of every section that may be included, by name.
    """
    environment = jinja2.Environment(
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        autoescape=False,
        undefined=jinja2.StrictUndefined,
        loader=jinja2.DictLoader(dict(templates or {})),
    )
    builtin_sort = environment.filters["sort"]
    builtin_unique = environment.filters["unique"]

    @jinja2.pass_environment
    def sort(env: jinja2.Environment, value: object, attribute: str | None = None) -> object:
        return builtin_sort(env, value, case_sensitive=True, attribute=attribute)

    @jinja2.pass_environment
    def unique(env: jinja2.Environment, value: object) -> object:
        return list(builtin_unique(env, value, case_sensitive=True))

    own: dict[str, Callable[..., object]] = {
        "sort": sort,
        "unique": unique,
        "default": lambda value, default_value: default_value if value is None else value,
        "map": lambda value, attribute: [item[attribute] for item in value],  # Jinja2's can be read once only
        "first": lambda value: value[0] if value else None,
        "last": lambda value: value[-1] if value else None,
        "reverse": lambda value: list(reversed(value)),
        "json": lambda value: json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":")),
        "cut": lambda value, length, marker="": value if len(value) <= length else value[:length] + marker,
    }
    environment.filters.update(own)
    environment.tests["defined"] = lambda value: value is not None
    environment.tests["undefined"] = lambda value: value is None
    environment.tests["empty"] = lambda value: value is None or len(value) == 0
    return environment


def jinja_source(body: Body) -> str:
    """A Jinja2 template that renders to what the body renders to."""
    return "".join(_part(part) for part in body.parts)


def original_is_comparable(text: str) -> bool:
    """Whether Jinja2 with `trim_blocks` and `lstrip_blocks` has to agree on the text as it stands.

    That is so where every block tag and comment has its line to itself, with nothing behind it, and no tag is one of
    those that the whitespace rule treats differently on purpose (`raw`, `include`, `+`).
    """
    for tag in scan(text):
        if tag.kind in ("raw", "endraw") or tag.word == "include" or _has_plus(text, tag):
            return False
        if stands_for_text(tag):
            continue
        line = text.rfind("\n", 0, tag.start) + 1
        if text[line : tag.start].strip(" \t") or text[tag.end : tag.end + 1] not in ("", "\n"):
            return False
    return True


def _has_plus(text: str, tag: Tag) -> bool:
    return text[tag.start + 2] == "+" or text[tag.end - 3] == "+"


# -- parts ---------------------------------------------------------------------------------------


def _parts(parts: tuple[Part, ...]) -> str:
    return "".join(_part(part) for part in parts)


def _part(part: Part) -> str:
    match part:
        case Literal():
            return f"{{{{ {_quote(part.text)} }}}}" if re.search(r"[{\r]", part.text) else part.text
        case Output():
            return f"{{{{ {expression_source(part.value)} }}}}"
        case Set():
            return _block(f"set {part.name.name} = {expression_source(part.value)}")
        case Include():
            return _block(f'include "{part.name.name}"')
        case If():
            arms = [
                _block(f"{'elif' if index else 'if'} {expression_source(arm.test)}") + _parts(arm.body)
                for index, arm in enumerate(part.branches)
            ]
            return "".join(arms) + _orelse(part.orelse) + _block("endif")
        case For():
            test = f" if {expression_source(part.test)}" if part.test is not None else ""
            head = _block(f"for {part.target.name} in {expression_source(part.iterable)}{test}")
            return head + _parts(part.body) + _orelse(part.orelse) + _block("endfor")
        case _:
            assert_never(part)


def _orelse(parts: tuple[Part, ...]) -> str:
    return _block("else") + _parts(parts) if parts else ""


def _block(content: str) -> str:
    return f"{{%+ {content} +%}}"


# -- expressions ---------------------------------------------------------------------------------


def expression_source(expr: Expr) -> str:
    """An expression in Jinja2's syntax; every operand stands in parentheses, so precedence plays no part."""
    match expr:
        case Name():
            return expr.name
        case Attribute():
            if isinstance(expr.value, Name) and expr.value.name == "loop":
                return f"loop.{expr.name.name}"
            return f"{_operand(expr.value)}[{_quote(expr.name.name)}]"
        case TextLiteral():
            return _quote(expr.value)
        case IntLiteral():
            return str(expr.value)
        case BoolLiteral():
            return "true" if expr.value else "false"
        case NoneLiteral():
            return "none"
        case ListLiteral():
            return f"[{', '.join(expression_source(item) for item in expr.items)}]"
        case RecordLiteral():
            fields = (f"{_quote(f.name.name)}: {expression_source(f.value)}" for f in expr.fields)
            return f"{{{', '.join(fields)}}}"
        case Not():
            return f"not {_operand(expr.operand)}"
        case Negate():
            return f"-{_operand(expr.operand)}"
        case Binary() | Logical() | Compare():
            return f"{_operand(expr.left)} {expr.op} {_operand(expr.right)}"
        case Conditional():
            return f"{_operand(expr.then)} if {_operand(expr.test)} else {_operand(expr.orelse)}"
        case Filter():
            return f"{_operand(expr.value)}|{expr.name.name}({_arguments(expr.args)})"
        case Test():
            word = "is not" if expr.negated else "is"
            arguments = f"({_arguments(expr.args)})" if expr.args else ""
            return f"{_operand(expr.value)} {word} {expr.name.name}{arguments}"
        case Call():
            return f"{_operand(expr.function)}({_arguments(expr.args)})"
        case _:
            assert_never(expr)


def _operand(expr: Expr) -> str:
    printed = expression_source(expr)
    return printed if isinstance(expr, Name) else f"({printed})"


def _arguments(args: tuple[Argument, ...]) -> str:
    return ", ".join(
        (f"{arg.name.name}=" if arg.name is not None else "") + expression_source(arg.value) for arg in args
    )


def _quote(text: str) -> str:
    """A string literal of Jinja2, which reads escapes as Python does."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\x7f")
