"""The AST of expressions: one language for gates, bodies, orders and samples."""

from dataclasses import dataclass
from typing import Literal, TypeAlias

from promptc.source import Span

BinaryOp: TypeAlias = Literal["+", "-", "*", "//", "%", "~"]
CompareOp: TypeAlias = Literal["==", "!=", "<", "<=", ">", ">=", "in", "not in"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Node:
    """Anything that stands in a source.

    Identity is the key of the side tables that passes fill; structure is compared through `syntax.dump`.

    Attributes:
        span: Where it stands.
    """

    span: Span


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Ident(Node):
    """A name as written."""

    name: str


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Name(Node):
    """Use of an input, gate, loop variable, `set` variable, `loop`, or an attachment's field."""

    name: str


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Attribute(Node):
    """`value.name`."""

    value: "Expr"
    name: Ident


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class TextLiteral(Node):
    """A quoted text; `value` is unescaped."""

    value: str


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class IntLiteral(Node):
    """A whole number; `1_000` is allowed."""

    value: int


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class BoolLiteral(Node):
    """`true` or `false` (bodies also take `True`, `False`, as Jinja2 does)."""

    value: bool


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class NoneLiteral(Node):
    """`none`."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ListLiteral(Node):
    """`[a, b]`."""

    items: tuple["Expr", ...]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RecordField(Node):
    """One `name: value` of a record literal; the name may be quoted."""

    name: Ident
    value: "Expr"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RecordLiteral(Node):
    """`{ name: value, ... }`; legal in samples and defaults only."""

    fields: tuple[RecordField, ...]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Not(Node):
    """`not x`."""

    operand: "Expr"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Negate(Node):
    """`-x`."""

    operand: "Expr"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Binary(Node):
    """Arithmetic on integers, or `~` (concatenation of texts and integers)."""

    op: BinaryOp
    left: "Expr"
    right: "Expr"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Logical(Node):
    """`a and b`, `a or b`; two operands, left-associative."""

    op: Literal["and", "or"]
    left: "Expr"
    right: "Expr"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Compare(Node):
    """One comparison; chains are refused by the parser's grammar."""

    op: CompareOp
    left: "Expr"
    right: "Expr"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Conditional(Node):
    """`then if test else orelse`; both arms are mandatory (the parser reports a missing `else`)."""

    test: "Expr"
    then: "Expr"
    orelse: "Expr"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Argument(Node):
    """An argument of a filter or a test; `name` is None for a positional one."""

    name: Ident | None
    value: "Expr"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Filter(Node):
    """`value | name(args)`."""

    value: "Expr"
    name: Ident
    args: tuple[Argument, ...]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Test(Node):
    """`value is [not] name(args)`."""

    value: "Expr"
    name: Ident
    args: tuple[Argument, ...]
    negated: bool


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Call(Node):
    """`f(x)`: parsed so that it can be refused with an exact span; no function exists."""

    function: "Expr"
    args: tuple[Argument, ...]


Expr: TypeAlias = (
    Name
    | Attribute
    | TextLiteral
    | IntLiteral
    | BoolLiteral
    | NoneLiteral
    | ListLiteral
    | RecordLiteral
    | Not
    | Negate
    | Binary
    | Logical
    | Compare
    | Conditional
    | Filter
    | Test
    | Call
)
