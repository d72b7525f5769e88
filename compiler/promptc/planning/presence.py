"""When an element is there, as a condition over the inputs."""

from collections.abc import Iterable

from promptc.planning.conditions import Conditions
from promptc.planning.diagrams import FALSE
from promptc.planning.elements import Element
from promptc.semantics.facts import Facts
from promptc.syntax import expressions as ex


class Presence:
    """Tells for the elements of one prompt when they contribute bytes, as far as gates and empty tool lists tell.

    Attributes:
        feasible: The combinations of inputs that exist.
    """

    def __init__(self, facts: Facts, conditions: Conditions, feasible: int) -> None:
        self.facts = facts
        self.conditions = conditions
        self.feasible = feasible

    def of(self, element: Element) -> int:
        """The condition under which an element is there."""
        found = self.conditions.all_of(element.conditions)
        if element.source is not None and (name := _input_name(self.facts, element.source)) is not None:
            found = self.conditions.diagrams.both(found, self.conditions.filled(name))
        return found

    def always(self, element: Element) -> bool:
        """Whether it is there in every feasible combination."""
        return self.there(element) == self.feasible

    def there(self, element: Element) -> int:
        """The feasible combinations in which an element is there; equal for elements that come and go together."""
        return self.conditions.diagrams.both(self.of(element), self.feasible)

    def covers(self, elements: Iterable[Element]) -> bool:
        """Whether one of some elements is there in every feasible combination."""
        found = FALSE
        for element in elements:
            found = self.conditions.diagrams.either(found, self.there(element))
        return found == self.feasible

    def missing(self, element: Element) -> int:
        """The feasible combinations in which it is not."""
        diagrams = self.conditions.diagrams
        return diagrams.both(diagrams.negate(self.of(element)), self.feasible)


def _input_name(facts: Facts, expr: ex.Expr) -> str | None:
    if isinstance(expr, ex.Name):
        resolution = facts.names.get(expr)
        if resolution is not None and resolution.kind == "input":
            return resolution.name
    return None
