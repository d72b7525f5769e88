"""Build expression and type nodes while Lark parses.

Lark calls the method of a rule's name with the values of all its symbols, tokens included; spans come from the first
and the last of them. Nothing here raises: what is wrong is reported and a node is returned all the same.
"""

from collections.abc import Callable
from dataclasses import fields, replace
from typing import Any, TypeAlias

from lark import Token

from promptc.diagnostics.model import Diagnostic, Edit, Fix, Label
from promptc.source import Span, TextMap
from promptc.syntax import expressions as ex
from promptc.syntax import nodes
from promptc.syntax.map_slicer import MapSlicer
from promptc.syntax.strings import TextProblem, unescape

MAX_DEPTH = 100
MAX_INT = 2**53 - 1  # the largest that every emitter's language holds exactly
_LITERAL_DIGITS = 20
RESERVED = frozenset(("or", "and", "not", "in", "is", "if", "else", "none", "None", "true", "True", "false", "False"))

Children: TypeAlias = list[Any]


class ExpressionBuilder:
    """The callbacks of `grammar/expressions.lark`.

    One builder serves one thread; `begin` prepares it for the next text.

    Attributes:
        found: What is wrong in the text so far.
        reserved_used: A reserved word stood where a value belongs; what the parser says after that is a consequence.
        span: From a range of the text to the source.
    """

    def __init__(self) -> None:
        self.begin(TextMap("", ()))

    def __getattr__(self, name: str) -> Any:
        # A grammar that imports rules knows them by a prefixed name. Python's own words take an underscore.
        plain = name.removeprefix("expressions__")
        if plain == name:
            plain = f"{name}_"
        method = getattr(type(self), plain, None)
        if method is None:
            raise AttributeError(name)
        return method.__get__(self)

    def begin(self, text_map: TextMap) -> None:
        """Prepare for a text; `text_map` leads from its offsets to the source."""
        self.found: list[Diagnostic] = []
        self.reserved_used = False
        self.span = span_function(text_map)

    def report(self, diagnostic: Diagnostic) -> None:
        """Keep an error for the caller, who decides after the parse what is worth saying."""
        self.found.append(diagnostic)

    # -- places ----------------------------------------------------------------------------------

    def token_span(self, token: Token) -> Span:
        """Where a token stands in the source."""
        return self.span(token.start_pos or 0, token.end_pos or 0)

    def place(self, value: Any) -> Span:
        """Where a child stands: a token, or anything that has a span."""
        if isinstance(value, Token):
            return self.token_span(value)
        span: Span = value.span
        return span

    def extent(self, children: Children) -> Span:
        """From the first child to the last one."""
        first = self.place(children[0])
        last = self.place(children[-1]) if len(children) > 1 else first
        return Span(first.path, first.start, last.end)

    def ident(self, token: Token) -> ex.Ident:
        """A name token as a node."""
        return ex.Ident(span=self.token_span(token), name=str(token))

    # -- literals --------------------------------------------------------------------------------

    def text_literal(self, token: Token) -> ex.TextLiteral:
        """A quoted text on one line."""
        problems: list[TextProblem] = []
        value, _ = unescape(token[1:-1], (token.start_pos or 0) + 1, problems)
        self.report_problems(problems)
        return ex.TextLiteral(span=self.token_span(token), value=value)

    def report_problems(self, problems: list[TextProblem]) -> None:
        """Report what is wrong inside a text."""
        for problem in problems:
            place = Label(self.span(problem.start, problem.end))
            edits = tuple(Edit(self.span(start, end), text) for start, end, text in problem.edits)
            fix = Fix(problem.fix, edits) if edits else None
            self.report(Diagnostic(problem.code, problem.message, place, help=problem.help, fix=fix))

    def number(self, token: Token) -> int:
        """The value of an integer token; 0 after a report when it is out of range."""
        digits = token.replace("_", "")
        span = self.token_span(token)
        if len(digits) > 1 and digits[0] == "0":
            plain = digits.lstrip("0") or "0"
            fix = Fix(f"write `{plain}`", (Edit(span, plain),)) if len(plain) < _LITERAL_DIGITS else None
            message = "a number starts with a zero"
            self.report(Diagnostic("PC111", message, Label(span), help="write it without leading zeros", fix=fix))
            return 0
        if len(digits) >= _LITERAL_DIGITS or int(digits) > MAX_INT:
            note = f"the largest is {MAX_INT:_}: beyond it JavaScript and many JSON readers lose digits"
            self.report(Diagnostic("PC111", "a number is too large", Label(span), notes=(note,)))
            return 0
        return int(digits)

    def integer(self, c: Children) -> ex.Expr:
        return ex.IntLiteral(span=self.token_span(c[0]), value=self.number(c[0]))

    def text(self, c: Children) -> ex.Expr:
        return self.text_literal(c[0])

    def true(self, c: Children) -> ex.Expr:
        return ex.BoolLiteral(span=self.token_span(c[0]), value=True)

    def false(self, c: Children) -> ex.Expr:
        return ex.BoolLiteral(span=self.token_span(c[0]), value=False)

    def none(self, c: Children) -> ex.Expr:
        return ex.NoneLiteral(span=self.token_span(c[0]))

    def list_literal(self, c: Children) -> ex.Expr:
        return ex.ListLiteral(span=self.extent(c), items=tuple(x for x in c if not isinstance(x, Token)))

    def record_literal(self, c: Children) -> ex.Expr:
        return ex.RecordLiteral(span=self.extent(c), fields=tuple(x for x in c if isinstance(x, ex.RecordField)))

    def field(self, c: Children) -> ex.RecordField:
        key: Token = c[0]
        name = self.ident(key)
        if key.type != "NAME":
            text = self.text_literal(key)
            name = ex.Ident(span=text.span, name=text.value)
        return ex.RecordField(span=self.extent(c), name=name, value=c[2])

    # -- operators -------------------------------------------------------------------------------

    def name(self, c: Children) -> ex.Expr:
        span = self.token_span(c[0])
        if c[0] in RESERVED:
            # The lexer takes a word for a name wherever no keyword fits.
            self.reserved_used = True
            message = f"`{c[0]}` is a reserved word and no value"
            self.report(Diagnostic("PC100", message, Label(span, "expected a value")))
        return ex.Name(span=span, name=str(c[0]))

    def group(self, c: Children) -> ex.Expr:
        # The parentheses belong to the span, so that replacing the span replaces them too.
        inner: ex.Expr = c[1]
        return replace(inner, span=self.extent(c))

    def conditional(self, c: Children) -> ex.Expr:
        return ex.Conditional(span=self.extent(c), test=c[2], then=c[0], orelse=c[4])

    def logical(self, c: Children) -> ex.Expr:
        return ex.Logical(span=self.extent(c), op="and" if c[1] == "and" else "or", left=c[0], right=c[2])

    def not_(self, c: Children) -> ex.Expr:
        return ex.Not(span=self.extent(c), operand=c[1])

    def compare(self, c: Children) -> ex.Expr:
        op: ex.CompareOp = str(c[1])  # type: ignore[assignment]  # the grammar has exactly these
        return ex.Compare(span=self.extent(c), op=op, left=c[0], right=c[2])

    def compare_not_in(self, c: Children) -> ex.Expr:
        return ex.Compare(span=self.extent(c), op="not in", left=c[0], right=c[3])

    def binary(self, c: Children) -> ex.Expr:
        op: ex.BinaryOp = str(c[1])  # type: ignore[assignment]  # the grammar has exactly these
        return ex.Binary(span=self.extent(c), op=op, left=c[0], right=c[2])

    def negate(self, c: Children) -> ex.Expr:
        return ex.Negate(span=self.extent(c), operand=c[1])

    def attribute(self, c: Children) -> ex.Expr:
        return ex.Attribute(span=self.extent(c), value=c[0], name=self.ident(c[2]))

    def filter(self, c: Children) -> ex.Expr:
        args = c[3].args if len(c) > 3 else ()
        return ex.Filter(span=self.extent(c), value=c[0], name=self.ident(c[2]), args=args)

    def test_name(self, c: Children) -> ex.Ident:
        return self.ident(c[0])

    def test(self, c: Children) -> ex.Expr:
        args = c[3].args if len(c) > 3 else ()
        return ex.Test(span=self.extent(c), value=c[0], name=c[2], args=args, negated=False)

    def test_not(self, c: Children) -> ex.Expr:
        args = c[4].args if len(c) > 4 else ()
        return ex.Test(span=self.extent(c), value=c[0], name=c[3], args=args, negated=True)

    def call(self, c: Children) -> ex.Expr:
        return ex.Call(span=self.extent(c), function=c[0], args=c[1].args)

    def arguments(self, c: Children) -> "Arguments":
        return Arguments(self.extent(c), tuple(x for x in c if isinstance(x, ex.Argument)))

    def argument(self, c: Children) -> ex.Argument:
        return ex.Argument(span=c[0].span, name=None, value=c[0])

    def named_argument(self, c: Children) -> ex.Argument:
        return ex.Argument(span=self.extent(c), name=self.ident(c[0]), value=c[2])

    # -- types -----------------------------------------------------------------------------------

    def named_type(self, c: Children) -> nodes.TypeExpr:
        return nodes.NamedType(span=self.token_span(c[0]), name=str(c[0]))

    def optional_type(self, c: Children) -> nodes.TypeExpr:
        return nodes.OptionalType(span=self.extent(c), item=c[0])

    def enum_type(self, c: Children) -> nodes.TypeExpr:
        members = tuple(self.text_literal(token) for token in c[::2])
        return nodes.EnumType(span=self.extent(c), members=members)

    def list_type(self, c: Children) -> nodes.TypeExpr:
        if c[0] != "list":
            span = self.token_span(c[0])
            self.report(
                Diagnostic(
                    "PC100",
                    f"found `[` after the type `{c[0]}`; only `list` takes an item type",
                    Label(span, "not `list`"),
                    fix=Fix("write `list`", (Edit(span, "list"),)),
                )
            )
        return nodes.ListType(span=self.extent(c), item=c[2])

    def range_type(self, c: Children) -> nodes.TypeExpr:
        low, high = c[1], c[3]
        if c[0] != "int":
            span = self.token_span(c[0])
            message = f"a range follows the type `{c[0]}`; only `int` takes one"
            self.report(Diagnostic("PC118", message, Label(span), fix=Fix("write `int`", (Edit(span, "int"),))))
        elif low.value > high.value:
            span = Span(low.span.path, low.span.start, high.span.end)
            message = f"the range {low.value}..{high.value} is empty"
            self.report(Diagnostic("PC118", message, Label(span), help="write the smaller bound first"))
        return nodes.RangeType(span=self.extent(c), low=low.value, high=high.value)

    def signed_integer(self, c: Children) -> ex.IntLiteral:
        return ex.IntLiteral(span=self.extent(c), value=self.number(c[-1]))

    def negative_integer(self, c: Children) -> ex.IntLiteral:
        return ex.IntLiteral(span=self.extent(c), value=-self.number(c[-1]))

    # -- limits ----------------------------------------------------------------------------------

    def bounded(self, node: ex.Node) -> bool:
        """Whether a tree is shallow enough for passes that recurse; reports PC110 when it is not."""
        # A tree is never deeper than its text is long, which settles nearly every case without a walk.
        if node.span.end - node.span.start <= MAX_DEPTH or not _is_deeper(node, MAX_DEPTH):
            return True
        self.report(Diagnostic("PC110", f"this nests deeper than {MAX_DEPTH} levels", Label(node.span)))
        return False


class Arguments:
    """The arguments of a filter, a test or a call, with the parentheses' span."""

    __slots__ = ("args", "span")

    def __init__(self, span: Span, args: tuple[ex.Argument, ...]) -> None:
        self.span = span
        self.args = args


def _is_deeper(node: ex.Node, limit: int) -> bool:
    level: list[ex.Node] = [node]
    for _ in range(limit):
        level = [child for parent in level for child in _children(parent)]
        if not level:
            return False
    return True


def _children(node: ex.Node) -> list[ex.Node]:
    found: list[ex.Node] = []
    for item in fields(node):
        value = getattr(node, item.name)
        if isinstance(value, ex.Node):
            found.append(value)
        elif isinstance(value, tuple):
            found.extend(part for part in value if isinstance(part, ex.Node))
    return found


def span_function(text_map: TextMap) -> Callable[[int, int], Span]:
    """`text_map.span`, cheaper where the text stands in its source as it is."""
    path = text_map.path
    segments = text_map.segments
    if not segments or (len(segments) == 1 and segments[0].length == segments[0].source_length):
        offset = segments[0].source - segments[0].at if segments else text_map.origin
        if offset == 0:
            return lambda start, end: Span(path, start, end)
        return lambda start, end: Span(path, start + offset, end + offset)
    return MapSlicer(text_map).span
