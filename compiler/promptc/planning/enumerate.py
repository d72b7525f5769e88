"""List the variants of a prompt one by one, while they are few: what holds in each, and an input that leads there."""

from collections.abc import Iterator
from dataclasses import dataclass

from promptc.planning.conditions import Conditions, DomainValue
from promptc.planning.diagrams import FALSE
from promptc.planning.elements import Element, elements_of
from promptc.planning.forks import ChoicePoint, ForkCounter, choice_points
from promptc.planning.model import BlockPlan, PromptPlan
from promptc.semantics.facts import Facts
from promptc.syntax import expressions as ex


@dataclass(frozen=True, slots=True)
class Variant:
    """One way through the choice points of a prompt.

    Attributes:
        holds: Per choice point, in the order of `PromptPlan.forks`: whether it holds; None where it is not reached.
        present: Per element, in cache order: whether it is there.
        scopes: Per system block: the scope that it gets; None for an uncached one.
        example: Inputs that lead here, in order of declaration; those that do not matter are left out.
    """

    holds: tuple[bool | None, ...]
    present: tuple[bool, ...]
    scopes: tuple[str | None, ...]
    example: tuple[tuple[str, DomainValue], ...]


def variants_of(facts: Facts, plan: PromptPlan, most: int) -> tuple[Variant, ...] | None:
    """Every variant of a planned prompt, in the order of its choice points; None when there are more than `most`."""
    if plan.variants > most:
        return None
    found = _Enumeration(facts, plan)
    return tuple(found.variant(truths, allowed) for truths, allowed in found.leaves())


class _Enumeration:
    def __init__(self, facts: Facts, plan: PromptPlan) -> None:
        self.facts = facts
        self.plan = plan
        self.elements = elements_of(facts, plan.layout, plan.provider)
        self.points = choice_points(facts, self.elements)
        lists = [name for e in self.elements if (name := self._input(e.source)) is not None]
        self.conditions = Conditions(facts, self._expressions(), lists)
        self.diagrams = self.conditions.diagrams
        self.feasible = self.conditions.all_of(r.condition for r in facts.symbols.requires)
        self.counter = ForkCounter(facts, self.conditions, self.points, self.feasible)

    def _expressions(self) -> Iterator[ex.Expr]:
        for require in self.facts.symbols.requires:
            yield require.condition
        for point in self.points:
            yield from point.condition
            yield from point.path

    def _input(self, source: ex.Expr | None) -> str | None:
        found = self.facts.names.get(source) if isinstance(source, ex.Name) else None
        return found.name if found is not None and found.kind == "input" else None

    def leaves(self) -> Iterator[tuple[tuple[bool, ...], int]]:
        """Truths of all choice points with the condition under which they are so."""
        # A stack rather than recursion: a prompt may have more choice points than Python has frames.
        open_ways: list[tuple[tuple[bool, ...], int]] = [((), self.feasible)]
        while open_ways:
            truths, allowed = open_ways.pop()
            if allowed == FALSE:
                continue
            if len(truths) == len(self.points):
                yield truths, allowed
                continue
            node = self.counter.nodes[len(truths)]
            open_ways.append(((*truths, False), self.diagrams.both(allowed, self.diagrams.negate(node))))
            open_ways.append(((*truths, True), self.diagrams.both(allowed, node)))

    def variant(self, truths: tuple[bool, ...], allowed: int) -> Variant:
        """The variant at a leaf."""
        return Variant(
            holds=tuple(
                truth if self._possible(allowed, self._path(point)) else None
                for point, truth in zip(self.points, truths, strict=True)
            ),
            present=tuple(self._possible(allowed, self._presence(e)) for e in self.elements),
            scopes=tuple(self._scope(block, allowed) for block in self.plan.blocks),
            example=self._example(allowed),
        )

    def _possible(self, allowed: int, node: int) -> bool:
        # All that decides presence is a choice point, so at a leaf possible and certain are the same.
        return self.diagrams.both(allowed, node) != FALSE

    def _path(self, point: ChoicePoint) -> int:
        return self.conditions.all_of(point.path)

    def _presence(self, element: Element) -> int:
        found = self.conditions.all_of(element.conditions)
        name = self._input(element.source)
        return found if name is None else self.diagrams.both(found, self.conditions.filled(name))

    def _scope(self, block: BlockPlan, allowed: int) -> str | None:
        if block.fallback is None:
            return block.scope
        by_node = {e.node: e for e in self.elements}
        demoted = any(self._possible(allowed, self._presence(by_node[c.node])) for c in block.culprits)
        return block.fallback if demoted else block.scope

    def _example(self, allowed: int) -> tuple[tuple[str, DomainValue], ...]:
        chosen = self.diagrams.example(allowed) or {}
        variables = self.conditions.variables
        inputs = self.facts.symbols.inputs
        return tuple(
            (variables[i].name, variables[i].values[v])
            for i, v in sorted(chosen.items())
            if variables[i].name in inputs
        )
