"""The conditions that fork a prefix, in the order of its bytes, and how many variants each makes."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from promptc.planning.conditions import Conditions
from promptc.planning.diagrams import prefix_counts
from promptc.planning.elements import Element
from promptc.planning.model import Fork
from promptc.semantics.domains import unbounded_part
from promptc.semantics.facts import Facts, Placed
from promptc.semantics.sizes import literal_text
from promptc.source import Span
from promptc.syntax import bodies_ast as ast
from promptc.syntax import expressions as ex
from promptc.syntax import nodes


@dataclass(frozen=True, slots=True, eq=False)
class ChoicePoint:
    """A place where the prefix may go two ways.

    Attributes:
        path: Conditions that must hold for the place to be reached; the element's own gates included.
        condition: What decides there; empty for a tool list that may be empty.
        source: For such a list, the input it is taken from.
    """

    element: Element
    path: tuple[ex.Expr, ...]
    condition: tuple[ex.Expr, ...]
    source: ex.Expr | None
    at: Span
    inside: bool


def choice_points(facts: Facts, elements: Sequence[Element]) -> tuple[ChoicePoint, ...]:
    """All choice points in cache order. Loops repeat text per element; what happens in them is not a variant."""
    out: list[ChoicePoint] = []
    for element in elements:
        if element.conditions:
            span = element.conditions[0].span
            out.append(ChoicePoint(element, (), element.conditions, None, span, False))
        if element.source is not None and isinstance(element.source, ex.Name):
            out.append(ChoicePoint(element, element.conditions, (), element.source, element.source.span, False))
        for path, test in _tests(facts, element):
            out.append(ChoicePoint(element, (*element.conditions, *path), (test,), None, test.span, True))
    return tuple(out)


def _tests(facts: Facts, element: Element) -> Iterator[tuple[tuple[ex.Expr, ...], ex.Expr]]:
    node = element.node
    if isinstance(node, Placed):
        content = node.decl.content
        if not isinstance(content, nodes.DeltaBody) and content in facts.bodies:
            yield from _body_tests(facts, facts.bodies[content].parts, (), frozenset())
    elif isinstance(node, nodes.ToolDecl) and node.description in facts.bodies:
        yield from _body_tests(facts, facts.bodies[node.description].parts, (), frozenset())


def _body_tests(
    facts: Facts, parts: tuple[ast.Part, ...], path: tuple[ex.Expr, ...], seen: frozenset[str]
) -> Iterator[tuple[tuple[ex.Expr, ...], ex.Expr]]:
    for part in parts:
        match part:
            case ast.If(branches=branches, orelse=orelse):
                rest = path
                for branch in branches:
                    if unbounded_part(branch.test, facts) is None:
                        yield rest, branch.test
                        yield from _body_tests(facts, branch.body, (*rest, branch.test), seen)
                        rest = (*rest, ex.Not(span=branch.test.span, operand=branch.test))
                yield from _body_tests(facts, orelse, rest, seen)
            case ast.Output(value=value):
                for test in _inline_tests(value):
                    if unbounded_part(test, facts) is None:
                        yield path, test
            case ast.Include(name=name) if name.name not in seen:
                section = facts.symbols.sections.get(name.name)
                if section is not None and not isinstance(section.content, nodes.DeltaBody):
                    body = facts.bodies.get(section.content)
                    if body is not None:
                        yield from _body_tests(facts, body.parts, path, seen | {name.name})
            case _:
                continue


def _inline_tests(expr: ex.Expr) -> Iterator[ex.Expr]:
    match expr:
        case ex.Conditional(test=test, then=then, orelse=orelse):
            yield test
            yield from _inline_tests(then)
            yield from _inline_tests(orelse)
        case ex.Binary(left=left, right=right):
            yield from _inline_tests(left)
            yield from _inline_tests(right)
        case ex.Filter(value=value):
            yield from _inline_tests(value)
        case _:
            return


class ForkCounter:
    """Counts the variants of one prompt's prefix.

    Raises:
        planning.diagrams.TooLargeError: The conditions are too entangled to be counted exactly.
    """

    def __init__(self, facts: Facts, conditions: Conditions, points: Sequence[ChoicePoint], feasible: int) -> None:
        self.facts = facts
        self.conditions = conditions
        self.points = points
        self.feasible = feasible
        self.nodes = [self._node(p) for p in points]
        self._counts: dict[int, list[int]] = {}

    def _node(self, point: ChoicePoint) -> int:
        d = self.conditions.diagrams
        found = d.both(self.conditions.all_of(point.path), self.conditions.all_of(point.condition))
        if point.source is not None and isinstance(point.source, ex.Name):
            resolution = self.facts.names.get(point.source)
            if resolution is not None and resolution.kind == "input":
                found = d.both(found, self.conditions.filled(resolution.name))
        return found

    def counts(self, allowed: int) -> list[int]:
        """Distinct prefixes after each choice point, in the combinations `allowed`; entry 0 is in front of all."""
        if allowed not in self._counts:
            self._counts[allowed] = prefix_counts(self.conditions.diagrams, self.nodes, allowed)
        return self._counts[allowed]

    def count(self, until: int, allowed: int) -> int:
        """Distinct prefixes through the first `until` choice points, in the combinations `allowed`."""
        return self.counts(allowed)[until]

    def forks(self, elements: Sequence[Element]) -> tuple[Fork, ...]:
        """Every choice point with what it costs."""
        least: dict[object, int] = {}
        most: dict[object, int] = {}
        low = high = 0
        for element in elements:
            least[element.node], most[element.node] = low, high
            size = self._bytes(element)
            high += size
            low += 0 if element.conditions else size
        counts = self.counts(self.feasible)
        return tuple(
            Fork(
                element=point.element.name,
                condition=point.condition,
                at=point.at,
                inside=point.inside,
                least_bytes=least[point.element.node],
                most_bytes=most[point.element.node],
                before=counts[index],
                after=counts[index + 1],
            )
            for index, point in enumerate(self.points)
        )

    def _bytes(self, element: Element) -> int:
        if isinstance(element.node, Placed):
            return len(literal_text(self.facts, element.node.decl).encode("utf-8", "surrogatepass"))
        return 0
