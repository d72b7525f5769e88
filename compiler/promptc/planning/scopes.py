"""Derive which scope each block really gets, variant by variant."""

from collections.abc import Sequence

from promptc.diagnostics.model import Diagnostic, Label
from promptc.diagnostics.sink import Sink
from promptc.planning.conditions import Conditions
from promptc.planning.diagrams import FALSE
from promptc.planning.elements import Element
from promptc.planning.model import BlockPlan, Culprit
from promptc.planning.presence import Presence
from promptc.providers.model import Provider
from promptc.semantics.facts import Facts, Layout, PlacedBlock
from promptc.syntax import nodes


class ScopePlanner:
    """Plans the blocks of one prompt.

    Diagnostics:
        PC403 a block holds a section above its scope, PC404 bytes in front of it do and there is no fallback,
        PC407 the fallback cannot hold them either, PC412 the declared scope is never reached.
    """

    def __init__(
        self,
        facts: Facts,
        layout: Layout,
        elements: Sequence[Element],
        conditions: Conditions,
        feasible: int,
        provider: Provider,
        sink: Sink,
    ) -> None:
        self.facts = facts
        self.layout = layout
        self.elements = elements
        self.conditions = conditions
        self.feasible = feasible
        self.provider = provider
        self.sink = sink
        self.presence = Presence(facts, conditions, feasible)

    def plan(self, index: int, block: PlacedBlock) -> BlockPlan:
        """The plan of the block at an index of the system lane; `variants` is filled in by the caller."""
        node = block.node
        if node is None or node.scope is None:
            return BlockPlan(block, None, None, (), False, None, None, None)
        scope = self.facts.symbols.scopes.get(node.scope.name)
        if scope is None or scope.holds.name not in self.facts.symbols.chain.names:
            return BlockPlan(block, None, None, (), False, None, None, None)
        self._check_own(index, node, scope)
        culprits = self._culprits(index, scope.holds.name)
        reached = self.demoted(culprits)
        planned = self.layout.auto is not None
        # The planner chooses a lifetime for the place, whoever shares it.
        ttl = _seconds(node.ttl) or (None if planned else _seconds(scope.ttl))
        if reached == FALSE:
            return BlockPlan(block, node.scope.name, None, (), False, ttl, None, None)
        always = self.conditions.diagrams.both(self.feasible, self.conditions.diagrams.negate(reached)) == FALSE
        fallback = self._fallback(node, scope, culprits)
        if always and fallback is not None:
            self._never_reached(node, scope, culprits)
        fallback_scope = self.facts.symbols.scopes.get(fallback) if fallback is not None else None
        fallback_ttl = _seconds(fallback_scope.ttl) if fallback_scope is not None else None
        if planned and fallback is not None:
            fallback_ttl = ttl
        return BlockPlan(block, node.scope.name, fallback, culprits, always, ttl, fallback_ttl, None)

    def demoted(self, culprits: Sequence[Culprit]) -> int:
        """The feasible combinations in which one of the culprits is there."""
        found = FALSE
        by_node = {e.node: e for e in self.elements}
        for culprit in culprits:
            found = self.conditions.diagrams.either(found, self.presence.of(by_node[culprit.node]))
        return self.conditions.diagrams.both(found, self.feasible)

    def _check_own(self, index: int, node: nodes.Block, scope: nodes.ScopeDecl) -> None:
        chain = self.facts.symbols.chain
        for element in self.elements:
            if element.block != index or element.at in self.facts.misplaced:
                continue
            if not chain.is_above(element.cls, scope.holds.name):
                continue
            wider = [n for n, s in self.facts.symbols.scopes.items() if self._holds(s, element.cls)]
            self.sink.report(
                Diagnostic(
                    "PC403",
                    f"scope `{scope.name.name}` holds `@{scope.holds.name}`, and section `{element.name}` is `@{element.cls}`",
                    Label(element.at, f"`@{element.cls}`"),
                    (
                        Label(node.scope.span if node.scope else node.span, "in this cached block"),
                        Label(scope.holds.span, f"shared by all who agree on `@{scope.holds.name}`"),
                    ),
                    help=f"place it in a block of scope `{wider[0]}`" if wider else "declare a scope that holds it",
                )
            )

    def _holds(self, scope: nodes.ScopeDecl, cls: str) -> bool:
        chain = self.facts.symbols.chain
        return scope.holds.name in chain.names and not chain.is_above(cls, scope.holds.name)

    def _culprits(self, index: int, holds: str) -> tuple[Culprit, ...]:
        chain = self.facts.symbols.chain
        out: list[Culprit] = []
        headers_free = self.provider.cache.headers_outside_key.value
        for element in self.elements:
            if element.lane == "preamble" or (element.block is not None and element.block >= index):
                break
            if element.at in self.facts.misplaced or not chain.is_above(element.cls, holds):
                continue
            if element.block is not None:
                before = self.layout.system[element.block]
                header = before.node is not None and before.node.scope is None
                # A fall inside the lane is PC401; here count headers, and what a pin let stand in front.
                if not (header and not headers_free) and not element.pinned:
                    continue
            if self.conditions.diagrams.both(self.presence.of(element), self.feasible) != FALSE:
                out.append(
                    Culprit(element.name, element.cls, element.at, element.conditions, element.source, element.node)
                )
        return tuple(out)

    def _fallback(self, node: nodes.Block, scope: nodes.ScopeDecl, culprits: Sequence[Culprit]) -> str | None:
        assert node.scope is not None
        chain = self.facts.symbols.chain
        highest = chain.join(c.cls for c in culprits)
        causes = tuple(Label(c.at, f"`{c.name}` is `@{c.cls}` and comes first in the cache order") for c in culprits)
        order = " -> ".join(self.provider.prefix_order.value)
        notes = (
            f"{self.provider.id} caches in the order {order}: whatever stands in front of a block is part of its prefix",
            f"while {_listed(culprits)} is there, these bytes are shared only within one `{highest}`",
        )
        wide = [n for n, s in self.facts.symbols.scopes.items() if self._holds(s, highest)]
        if node.fallback is None:
            self.sink.report(
                Diagnostic(
                    "PC404",
                    f"this block cannot have the scope `{scope.name.name}`: `@{highest}` bytes stand in front of it",
                    Label(node.scope.span, f"holds `@{scope.holds.name}` only"),
                    causes,
                    notes,
                    help=f"declare what it gets then: `cache {scope.name.name} fallback {wide[0] if wide else 'SCOPE'}`",
                )
            )
            return None
        fallback = self.facts.symbols.scopes.get(node.fallback.name)
        if fallback is None:
            return None
        if not self._holds(fallback, highest):
            self.sink.report(
                Diagnostic(
                    "PC407",
                    f"the fallback `{node.fallback.name}` holds `@{fallback.holds.name}`, but `@{highest}` bytes stand in front",
                    Label(node.fallback.span, f"holds `@{fallback.holds.name}` only"),
                    causes,
                    notes,
                    help=f"fall back to `{wide[0]}`" if wide else f"declare a scope that holds `{highest}`",
                )
            )
        return fallback.name.name

    def _never_reached(self, node: nodes.Block, scope: nodes.ScopeDecl, culprits: Sequence[Culprit]) -> None:
        assert node.scope is not None
        self.sink.report(
            Diagnostic(
                "PC412",
                f"no feasible variant gives this block the scope `{scope.name.name}`",
                Label(node.scope.span),
                tuple(Label(c.at, f"`{c.name}` `@{c.cls}` is always in front of it") for c in culprits),
                help=f"declare the scope that it gets: `cache {node.fallback.name if node.fallback else 'SCOPE'}`",
            )
        )


def _listed(culprits: Sequence[Culprit]) -> str:
    return " or ".join(f"`{c.name}`" for c in culprits)


def _seconds(duration: nodes.Duration | None) -> int | None:
    return None if duration is None else duration.seconds
