"""The AST of template bodies."""

from dataclasses import dataclass
from typing import TypeAlias

from promptc.source import TextMap
from promptc.syntax.expressions import Expr, Ident, Node


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Template(Node):
    """A body as written in a spec: dedented and unescaped text, not parsed yet.

    Attributes:
        text: The text after dedent (triple quotes, block scalars) or unescape (short strings).
        map: From offsets of `text` to the source.
        block: True for `\"\"\"` or a YAML block scalar, False for a short string; only the printers care.
    """

    text: str
    map: TextMap
    block: bool


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class FileRef(Node):
    """`from "path"`: the body stands in a file of its own; `span` is the quoted path."""

    path: str


BodySource: TypeAlias = Template | FileRef


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Literal(Node):
    """Literal text, after the whitespace rule; never empty."""

    text: str


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Output(Node):
    """`{{ value }}`; `span` covers the braces."""

    value: Expr


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Branch(Node):
    """One `if` or `elif` arm; `span` covers its tag."""

    test: Expr
    body: tuple["Part", ...]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class If(Node):
    """`{% if %}` to `{% endif %}`."""

    branches: tuple[Branch, ...]
    orelse: tuple["Part", ...]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class For(Node):
    """`{% for target in iterable [if test] %} ... {% else %} ... {% endfor %}`."""

    target: Ident
    iterable: Expr
    test: Expr | None
    body: tuple["Part", ...]
    orelse: tuple["Part", ...]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Set(Node):
    """`{% set name = value %}`; visible to the end of the enclosing block, as in Jinja2."""

    name: Ident
    value: Expr


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Include(Node):
    """`{% include "section" %}`: the body of a declared library section, in place."""

    name: Ident


Part: TypeAlias = Literal | Output | If | For | Set | Include


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Body(Node):
    """A parsed body.

    Attributes:
        parts: What it is made of, in order. After a syntax error, what could be read.
        broken: True when it had a syntax error; later passes stay silent about it.
    """

    parts: tuple[Part, ...]
    broken: bool = False
