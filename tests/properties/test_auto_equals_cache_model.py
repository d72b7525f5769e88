"""What the planner expects of a session is what the provider's cache model says of it, request by request."""

import os
from fractions import Fraction
from itertools import pairwise, product
from random import Random

import pytest

from promptc.planning.auto.expect import alone, cost
from promptc.planning.auto.model import Lifetime, Load, Mark, Problem, Rules, Segment, Share, Sharing
from promptc.providers.cache_model.simulate import cost as priced
from promptc.providers.cache_model.simulate import step
from promptc.providers.cache_model.values import EMPTY, CacheBlock, CacheRequest
from promptc.providers.registry import provider
from support.sessions import all_choices

NIGHTLY = os.environ.get("PROMPTC_NIGHTLY") == "1"
LAYOUTS = 300 if NIGHTLY else 40
MODEL = "claude-opus-5-5"
FACTS = provider("anthropic")
LIFETIMES = (Lifetime("1h", 3600, Fraction(2)), Lifetime("5m", 300, Fraction("1.25")))
RULES = Rules(4, 512, 20, LIFETIMES, Fraction("0.05"), "marker")


def test_the_rules_of_this_test_are_those_of_the_facts() -> None:
    assert FACTS.cache.lookback is not None
    minimum, price = FACTS.minimum_tokens(MODEL), FACTS.read_price(MODEL)
    assert minimum is not None and price is not None
    assert (RULES.minimum, RULES.lookback, float(RULES.read)) == (
        minimum.value,
        FACTS.cache.lookback.value,
        price.value,
    )
    assert {(entry.name, entry.seconds.value, entry.write.value) for entry in FACTS.lifetimes} == {
        (lifetime.name, lifetime.seconds, float(lifetime.write)) for lifetime in LIFETIMES
    }


def random_problem(random: Random) -> Problem:
    """A session that shares nothing with others: the model of one conversation is all there is to compare with."""
    segments = tuple(Segment(f"s{i}", random.choice((60, 300, 900)), True) for i in range(random.randint(0, 3)))
    load = Load(
        turns=random.choice((2, 3)),
        gaps=random.choice(((Share(100, 299),), (Share(60, 60), Share(40, random.choice((1200, 9000)))))),
        blocks=random.choice(((Share(100, 3),), (Share(70, 2), Share(30, random.choice((19, 20, 27)))))),
        turn_tokens=random.choice((60, 540, 2160)),
    )
    return Problem(segments, (Sharing(Fraction(1), (Fraction(0),) * len(segments)),), load, RULES)


def played(problem: Problem, marks: tuple[Mark, ...], tail: int | None, lagging: bool) -> float:
    """Expected price of one session, its requests sent through the cache model."""
    load = problem.load
    total = 0.0
    for gaps in product(load.gaps, repeat=load.turns - 1):
        for blocks in product(load.blocks, repeat=load.turns - 1):
            chance = 1.0
            for share in (*gaps, *blocks):
                chance *= share.percent / 100
            # Just within the bound of each gap.
            steps = [gap.bound - 0.001 for gap in gaps]
            total += chance * _session(problem, steps, [1, *(b.bound for b in blocks)], marks, tail, lagging)
    return total


def _session(
    problem: Problem,
    gaps: list[float],
    added: list[int],
    marks: tuple[Mark, ...],
    tail: int | None,
    lagging: bool,
) -> float:
    lifetimes = {mark.after: LIFETIMES[mark.lifetime].name for mark in marks}
    prefix = [
        CacheBlock(s.name.encode(), s.tokens, "system", marked=i in lifetimes, ttl=lifetimes.get(i))
        for i, s in enumerate(problem.segments)
    ]
    said: list[tuple[int, int]] = []
    state, at, total = EMPTY, 0.0, 0.0
    ends: list[int] = []
    for turn, count in enumerate(added):
        at += gaps[turn - 1] if turn else 0.0
        # The tokens of a turn stand in its last block; how they are spread is nobody's business.
        said += [(turn, 0)] * (count - 1) + [(turn, problem.load.turn_tokens)]
        ends.append(len(said) - 1)
        looked = [] if tail is None else [ends[-1]]
        if lagging and turn:
            looked.append(ends[-2])
        ttl = LIFETIMES[tail].name if tail is not None else None
        talk = [
            CacheBlock(f"{own}/{i}".encode(), tokens, marked=i in looked, ttl=ttl if i in looked else None)
            for i, (own, tokens) in enumerate(said)
        ]
        outcome = step(CacheRequest((*prefix, *talk), MODEL, at), state, FACTS)
        state = outcome.state
        total += priced(outcome.best, FACTS, MODEL)
    return total


def test_the_expected_cost_is_that_of_the_cache_model() -> None:
    random = Random(None if NIGHTLY else 11)
    for _ in range(LAYOUTS):
        problem = random_problem(random)
        rows = all_choices(problem)
        for row in random.sample(rows, min(4, len(rows))):
            assert float(cost(problem, *row)) == pytest.approx(played(problem, *row), rel=1e-9), (problem, row)


def test_other_sessions_leave_a_prefix_alone_as_often_as_the_formula_says() -> None:
    random = Random(5)
    load = Load(4, (Share(70, 60), Share(30, 900)), (Share(100, 4),), 0)
    rate, seconds, horizon = Fraction(1, 700), 300, 4_000_000
    used: list[float] = []
    at = 0.0
    while at < horizon:
        at += random.expovariate(float(rate))
        moment = at
        used.append(moment)
        for _ in range(load.turns - 1):
            moment += 60 if random.random() < 0.7 else 900
            used.append(moment)
    used.sort()
    # A moment finds the prefix dead when the last use is longer ago than the lifetime.
    dead = sum(max(0.0, later - earlier - seconds) for earlier, later in pairwise(used))
    assert dead / (used[-1] - used[0]) == pytest.approx(float(alone(load, rate, seconds)), rel=0.05)
