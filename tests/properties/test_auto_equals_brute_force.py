"""The planner of `cache auto` against brute force: every allowed row of markers, each played request by request."""

import os
from fractions import Fraction
from random import Random

import pytest

from promptc.planning.auto.expect import cost
from promptc.planning.auto.model import Lifetime, Load, Problem, Rules, Segment, Share, Sharing
from promptc.planning.auto.optimise import solve
from support.sessions import all_choices, played_cost

NIGHTLY = os.environ.get("PROMPTC_NIGHTLY") == "1"
LAYOUTS = 40_000 if NIGHTLY else 2_400
HOUR, FIVE_MINUTES = Lifetime("1h", 3600, Fraction(2)), Lifetime("5m", 300, Fraction("1.25"))


def random_problem(random: Random) -> Problem:
    """A small layout; the classes of its segments never fall, as the checked order of a prompt has it."""
    count = random.randint(0, 4)
    segments = tuple(
        Segment(f"s{i}", random.choice((0, 40, 300, 900, 2000)), random.random() < 0.85) for i in range(count)
    )
    sharings = []
    weights = random.choice(((100,), (100,), (30, 70)))
    for weight in weights:
        ranks = sorted(random.choice((0, 0, 1, 1, 2, 3)) for _ in range(count))
        rates = (
            Fraction(1, random.choice((20, 120, 900))),
            Fraction(1, random.choice((1000, 9000))),
            Fraction(0),
            None,
        )
        sharings.append(Sharing(Fraction(weight, 100), tuple(rates[rank] for rank in ranks)))
    cut = random.choice((0, 40, 80, 100))
    load = Load(
        turns=random.choice((1, 2, 2, 3)),
        gaps=random.choice(((Share(100, 240),), (Share(cut, 60), Share(100 - cut, random.choice((600, 3000, 9000)))))),
        blocks=random.choice(((Share(100, 4),), (Share(70, 4), Share(30, random.choice((19, 20, 25)))))),
        turn_tokens=random.choice((0, 50, 512, 700, 4000)),
    )
    rules = Rules(
        limit=random.choice((1, 2, 3, 4)),
        minimum=random.choice((0, 512, 1024)),
        lookback=random.choice((20, 20, None)),
        lifetimes=random.choice(((HOUR, FIVE_MINUTES), (FIVE_MINUTES,))),
        read=Fraction(random.choice(("0.1", "0.25"))),
        tail=random.choice(("marker", "marker", "marker", "nobody", "provider")),
    )
    return Problem(segments, tuple(sharings), load, rules)


def test_no_allowed_row_of_markers_is_cheaper_than_the_one_chosen() -> None:
    random = Random(None if NIGHTLY else 20_261_201)
    marked = 0
    for _ in range(LAYOUTS):
        problem = random_problem(random)
        found = solve(problem)
        marked += len(found.marks)

        rows = all_choices(problem)
        assert (found.marks, found.tail, found.lagging) in rows, problem
        least = min(played_cost(problem, *row) for row in rows)
        assert float(found.cost) == pytest.approx(least, rel=1e-9, abs=1e-9), problem
    # The layouts are not all trivial.
    assert marked > LAYOUTS / 3


def test_the_cost_of_every_row_is_what_playing_it_costs() -> None:
    random = Random(7)
    for _ in range(LAYOUTS // 12):
        problem = random_problem(random)
        for row in all_choices(problem):
            assert float(cost(problem, *row)) == pytest.approx(played_cost(problem, *row), rel=1e-9, abs=1e-9), problem
