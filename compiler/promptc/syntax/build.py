"""Build declarations while Lark parses: the callbacks of `grammar/promptc.lark` outside prompts."""

from typing import Any, NamedTuple

from lark import Token

from promptc.diagnostics.model import Diagnostic, Edit, Fix, Label
from promptc.source import Span, TextMap
from promptc.syntax import expressions as ex
from promptc.syntax import nodes
from promptc.syntax.bodies_ast import BodySource, FileRef, Template
from promptc.syntax.build_expressions import Children, ExpressionBuilder
from promptc.syntax.map_slicer import MapSlicer
from promptc.syntax.strings import TextProblem, read_block, unescape

_SECONDS = {"s": 1, "m": 60, "h": 3600, "d": 86400}


class Clause(NamedTuple):
    """A clause that waits for its declaration.

    Attributes:
        kind: Its keyword.
        value: What it holds.
        span: Where it stands.
    """

    kind: str
    value: Any
    span: Span


class DeclarationBuilder(ExpressionBuilder):
    """The callbacks of declarations; `build_prompt` adds those of prompts.

    Attributes:
        comments: All comments of the text.
        unclosed: Where a block text begins that has no closing quotes of its own; None when there is none.
    """

    def begin(self, text_map: TextMap) -> None:
        super().begin(text_map)
        self.path = text_map.path
        self.places = MapSlicer(text_map)
        self.comments: list[nodes.Comment] = []
        self.unclosed: int | None = None

    # -- parts -----------------------------------------------------------------------------------

    def comment(self, token: Token) -> Token:
        """Keep a comment, which the grammar ignores."""
        self.comments.append(nodes.Comment(span=self.token_span(token), text=token.rstrip()))
        return token

    def word(self, c: Children) -> Token:
        token: Token = c[0]
        return token

    def expression(self, node: ex.Expr) -> ex.Expr:
        """An expression as a part of a declaration: bounded in depth."""
        return node if self.bounded(node) else ex.NoneLiteral(span=node.span)

    def type_expression(self, node: nodes.TypeExpr) -> nodes.TypeExpr:
        """A type as a part of a declaration: bounded in depth."""
        return node if self.bounded(node) else nodes.NamedType(span=node.span, name="text")

    def template(self, c: Children) -> Template:
        token: Token = c[0]
        start = token.start_pos or 0
        problems: list[TextProblem] = []
        if token.type == "BLOCK":
            block = read_block(token, start, problems)
            if block.unclosed and self.unclosed is None:
                self.unclosed = start
            text, segments = block.text, block.segments
        else:
            text, segments = unescape(token[1:-1], start + 1, problems)
        self.report_problems(problems)
        segments = self.places.through(segments)
        origin = segments[0].source if segments else self.span(start + 1, start + 1).start
        return Template(
            span=self.token_span(token),
            text=text,
            map=TextMap(self.path, segments, origin),
            block=token.type == "BLOCK",
        )

    def file(self, c: Children) -> FileRef:
        path = self.text_literal(c[1])
        return FileRef(span=path.span, path=path.value)

    def body(self, c: Children) -> BodySource:
        source: BodySource = c[0]
        return source

    def clauses(self, children: Children) -> dict[str, Any]:
        """The values of clauses by kind; a second one of a kind is reported (PC112) and left out."""
        first: dict[str, Clause] = {}
        for clause in children:
            if not isinstance(clause, Clause):
                continue
            before = first.setdefault(clause.kind, clause)
            if before is not clause:
                self.report(
                    Diagnostic(
                        "PC112",
                        f"`{clause.kind}` stands here a second time",
                        Label(clause.span, "second"),
                        (Label(before.span, "first"),),
                        help="keep one of them",
                        fix=Fix("remove the second one", (Edit(clause.span, ""),)),
                    )
                )
        return {kind: clause.value for kind, clause in first.items()}

    def clause(self, kind: str, c: Children, value: Any) -> Clause:
        """A clause that covers all of `c`."""
        return Clause(kind, value, self.extent(c))

    def class_(self, c: Children) -> Clause:
        return self.clause("@", c, self.ident(c[1]))

    def ttl(self, c: Children) -> Clause:
        return self.clause("ttl", c, self.duration(c[1]))

    def duration(self, token: Token) -> nodes.Duration:
        """A time with its unit; 0 seconds after a report."""
        digits = token.rstrip("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")
        unit = token[len(digits) :]
        seconds = 0
        if unit not in _SECONDS or len(digits) > 9:
            self.report(
                Diagnostic(
                    "PC100",
                    f"`{token[:40]}` is not a duration",
                    Label(self.token_span(token)),
                    help="write whole seconds, minutes, hours or days: `30s`, `5m`, `1h`, `1d`",
                )
            )
        else:
            seconds = int(digits) * _SECONDS[unit]
        return nodes.Duration(span=self.token_span(token), seconds=seconds)

    def when(self, c: Children) -> Clause:
        return self.clause("when", c, self.expression(c[1]))

    def pin(self, c: Children) -> Clause:
        return self.clause("pin", c, nodes.Pin(span=self.extent(c), reason=self.text_literal(c[1])))

    def allow(self, c: Children) -> nodes.Allow:
        return nodes.Allow(span=self.extent(c), code=self.ident(c[1]), reason=self.text_literal(c[2]))

    # -- the module ------------------------------------------------------------------------------

    def module(self, c: Children) -> tuple[nodes.Item, ...]:
        return tuple(c)

    def language(self, c: Children) -> nodes.Language:
        return nodes.Language(span=self.extent(c), version=self.number(c[1]))

    def use(self, c: Children) -> nodes.Use:
        return nodes.Use(span=self.extent(c), path=self.text_literal(c[1]))

    def stability(self, c: Children) -> nodes.StabilityDecl:
        return nodes.StabilityDecl(span=self.extent(c), classes=tuple(self.ident(token) for token in c[1::2]))

    def scope(self, c: Children) -> nodes.ScopeDecl:
        ttl = self.clauses(c).get("ttl")
        return nodes.ScopeDecl(span=self.extent(c), name=self.ident(c[1]), holds=self.ident(c[3]), ttl=ttl)

    def envelope(self, c: Children) -> nodes.EnvelopeDecl:
        return nodes.EnvelopeDecl(span=self.extent(c), name=self.ident(c[1]), open=c[4], close=c[6])

    def limit(self, c: Children) -> nodes.LimitDecl:
        return nodes.LimitDecl(span=self.extent(c), metric=c[1], subject=self.ident(c[3]), bound=self.number(c[6]))

    def metric(self, c: Children) -> Any:
        return str(c[0])

    # -- values ----------------------------------------------------------------------------------

    def record(self, c: Children) -> nodes.RecordDecl:
        fields = tuple(x for x in c if isinstance(x, nodes.FieldDecl))
        return nodes.RecordDecl(span=self.extent(c), name=self.ident(c[1]), fields=fields)

    def record_field(self, c: Children) -> nodes.FieldDecl:
        has_default = len(c) > 4 and _is_word(c[-2], "=")
        return nodes.FieldDecl(
            span=self.extent(c),
            name=self.ident(c[0]),
            type=self.type_expression(c[2]),
            untrusted=len(c) > 3 and _is_word(c[3], "untrusted"),
            default=self.expression(c[-1]) if has_default else None,
        )

    def input(self, c: Children) -> nodes.InputDecl:
        clauses = self.clauses(c)
        return nodes.InputDecl(
            span=self.extent(c),
            name=self.ident(c[1]),
            type=self.type_expression(c[3]),
            cls=clauses.get("@"),
            untrusted="untrusted" in clauses,
            max=clauses.get("max"),
            default=clauses.get("="),
        )

    def untrusted(self, c: Children) -> Clause:
        return self.clause("untrusted", c, True)

    def max(self, c: Children) -> Clause:
        cut = self.text_literal(c[4]) if len(c) > 4 else None
        return self.clause("max", c, nodes.MaxClause(span=self.extent(c), chars=self.number(c[1]), cut=cut))

    def default(self, c: Children) -> Clause:
        return self.clause("=", c, self.expression(c[1]))

    def gate(self, c: Children) -> nodes.GateDecl:
        return nodes.GateDecl(span=self.extent(c), name=self.ident(c[1]), condition=self.expression(c[3]))

    def require(self, c: Children) -> nodes.RequireDecl:
        condition = self.expression(c[1])
        return nodes.RequireDecl(span=self.extent(c), condition=condition, reason=self.text_literal(c[2]))

    # -- samples ---------------------------------------------------------------------------------

    def sample(self, c: Children) -> nodes.SampleDecl:
        return nodes.SampleDecl(
            span=self.extent(c),
            name=self.ident(c[1]),
            prompt=self.ident(c[3]),
            bindings=tuple(x for x in c if isinstance(x, nodes.Binding)),
            messages=tuple(x for x in c if isinstance(x, nodes.SampleMessage)),
        )

    def binding(self, c: Children) -> nodes.Binding:
        return nodes.Binding(span=self.extent(c), name=self.ident(c[0]), value=self.expression(c[2]))

    def message(self, c: Children) -> nodes.SampleMessage:
        role: Any = str(c[0])
        return nodes.SampleMessage(span=self.extent(c), role=role, text=self.text_literal(c[1]))


def _is_word(value: Any, word: str) -> bool:
    return isinstance(value, Token) and value == word
