"""Say why each marker is where it is, and why there is none at the places that were passed over."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from promptc.planning.auto.expect import cost, ends_of, mean_reads, tail_reads, within
from promptc.planning.auto.model import Choice, Lifetime, Mark, Problem


@dataclass(frozen=True, slots=True)
class Reason:
    """Why there is a marker at a place, or none.

    Attributes:
        after: Index of the segment; None for the end of the conversation.
        lifetime: Its name; None where no marker stands.
        lagging: Whether this is the marker that stands a second time.
        saves: Tokens that a session saves by it; for a place without one, what it would save beside the others.
        why: In words.
    """

    after: int | None
    lifetime: str | None
    lagging: bool
    saves: int
    why: str


def reasons(problem: Problem, choice: Choice) -> tuple[Reason, ...]:
    """Markers in cache order, then the places without one that a reader would ask about."""
    marked = [_mark(problem, choice, index) for index in range(len(choice.marks))]
    return (*marked, *_tail(problem, choice), *_passed_over(problem, choice))


# -- markers -------------------------------------------------------------------------------------


def _mark(problem: Problem, choice: Choice, index: int) -> Reason:
    mark = choice.marks[index]
    without = (*choice.marks[:index], *choice.marks[index + 1 :])
    saves = round(cost(problem, without, choice.tail, choice.lagging) - choice.cost)
    share = mean_reads(problem, mark.after, mark.lifetime) / problem.load.turns
    lifetime = problem.rules.lifetimes[mark.lifetime]
    why = [f"{_percent(share)} of the requests read it; without it a session costs {_tokens(saves)} more"]
    for other, name in enumerate(problem.rules.lifetimes):
        if other == mark.lifetime:
            continue
        marks = (*choice.marks[:index], Mark(mark.after, other), *choice.marks[index + 1 :])
        found = mean_reads(problem, mark.after, other) / problem.load.turns
        text = _against(problem, (lifetime, share), (name, found))
        if _in_order([*marks], choice.tail):
            more = round(cost(problem, marks, choice.tail, choice.lagging) - choice.cost)
            text += f", {_tokens(more)} a session more"
        else:
            place = "behind" if other > mark.lifetime else "in front of"
            text += f", but then a marker of another lifetime {place} it would be out of order"
        why.append(text)
    return Reason(mark.after, lifetime.name, False, saves, "; ".join(why))


def _in_order(marks: Sequence[Mark], tail: int | None) -> bool:
    row = [m.lifetime for m in marks] + ([] if tail is None else [tail])
    return row == sorted(row)


def _against(problem: Problem, own: tuple[Lifetime, Fraction], other: tuple[Lifetime, Fraction]) -> str:
    """Another lifetime beside the chosen one, with the share of reads from which on the dearer write pays."""
    longer, shorter = sorted((own, other), key=lambda pair: -pair[0].seconds)
    text = f"with {other[0].name} {_percent(other[1])} would"
    read = problem.rules.read
    saved = longer[0].write - read
    if saved <= 0:
        return text
    needed = (longer[0].write - shorter[0].write + (shorter[0].write - read) * shorter[1]) / saved
    pays = (
        f"{longer[0].name} pays from {_percent(needed, up=True)} on" if needed <= 1 else f"{longer[0].name} never pays"
    )
    return f"{text} ({pays})"


def _tail(problem: Problem, choice: Choice) -> Iterator[Reason]:
    rules, load = problem.rules, problem.load
    if rules.tail == "nobody":
        return
    if choice.tail is None:
        yield Reason(None, None, False, 0, "no marker: a session costs least without one, and its slot stays free")
        return
    lifetime = rules.lifetimes[choice.tail]
    if rules.tail == "provider":
        yield Reason(None, None, False, 0, "no marker: the target marks the end of the conversation by itself")
        return
    bare = cost(problem, choice.marks, None, False)
    saves = round(bare - choice.cost)
    own = within(load.gaps, lifetime.seconds)
    why = [f"{_percent(own)} of the gaps are within {lifetime.name}; a session costs {_tokens(saves)} more without"]
    for other, name in enumerate(rules.lifetimes):
        if other == choice.tail:
            continue
        found = tail_reads(problem, other, choice.lagging)
        text = _against(problem, (lifetime, tail_reads(problem, choice.tail, choice.lagging)), (name, found))
        if _in_order(choice.marks, other):
            more = round(cost(problem, choice.marks, other, choice.lagging) - choice.cost)
            text += f", {_tokens(more)} a session more"
        why.append(text)
    if choice.lagging:
        yield _lagging(problem, choice, lifetime)
    yield Reason(None, lifetime.name, False, saves, "; ".join(why))


def _lagging(problem: Problem, choice: Choice, lifetime: Lifetime) -> Reason:
    lookback = problem.rules.lookback
    assert lookback is not None
    saves = round(cost(problem, choice.marks, choice.tail, False) - choice.cost)
    outrun = 1 - within(problem.load.blocks, lookback - 1)
    cause = (
        f"{_percent(outrun)} of the turns add {lookback} blocks or more, and a marker looks back {lookback}, itself "
        f"included: only one where the request before had its own finds the conversation then"
        if lookback > 1
        else "the target looks up nothing but markers: only one where the request before had its own finds the "
        "conversation"
    )
    why = f"{cause}; a session costs {_tokens(saves)} more without"
    return Reason(None, lifetime.name, True, saves, why)


# -- places without one --------------------------------------------------------------------------


def _passed_over(problem: Problem, choice: Choice) -> Iterator[Reason]:
    ends, minimum = ends_of(problem), problem.rules.minimum
    taken = {mark.after for mark in choice.marks}
    small = [i for i, s in enumerate(problem.segments) if s.markable and i not in taken and ends[i] < minimum]
    if small:
        # One sentence for all of them: the last one is the nearest to the minimum.
        why = f"{_tokens(ends[small[-1]])} to here, and the target caches {minimum:,} and more"
        yield Reason(small[-1], None, False, 0, why)
    for index, segment in enumerate(problem.segments):
        if not segment.markable or index in taken or index in small:
            continue
        gain = round(choice.cost - _with(problem, choice, index))
        if gain > 0:
            why = f"no slot is left: a session would save {gain:,} tokens, less than by any that is used"
            yield Reason(index, None, False, gain, why)


def _with(problem: Problem, choice: Choice, after: int) -> Fraction:
    """The least cost with one more marker than there are slots."""
    costs = [choice.cost]
    for lifetime in range(len(problem.rules.lifetimes)):
        marks = sorted((*choice.marks, Mark(after, lifetime)), key=lambda mark: mark.after)
        if _in_order(marks, choice.tail):
            costs.append(cost(problem, marks, choice.tail, choice.lagging))
    return min(costs)


def _percent(share: Fraction, up: bool = False) -> str:
    whole = share * 100
    shown = -(-whole.numerator // whole.denominator) if up else round(whole)
    if shown == 100 and whole < 100:
        return "over 99%"
    return "under 1%" if shown == 0 and whole > 0 else f"{shown}%"


def _tokens(count: int) -> str:
    if count == 1:
        return "1 token"
    return f"{count:,} tokens" if count > 0 else "less than a token"
