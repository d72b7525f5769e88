"""Law: the variants that the planner counts are exactly those that listing every combination finds."""

import itertools
import os

from hypothesis import given, settings
from hypothesis import strategies as st

from promptc.planning.diagrams import FALSE, Diagrams, prefix_counts

EXAMPLES = 5_000 if os.environ.get("PROMPTC_NIGHTLY") else 150


def _compound(inner: st.SearchStrategy[tuple]) -> st.SearchStrategy[tuple]:
    return (
        st.tuples(st.just("not"), inner)
        | st.tuples(st.just("and"), inner, inner)
        | st.tuples(st.just("or"), inner, inner)
    )


@st.composite
def problems(draw: st.DrawFn) -> tuple[list[int], list[tuple], tuple]:
    """Sizes of a few variables, some conditions over them, and a constraint; conditions as nested tuples."""
    sizes = draw(st.lists(st.integers(2, 4), min_size=1, max_size=5))

    atom = st.integers(0, len(sizes) - 1).flatmap(
        lambda v: st.tuples(st.just("where"), st.just(v), st.frozensets(st.integers(0, sizes[v] - 1)))
    )
    condition = st.recursive(atom, _compound, max_leaves=5)
    return sizes, draw(st.lists(condition, max_size=6)), draw(condition)


def holds(condition: tuple, values: tuple[int, ...]) -> bool:
    """The condition under one assignment, by definition."""
    match condition:
        case ("where", variable, allowed):
            return values[variable] in allowed
        case ("not", inner):
            return not holds(inner, values)
        case ("and", left, right):
            return holds(left, values) and holds(right, values)
        case ("or", left, right):
            return holds(left, values) or holds(right, values)
    raise AssertionError(condition)


def node(diagrams: Diagrams, condition: tuple) -> int:
    """The condition as a diagram."""
    match condition:
        case ("where", variable, allowed):
            return diagrams.where(variable, lambda v: v in allowed)
        case ("not", inner):
            return diagrams.negate(node(diagrams, inner))
        case ("and", left, right):
            return diagrams.both(node(diagrams, left), node(diagrams, right))
        case ("or", left, right):
            return diagrams.either(node(diagrams, left), node(diagrams, right))
    raise AssertionError(condition)


@settings(max_examples=EXAMPLES, deadline=None)
@given(problems())
def test_counts_at_every_depth_equal_a_full_listing(problem: tuple[list[int], list[tuple], tuple]) -> None:
    sizes, conditions, constraint = problem
    diagrams = Diagrams(sizes)
    nodes = [node(diagrams, c) for c in conditions]

    counts = prefix_counts(diagrams, nodes, node(diagrams, constraint))

    feasible = [v for v in itertools.product(*(range(s) for s in sizes)) if holds(constraint, v)]
    vectors = [tuple(holds(c, v) for c in conditions) for v in feasible]
    expected = [len({v[:depth] for v in vectors}) for depth in range(len(conditions) + 1)]
    assert expected == counts


@settings(max_examples=EXAMPLES, deadline=None)
@given(problems())
def test_equal_conditions_are_one_node_and_an_example_satisfies(problem: tuple[list[int], list[tuple], tuple]) -> None:
    sizes, conditions, constraint = problem
    diagrams = Diagrams(sizes)
    assignments = list(itertools.product(*(range(s) for s in sizes)))
    seen: dict[tuple[bool, ...], int] = {}
    for condition in (*conditions, constraint):
        found = node(diagrams, condition)
        table = tuple(holds(condition, v) for v in assignments)
        assert seen.setdefault(table, found) == found
        example = diagrams.example(found)
        if found == FALSE:
            assert example is None
        else:
            assert example is not None
            completed = tuple(example.get(v, 0) for v in range(len(sizes)))
            assert holds(condition, completed)


def test_thousands_of_independent_gates_are_counted_without_being_listed() -> None:
    diagrams = Diagrams([2] * 5_000)
    gates = [diagrams.where(v, lambda value: value == 1) for v in range(5_000)]

    assert prefix_counts(diagrams, gates, 1)[-1] == 2**5_000
