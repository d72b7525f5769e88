"""Build prompts, lanes and sections while Lark parses."""

from typing import Any

from lark import Token

from promptc.syntax import nodes
from promptc.syntax.build import Clause
from promptc.syntax.build_expressions import Children
from promptc.syntax.build_traffic import TrafficBuilder


class ModuleBuilder(TrafficBuilder):
    """The callbacks of `grammar/promptc.lark`, complete."""

    # -- sections --------------------------------------------------------------------------------

    def section(self, c: Children) -> nodes.SectionDecl:
        clauses = self.clauses(c)
        return nodes.SectionDecl(
            span=self.extent(c),
            name=self.ident(c[1]),
            cls=clauses.get("@"),
            when=clauses.get("when"),
            deliver=clauses.get("deliver"),
            pin=clauses.get("pin"),
            allows=tuple(x for x in c if isinstance(x, nodes.Allow)),
            content=c[-1],
        )

    def include(self, c: Children) -> nodes.IncludeItem:
        clauses = self.clauses(c)
        return nodes.IncludeItem(
            span=self.extent(c), name=self.ident(c[1]), when=clauses.get("when"), pin=clauses.get("pin")
        )

    def deliver(self, c: Children) -> Clause:
        mode: Any = str(c[1])
        key = self.expression(c[3]) if len(c) > 3 else None
        return self.clause("deliver", c, nodes.Deliver(span=self.extent(c), mode=mode, key=key))

    def delta(self, c: Children) -> nodes.DeltaBody:
        parts = self.clauses(c)
        first_when, first = parts.get("first", (None, None))
        return nodes.DeltaBody(
            span=self.extent(c),
            first_when=first_when,
            first=first,
            changed=parts.get("changed"),
            gone=parts.get("gone"),
        )

    def first(self, c: Children) -> Clause:
        return self.clause("first", c, (self.clauses(c).get("when"), c[-1]))

    def changed(self, c: Children) -> Clause:
        return self.clause("changed", c, c[1])

    def gone(self, c: Children) -> Clause:
        return self.clause("gone", c, c[1])

    # -- prompts ---------------------------------------------------------------------------------

    def prompt(self, c: Children) -> nodes.PromptDecl:
        base: Token | None = c[3] if c[2] == "extends" else None
        items = tuple(x for x in c if not isinstance(x, Token))
        extends = self.ident(base) if base is not None else None
        return nodes.PromptDecl(span=self.extent(c), name=self.ident(c[1]), extends=extends, items=items)

    def target(self, c: Children) -> nodes.Target:
        return nodes.Target(span=self.extent(c), name=self.ident(c[1]))

    def model(self, c: Children) -> nodes.Model:
        return nodes.Model(span=self.extent(c), value=self.expression(c[1]))

    def max_tokens(self, c: Children) -> nodes.MaxTokens:
        return nodes.MaxTokens(span=self.extent(c), value=self.number(c[1]))

    def cache_auto(self, c: Children) -> nodes.CacheAuto:
        return nodes.CacheAuto(span=self.extent(c))

    def cache_key(self, c: Children) -> nodes.CacheKey:
        return nodes.CacheKey(span=self.extent(c), value=self.expression(c[2]))

    def replace(self, c: Children) -> nodes.Edit:
        return nodes.Edit(span=self.extent(c), kind="replace", target=self.ident(c[1]), item=c[3])

    def remove(self, c: Children) -> nodes.Edit:
        return nodes.Edit(span=self.extent(c), kind="remove", target=self.ident(c[1]), item=None)

    def insert(self, c: Children) -> nodes.Edit:
        kind: Any = str(c[1])
        return nodes.Edit(span=self.extent(c), kind=kind, target=self.ident(c[2]), item=c[3])

    # -- lanes -----------------------------------------------------------------------------------

    def lane(self, c: Children) -> nodes.Lane:
        kind: Any = str(c[0])
        envelope = self.ident(c[2]) if c[1] == "in" else None
        items = tuple(x for x in c if not isinstance(x, Token))
        return nodes.Lane(span=self.extent(c), kind=kind, envelope=envelope, items=items)

    def cached(self, c: Children) -> nodes.Block:
        clauses = self.clauses(c)
        return nodes.Block(
            span=self.extent(c),
            scope=self.ident(c[1]),
            ttl=clauses.get("ttl"),
            fallback=clauses.get("fallback"),
            items=_placed(c),
        )

    def uncached(self, c: Children) -> nodes.Block:
        return nodes.Block(span=self.extent(c), scope=None, ttl=None, fallback=None, items=_placed(c))

    def fallback(self, c: Children) -> Clause:
        return self.clause("fallback", c, self.ident(c[1]))

    def separator(self, c: Children) -> nodes.Separator:
        return nodes.Separator(span=self.extent(c), text=self.text_literal(c[1]))

    def tool_group(self, c: Children) -> nodes.ToolGroup:
        clauses = self.clauses(c)
        at = 3 if isinstance(c[2], Clause) else 2
        return nodes.ToolGroup(
            span=self.extent(c),
            name=self.ident(c[1]),
            cls=clauses.get("@"),
            source=self.expression(c[at + 1]),
            order=clauses.get("order", ()),
            when=clauses.get("when"),
            defer=clauses.get("defer"),
            policy=clauses.get("policy"),
            pin=clauses.get("pin"),
        )

    def order(self, c: Children) -> Clause:
        return self.clause("order", c, tuple(self.ident(token) for token in c[2::2]))

    def defer(self, c: Children) -> Clause:
        return self.clause("defer", c, self.expression(c[2]))

    def policy(self, c: Children) -> Clause:
        return self.clause("policy", c, str(c[1]))

    def tool(self, c: Children) -> nodes.ToolDecl:
        clauses = self.clauses(c)
        return nodes.ToolDecl(
            span=self.extent(c),
            name=self.ident(c[1]),
            cls=clauses.get("@"),
            when=clauses.get("when"),
            description=clauses.get("description"),
            schema=clauses.get("schema"),
            pin=clauses.get("pin"),
        )

    def description(self, c: Children) -> Clause:
        return self.clause("description", c, c[1])

    def schema(self, c: Children) -> Clause:
        return self.clause("schema", c, c[1])

    def cache_last(self, c: Children) -> nodes.CacheMark:
        return nodes.CacheMark(span=self.extent(c), ttl=self.clauses(c).get("ttl"))

    def cache_last_message(self, c: Children) -> nodes.CacheMark:
        return nodes.CacheMark(span=self.extent(c), ttl=self.clauses(c).get("ttl"))

    def history(self, c: Children) -> nodes.History:
        return nodes.History(span=self.extent(c), name=self.ident(c[1]))


def _placed(c: Children) -> tuple[nodes.LaneSection, ...]:
    return tuple(x for x in c if isinstance(x, nodes.SectionDecl | nodes.IncludeItem))
