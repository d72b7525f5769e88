"""Sessions played request by request against a cache of a few lines: what a layout of markers costs, counted.

Nothing here is shared with the planner but the classes that name its problem: the gaps are enumerated, every request
writes and reads entries, and each is billed as the provider bills it.
"""

from itertools import combinations, product
from math import exp

from promptc.planning.auto.model import Mark, Problem, Sharing


def others_live(problem: Problem, rate: float, seconds: int) -> float:
    """Probability that another session has used a prefix in the last `seconds`, by the windows of every session."""
    load = problem.load
    covered = 0.0
    for gaps in product(load.gaps, repeat=load.turns - 1):
        chance = 1.0
        starts, at = [0], 0
        for gap in gaps:
            chance *= gap.percent / 100
            at += gap.bound
            starts.append(at)
        union, reached = 0, -seconds - 1
        for start in starts:
            # A session that began `start` before a moment in this window had a request in it.
            union += min(seconds, start + seconds - max(reached, start)) if reached > start else seconds
            reached = start + seconds
        covered += chance * union
    return 1 - exp(-rate * covered)


def played_cost(problem: Problem, marks: tuple[Mark, ...], tail: int | None, lagging: bool) -> float:
    """Expected cost of one session."""
    load = problem.load
    total = 0.0
    for sharing in problem.sharings:
        for gaps in product(load.gaps, repeat=load.turns - 1):
            for blocks in product(load.blocks, repeat=load.turns - 1):
                chance = float(sharing.weight)
                for share in (*gaps, *blocks):
                    chance *= share.percent / 100
                if chance:
                    session = [g.bound for g in gaps], [b.bound for b in blocks]
                    total += chance * _session(problem, sharing, session, marks, tail, lagging)
    return total


def _session(
    problem: Problem,
    sharing: Sharing,
    session: tuple[list[int], list[int]],
    marks: tuple[Mark, ...],
    tail: int | None,
    lagging: bool,
) -> float:
    rules, load = problem.rules, problem.load
    ends = [sum(s.tokens for s in problem.segments[: i + 1]) for i in range(len(problem.segments))]
    before = ends[-1] if ends else 0
    kept = not sharing.rates or sharing.rates[-1] is not None
    # How many of the markers, from the front, other sessions keep alive, and how probable that is.
    alive = [1.0]
    for mark in marks:
        rate = sharing.rates[mark.after]
        seconds = rules.lifetimes[mark.lifetime].seconds
        alive.append(0.0 if rate is None else min(alive[-1], others_live(problem, float(rate), seconds)))
    alive.append(0.0)
    fixed: dict[int, int] = {}
    said: dict[int, int] = {}
    places: dict[int, int] = {}
    at, place, cost = 0, 0, 0.0
    for turn in range(1, load.turns + 1):
        if turn > 1:
            at += session[0][turn - 2]
            place += session[1][turn - 2]
        places[turn] = place
        whole = before + turn * load.turn_tokens
        own = [m for m in marks if sharing.rates[m.after] is not None and fixed.get(m.after, -1) >= at]
        found_tail = 0
        looking = [turn] if tail is not None else []
        if lagging and turn > 1:
            looking.append(turn - 1)
        for seen in looking:
            for earlier in range(turn - 1, 0, -1):
                near = rules.lookback is None or places[seen] - places[earlier] < rules.lookback
                if earlier <= seen and near and kept and said.get(earlier, -1) >= at:
                    found_tail = max(found_tail, before + earlier * load.turn_tokens)
                    break
        for count in range(len(marks) + 1):
            chance = alive[count] - alive[count + 1]
            if chance <= 0:
                continue
            hits = [ends[m.after] for m in (*own, *marks[:count])]
            read = max([found_tail, *hits, 0])
            cost += chance * _billed(problem, read, marks, ends, whole, tail)
        for mark in marks:
            fixed[mark.after] = at + rules.lifetimes[mark.lifetime].seconds
        if tail is not None and whole >= rules.minimum:
            said[turn] = at + rules.lifetimes[tail].seconds
    return cost


def _billed(
    problem: Problem, read: int, marks: tuple[Mark, ...], ends: list[int], whole: int, tail: int | None
) -> float:
    """Read up to the hit, then to the last marker of each lifetime at its price, then at the plain price."""
    rules = problem.rules
    writing = [(ends[m.after], m.lifetime) for m in marks]
    if tail is not None and whole >= rules.minimum:
        writing.append((whole, tail))
    total, done = read * float(rules.read), read
    for index, lifetime in enumerate(rules.lifetimes):
        reached = max((end for end, own in writing if own == index), default=0)
        if reached > done:
            total += (reached - done) * float(lifetime.write)
            done = reached
    return total + whole - done


def all_choices(problem: Problem) -> list[tuple[tuple[Mark, ...], int | None, bool]]:
    """Every row of markers that the rules allow, one slot kept for the conversation and one for what lags."""
    rules, load = problem.rules, problem.load
    lifetimes = range(len(rules.lifetimes))
    outrun = rules.lookback is not None and any(b.percent and b.bound >= rules.lookback for b in load.blocks)
    out: list[tuple[tuple[Mark, ...], int | None, bool]] = []
    total, open_places = 0, []
    for index, segment in enumerate(problem.segments):
        total += segment.tokens
        if segment.markable and total >= rules.minimum:
            open_places.append(index)
    tails: list[int | None] = {"nobody": [None], "marker": [None, *lifetimes], "provider": [lifetimes[-1]]}[rules.tail]
    for tail in tails:
        ours = rules.tail == "marker"
        lagging = ours and tail is not None and outrun and load.turns > 1 and rules.limit > 1
        slots = rules.limit - ours - lagging
        for count in range(slots + 1):
            for places in combinations(open_places, count):
                for chosen in product(lifetimes, repeat=count):
                    row = [*chosen, *([tail] if tail is not None else [])]
                    if row == sorted(row):
                        marks = tuple(Mark(p, lt) for p, lt in zip(places, chosen, strict=True))
                        out.append((marks, tail, lagging))
    return out
