"""A simulation for a terminal: a table of turns, totals, and what broke the prefix."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from promptc.report.simulation import Loss, Played, Simulation, Sums
from promptc.report.simulation_contrast import Contrast, contrast, only_lines, verdict
from promptc.report.visible import visible


def simulation_text(simulations: Sequence[Simulation]) -> str:
    """One simulation, or several beside each other and then each by itself."""
    lines: list[str] = []
    if len(simulations) > 1:
        lines += [*_side_by_side(simulations), ""]
    for simulation in simulations:
        lines += [*_one(simulation), ""]
    lines.append(f"{visible(counted(simulations))}; cost is in tokens of input")
    return "\n".join(lines) + "\n"


def percent(share: float | None) -> str:
    """A share with one decimal; a dash for none. What is not all never reads as 100%."""
    if share is None:
        return "-"
    shown = f"{share:.1%}"
    return "99.9%" if shown == "100.0%" and share < 1 else shown


def counted(simulations: Sequence[Simulation]) -> str:
    """How tokens were counted, and how far off that may be."""
    if all(s.exact for s in simulations):
        methods = "; ".join(dict.fromkeys(s.method for s in simulations))
        return f"tokens are exact for the texts ({methods}), and none for what a chat template puts around them"
    methods = "; ".join(dict.fromkeys(f"{s.method}, mean error {s.error:.0%}" for s in simulations))
    return f"tokens are estimates ({methods})"


def bounds(simulation: Simulation) -> str:
    """Both bounds of the hit rate in words."""
    best, certain = percent(simulation.best.hit_rate), percent(simulation.certain.hit_rate)
    if simulation.promised:
        return f"hit rate {best}, which the provider promises"
    return f"hit rate at best {best}, promised {certain}"


def _side_by_side(simulations: Sequence[Simulation]) -> Iterator[str]:
    # The provider is said where it is what differs.
    told = len({s.target for s in simulations}) > 1
    for letter, simulation in zip("AB", simulations, strict=True):
        yield f"{letter}: {visible(simulation.name)}{f', {visible(simulation.target)}' if told else ''}"
    found = contrast(*simulations)
    yield from _table(side_by_side(simulations, found))
    yield verdict(found)
    for letter, reason in only_lines(found):
        place = f" ({visible(reason.place)})" if reason.place else ""
        yield f"only {letter}: {visible(reason.reason)}: {reason.tokens:,} cached tokens not read{place}"


def side_by_side(simulations: Sequence[Simulation], found: Contrast) -> list[list[str]]:
    """The rows of a table of two simulations, heads first and totals last."""
    heads = ("read", "hit", "kept", "cost")
    rows = [["turn", *(f"{head} {letter}" for letter in "AB" for head in heads), "B - A"]]
    for turns, apart in zip(zip(*(s.turns for s in simulations), strict=True), found.turns, strict=True):
        cells = [[f"{t.best.read:,}", percent(t.best.hit_rate), percent(t.kept), f"{t.best.cost:,.0f}"] for t in turns]
        rows.append([str(turns[0].turn), *(cell for row in cells for cell in row), f"{apart.cost:+,.0f}"])
    totals = [
        [f"{s.best.read:,}", percent(s.best.hit_rate), percent(s.kept), f"{s.best.cost:,.0f}"] for s in simulations
    ]
    rows.append(["all", *(cell for row in totals for cell in row), f"{found.cost:+,.0f}"])
    return rows


def _one(simulation: Simulation) -> Iterator[str]:
    yield f"{visible(simulation.name)}, cached by the rules of {visible(simulation.target)}"
    lifetimes = simulation.lifetimes
    rows = [["turn", "after", "input", *(f"written {visible(n)}" for n in lifetimes), "read", "hit", "kept", "cost"]]
    for turn in simulation.turns:
        rows.append([str(turn.turn), clock(turn.at), *_cells(turn.best, lifetimes, turn.kept)])
    rows.append(["all", "", *_cells(simulation.best, lifetimes, simulation.kept)])
    yield from _table(rows)
    saved = simulation.best.saved
    word = "saved" if saved >= 0 else "lost"
    yield f"{bounds(simulation)}; {percent(abs(saved))} of the price without a cache {word}"
    for note in simulation.notes:
        yield f"note: {visible(note)}"
    for played in simulation.requests:
        if played.events:
            yield f"turn {played.turn}{_step(played)}: {visible(', '.join(played.events))}"
    for group in grouped(simulation.requests):
        yield from _loss(group)


def _cells(sums: Sums, lifetimes: Sequence[str], kept: float | None) -> list[str]:
    written = [f"{sums.written.get(name, 0):,}" for name in lifetimes]
    rates = [percent(sums.hit_rate), percent(kept), f"{sums.cost:,.0f}"]
    return [f"{sums.input:,}", *written, f"{sums.read:,}", *rates]


def _table(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    widths = [max(len(row[c]) for row in rows) for c in range(len(rows[0]))]
    for row in rows:
        yield "  " + "  ".join(f"{cell:>{width}}" for cell, width in zip(row, widths, strict=True))


@dataclass(frozen=True, slots=True)
class Group:
    """Losses with one reason.

    Attributes:
        loss: The first of them.
        turns: Where they were, in words.
        tokens: All that was lost by them.
    """

    loss: Loss
    turns: str
    tokens: int


def grouped(requests: Sequence[Played]) -> list[Group]:
    """The losses of a simulation, those with one reason together, in the order of first appearance."""
    groups: dict[tuple[str, str, str], list[Played]] = {}
    for played in requests:
        if played.loss is not None:
            groups.setdefault((played.loss.kind, played.loss.reason, played.loss.place), []).append(played)
    out = []
    for members in groups.values():
        losses = [m.loss for m in members if m.loss is not None]
        out.append(Group(losses[0], _turns(members), sum(loss.tokens for loss in losses)))
    return out


def _turns(members: Sequence[Played]) -> str:
    if len(members) == 1:
        return f"turn {members[0].turn}{_step(members[0])}"
    numbers = list(dict.fromkeys(m.turn for m in members))
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    spelled = [str(run[0]) if len(run) == 1 else f"{run[0]}-{run[-1]}" for run in runs]
    return ("turns " if len(numbers) > 1 else "turn ") + ", ".join(spelled)


def _step(played: Played) -> str:
    return " (fork)" if played.fork else f" (results {played.step})" if played.step else ""


def _loss(group: Group) -> Iterator[str]:
    loss = group.loss
    count = f": {group.tokens:,} cached tokens not read" if group.tokens else ""
    yield f"{group.turns}: {visible(loss.reason)}{count}"
    if loss.place:
        yield f"  --> {visible(loss.place)}"
    if loss.was or loss.now:
        yield f"  was: {visible(loss.was)}"
        yield f"  now: {visible(loss.now)}"


def clock(seconds: int) -> str:
    """Seconds as `h:mm:ss`."""
    minutes, rest = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}"
