"""What to expect of a marker: how often a session reads what it ends, and what a session then costs.

The model is the one of `providers.cache_model`: every request writes or refreshes what its markers end; an entry can be
read until its lifetime has passed since then; what stands between the entry that is read and a marker is written at the
price of that marker's lifetime. Sessions begin independently of each other (a Poisson process), and each goes as `Load`
says. Then, with a lifetime of t seconds, T turns and gaps G, the other sessions leave no live entry with the probability

    exp(-rate * (t + (T - 1) * E[min(G, t)]))

since the sessions that would leave one are those that began in the union of the windows (o - t, o) over their requests'
offsets o. The exponential is rounded correctly in decimal arithmetic, so that it is the same number on every machine.
"""

from collections.abc import Sequence
from decimal import Context, Decimal
from fractions import Fraction
from functools import lru_cache

from promptc.planning.auto.model import Load, Mark, Problem, Share

_DECIMAL = Context(prec=40)
_DIGITS = 10**18


def within(shares: Sequence[Share], bound: int) -> Fraction:
    """Probability that a value lies within a bound."""
    return Fraction(sum(s.percent for s in shares if s.bound <= bound), 100)


@lru_cache(maxsize=4096)
def alone(load: Load, rate: Fraction, seconds: int) -> Fraction:
    """Probability that no other session has used a prefix for so long.

    Args:
        rate: Sessions per second that share it.
    """
    inside = sum((Fraction(s.percent, 100) * min(s.bound, seconds) for s in load.gaps), Fraction(0))
    exponent = rate * (seconds + (load.turns - 1) * inside)
    decimal = _DECIMAL.divide(Decimal(exponent.numerator), Decimal(exponent.denominator))
    found = _DECIMAL.multiply(_DECIMAL.exp(_DECIMAL.minus(decimal)), Decimal(_DIGITS))
    return Fraction(int(found.to_integral_value(context=_DECIMAL)), _DIGITS)


def reads(load: Load, rate: Fraction | None, seconds: int) -> Fraction:
    """How many of a session's requests find a prefix live, on average."""
    if rate is None:
        return Fraction(0)
    others = 1 - alone(load, rate, seconds)
    own = within(load.gaps, seconds)
    return others + (load.turns - 1) * (own + (1 - own) * others)


def mean_reads(problem: Problem, after: int, lifetime: int) -> Fraction:
    """How many requests of a session read the prefix through a segment, over all sharings."""
    seconds = problem.rules.lifetimes[lifetime].seconds
    return sum((s.weight * reads(problem.load, s.rates[after], seconds) for s in problem.sharings), Fraction(0))


def can_outrun(problem: Problem) -> bool:
    """Whether a turn may add so many blocks that a marker at its end no longer finds the one before."""
    lookback = problem.rules.lookback
    return lookback is not None and any(s.percent and s.bound >= lookback for s in problem.load.blocks)


def tail_reads(problem: Problem, lifetime: int, lagging: bool) -> Fraction:
    """Probability that a request reads what the request before left at the end of the conversation."""
    own = within(problem.load.gaps, problem.rules.lifetimes[lifetime].seconds)
    lookback = problem.rules.lookback
    reached = Fraction(1) if lagging or lookback is None else within(problem.load.blocks, lookback - 1)
    kept = sum((s.weight for s in problem.sharings if not s.rates or s.rates[-1] is not None), Fraction(0))
    return own * reached * kept


def price_of_stretch(problem: Problem, mark: Mark) -> Fraction:
    """What each token costs a session when the next marker behind it is this one."""
    write = problem.rules.lifetimes[mark.lifetime].write
    found = mean_reads(problem, mark.after, mark.lifetime)
    return problem.load.turns * write - (write - problem.rules.read) * found


def cost_of_rest(problem: Problem, rest: int, tail: int | None, lagging: bool) -> Fraction:
    """What everything behind the last marker of the prefix costs a session, the conversation included.

    Args:
        rest: Tokens between that marker and the conversation.
    """
    load, rules = problem.load, problem.rules
    added, turns = load.turn_tokens, load.turns
    before = sum(segment.tokens for segment in problem.segments)
    # Turns whose end is below the minimum, or not marked: everything behind the last marker is plain input.
    plain = turns if tail is None else min(turns, _turns_below(rules.minimum - before, added, turns))
    total = Fraction(plain * rest + added * _sum_to(plain))
    if tail is None or plain == turns:
        return total
    write = rules.lifetimes[tail].write
    hit = tail_reads(problem, tail, lagging)
    # The first marked end has none before it to read; each later one reads that of the request before, or writes anew.
    total += (rest + (plain + 1) * added) * write
    known = (turns - plain - 1) * rest + added * (_sum_to(turns - 1) - _sum_to(plain))
    return total + known * (hit * rules.read + (1 - hit) * write) + (turns - plain - 1) * added * write


def _turns_below(missing: int, added: int, turns: int) -> int:
    """How many turns end with fewer than `missing` tokens of conversation."""
    if missing <= 0:
        return 0
    return (missing - 1) // added if added else turns


def _sum_to(number: int) -> int:
    return number * (number + 1) // 2


def cost(problem: Problem, marks: Sequence[Mark], tail: int | None, lagging: bool) -> Fraction:
    """What the prompts of one session are expected to cost, in uncached tokens.

    Args:
        marks: In cache order, each with at least the minimum in front of it.
    """
    ends = ends_of(problem)
    total = Fraction(0)
    done = 0
    for mark in marks:
        total += (ends[mark.after] - done) * price_of_stretch(problem, mark)
        done = ends[mark.after]
    return total + cost_of_rest(problem, (ends[-1] if ends else 0) - done, tail, lagging)


def ends_of(problem: Problem) -> list[int]:
    """Tokens up to the end of every segment."""
    out: list[int] = []
    total = 0
    for segment in problem.segments:
        total += segment.tokens
        out.append(total)
    return out
