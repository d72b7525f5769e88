"""Build a `traffic` block while Lark parses."""

from typing import Any

from promptc.syntax import traffic_nodes as parts
from promptc.syntax.build import DeclarationBuilder
from promptc.syntax.build_expressions import Children


class TrafficBuilder(DeclarationBuilder):
    """The callbacks of `traffic` and its clauses."""

    def traffic(self, c: Children) -> parts.TrafficDecl:
        items = tuple(x for x in c if isinstance(x, parts.TrafficItem))
        return parts.TrafficDecl(span=self.extent(c), items=items)

    def sessions(self, c: Children) -> parts.Sessions:
        per: Any = str(c[3])
        cls = self.ident(c[5]) if len(c) > 5 else None
        return parts.Sessions(span=self.extent(c), count=self.number(c[1]), per=per, cls=cls)

    def turns(self, c: Children) -> parts.Turns:
        return parts.Turns(span=self.extent(c), count=self.number(c[1]))

    def gaps(self, c: Children) -> parts.Gaps:
        return parts.Gaps(span=self.extent(c), shares=_shares(c))

    def gap(self, c: Children) -> parts.Share:
        seconds = self.duration(c[3]).seconds
        return parts.Share(span=self.extent(c), percent=self.number(c[0]), within=seconds)

    def blocks(self, c: Children) -> parts.Blocks:
        return parts.Blocks(span=self.extent(c), shares=_shares(c))

    def share(self, c: Children) -> parts.Share:
        return parts.Share(span=self.extent(c), percent=self.number(c[0]), within=self.number(c[3]))

    def turn_tokens(self, c: Children) -> parts.TurnTokens:
        return parts.TurnTokens(span=self.extent(c), count=self.number(c[1]))

    def size_of(self, c: Children) -> parts.SizeOf:
        return parts.SizeOf(span=self.extent(c), tokens=self.number(c[1]), name=self.ident(c[3]))

    def present(self, c: Children) -> parts.Present:
        return parts.Present(span=self.extent(c), percent=self.number(c[1]), name=self.ident(c[3]))


def _shares(c: Children) -> tuple[parts.Share, ...]:
    return tuple(x for x in c if isinstance(x, parts.Share))
