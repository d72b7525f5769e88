"""Decision diagrams over variables with a few values each: exact counting without listing combinations.

A node is an int. Nodes are reduced and unique, so two conditions are equal exactly when their nodes are.
"""

from collections.abc import Callable, Iterable

FALSE = 0
TRUE = 1


class TooLargeError(Exception):
    """The diagrams outgrew the bound: the conditions are too entangled to be counted exactly."""


class Diagrams:
    """A store of reduced ordered decision diagrams.

    Args:
        sizes: Number of values of each variable; the order of variables is the order in this list.
        bound: Most nodes that may be made.
    """

    def __init__(self, sizes: Iterable[int], bound: int = 200_000) -> None:
        self.sizes = list(sizes)
        self.bound = bound
        self._nodes: list[tuple[int, tuple[int, ...]]] = [(len(self.sizes), ()), (len(self.sizes), ())]
        self._unique: dict[tuple[int, tuple[int, ...]], int] = {}
        self._and: dict[tuple[int, int], int] = {}
        self._not: dict[int, int] = {FALSE: TRUE, TRUE: FALSE}
        self._forget: dict[tuple[int, frozenset[int]], int] = {}
        self._support: dict[int, frozenset[int]] = {FALSE: frozenset(), TRUE: frozenset()}

    def _make(self, variable: int, children: tuple[int, ...]) -> int:
        if all(c == children[0] for c in children):
            return children[0]
        key = (variable, children)
        found = self._unique.get(key)
        if found is None:
            found = len(self._nodes)
            if found >= self.bound:
                raise TooLargeError
            self._nodes.append(key)
            self._unique[key] = found
        return found

    def where(self, variable: int, holds: Callable[[int], bool]) -> int:
        """The condition that a variable has one of the values for which `holds` is true."""
        return self._make(variable, tuple(TRUE if holds(v) else FALSE for v in range(self.sizes[variable])))

    def both(self, left: int, right: int) -> int:
        """Conjunction."""
        if left == FALSE or right == FALSE:
            return FALSE
        if left in (TRUE, right):
            return right
        if right == TRUE:
            return left
        key = (left, right) if left < right else (right, left)
        found = self._and.get(key)
        if found is None:
            variable = min(self._nodes[left][0], self._nodes[right][0])
            children = tuple(
                self.both(self._child(left, variable, v), self._child(right, variable, v))
                for v in range(self.sizes[variable])
            )
            found = self._and[key] = self._make(variable, children)
        return found

    def _child(self, node: int, variable: int, value: int) -> int:
        own, children = self._nodes[node]
        return children[value] if own == variable else node

    def negate(self, node: int) -> int:
        """Negation."""
        found = self._not.get(node)
        if found is None:
            variable, children = self._nodes[node]
            found = self._make(variable, tuple(self.negate(c) for c in children))
            self._not[node] = found
            self._not[found] = node
        return found

    def either(self, left: int, right: int) -> int:
        """Disjunction."""
        return self.negate(self.both(self.negate(left), self.negate(right)))

    def support(self, node: int) -> frozenset[int]:
        """Variables that the condition depends on."""
        found = self._support.get(node)
        if found is None:
            variable, children = self._nodes[node]
            found = frozenset((variable,)).union(*(self.support(c) for c in children))
            self._support[node] = found
        return found

    def forget(self, node: int, variables: frozenset[int]) -> int:
        """The condition that some values of `variables` satisfy `node`."""
        wanted = variables & self.support(node)
        if not wanted:
            return node
        key = (node, wanted)
        found = self._forget.get(key)
        if found is None:
            variable, children = self._nodes[node]
            parts = tuple(self.forget(c, wanted) for c in children)
            if variable in wanted:
                found = FALSE
                for part in parts:
                    found = self.either(found, part)
            else:
                found = self._make(variable, parts)
            self._forget[key] = found
        return found

    def example(self, node: int) -> dict[int, int] | None:
        """Values of the variables in the support that satisfy the condition; None when none do."""
        if node == FALSE:
            return None
        out: dict[int, int] = {}
        while node != TRUE:
            variable, children = self._nodes[node]
            value = next(v for v, child in enumerate(children) if child != FALSE)
            out[variable] = value
            node = children[value]
        return out


def prefix_counts(diagrams: Diagrams, conditions: list[int], constraint: int, bound: int = 50_000) -> list[int]:
    """How many different truth vectors the constraint allows, after each condition in turn.

    Entry `i` is the number of nodes at depth `i` of the prefix tree that forks at each condition: `counts[0]` is 1,
    or 0 where the constraint allows nothing. Nodes that face the same rest of the conditions under the same constraint
    are carried as one with a multiplicity, so independent gates multiply without being listed.

    Raises:
        TooLargeError: More than `bound` different nodes at one depth.
    """
    # A condition that was decided before forks nothing: it counts as true from then on.
    decided: set[int] = set()
    fresh: list[int] = []
    for condition in conditions:
        fresh.append(TRUE if condition in decided else condition)
        decided.update((condition, diagrams.negate(condition)))
    last_use: dict[int, int] = {}
    for index, condition in enumerate(fresh):
        for variable in diagrams.support(condition):
            last_use[variable] = index
    expiring: list[set[int]] = [set() for _ in fresh]
    for variable, index in last_use.items():
        expiring[index].add(variable)
    never = frozenset(v for v in range(len(diagrams.sizes)) if v not in last_use)
    states = {diagrams.forget(constraint, never): 1} if constraint != FALSE else {}
    counts = [sum(states.values())]
    for condition, gone in zip(fresh, expiring, strict=True):
        following: dict[int, int] = {}
        if condition in (TRUE, FALSE):
            counts.append(counts[-1])
            continue
        forgotten = frozenset(gone)
        other = diagrams.negate(condition)
        for allowed, many in states.items():
            for branch in (condition, other):
                reached = diagrams.both(allowed, branch)
                if reached != FALSE:
                    reached = diagrams.forget(reached, forgotten)
                    following[reached] = following.get(reached, 0) + many
        if len(following) > bound:
            raise TooLargeError
        states = following
        counts.append(sum(states.values()))
    return counts
