"""A simulation as one HTML page: nothing is fetched, nothing runs, every text is escaped."""

from base64 import b64encode
from collections.abc import Iterator, Sequence
from hashlib import sha256
from html import escape

from promptc.report.simulation import Played, Simulation, Sums
from promptc.report.simulation_chart import chart_svg
from promptc.report.simulation_contrast import contrast, only_lines, verdict
from promptc.report.simulation_text import bounds, clock, counted, grouped, percent, side_by_side
from promptc.report.visible import visible

_STYLE = """
:root { color-scheme: light dark; --text: #1f2328; --soft: #57606a; --page: #fff; --line: #d0d7de;
  --read: #1a7f37; --written: #bf8700; --plain: #8c959f; --loss: #cf222e; }
@media (prefers-color-scheme: dark) { :root { --text: #e6edf3; --soft: #9da7b3; --page: #0d1117; --line: #30363d;
  --read: #3fb950; --written: #d29922; --plain: #6e7681; --loss: #f85149; } }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 1rem; max-width: 64rem; background: var(--page); color: var(--text);
  font: 15px/1.5 ui-sans-serif, system-ui, sans-serif; overflow-wrap: anywhere; }
h1 { font-size: 1.4rem; } h2 { font-size: 1.1rem; margin-top: 2rem; }
.soft, caption { color: var(--soft); } caption { text-align: left; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; white-space: nowrap; }
th, td { padding: 0.2rem 0.6rem; text-align: right; border-bottom: 1px solid var(--line); }
tfoot td, tfoot th { font-weight: 600; border-bottom: 0; }
svg { width: 100%; max-height: 20rem; }
.read { fill: var(--read); } .written { fill: var(--written); } .plain { fill: var(--plain); }
.loss { fill: var(--loss); } .grid { stroke: var(--line); }
.tick, .scale { font-size: 11px; fill: var(--soft); } .tick { text-anchor: middle; } .scale { text-anchor: end; }
.key { display: inline-block; width: 0.8em; height: 0.8em; border-radius: 2px; margin: 0 0.3em 0 0.9em; }
.key:first-child { margin-left: 0; }
.key.r { background: var(--read); } .key.w { background: var(--written); } .key.p { background: var(--plain); }
code { font: 13px ui-monospace, monospace; white-space: pre-wrap; }
li { margin-bottom: 0.5rem; }
"""


def simulation_html(simulations: Sequence[Simulation]) -> str:
    """A page that needs nothing but itself; light or dark as the reader's system is."""
    digest = b64encode(sha256(_STYLE.encode()).digest()).decode()
    highest = max(
        (p.best.total for s in simulations for p in s.requests),
        default=0,
    )
    parts = [
        "<!doctype html>",
        '<html lang="en">',
        "<head>",
        '<meta charset="utf-8">',
        # The only style is the one whose digest stands here; scripts, images, fonts and forms are all refused.
        f"<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'sha256-{digest}'; "
        "base-uri 'none'; form-action 'none'\">",
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>{_safe('promptc simulate: ' + ', '.join(s.name for s in simulations))}</title>",
        f"<style>{_STYLE}</style>",
        "</head>",
        "<body>",
        "<h1>Simulated cache</h1>",
        '<p class="soft"><span class="key r"></span>read from the cache<span class="key w"></span>written'
        '<span class="key p"></span>neither; a red mark: something cached was not read</p>',
    ]
    if len(simulations) > 1:
        parts += _beside(simulations)
    for simulation in simulations:
        parts += _one(simulation, highest)
    said = counted(simulations)
    parts.append(
        f'<p class="soft">{_safe(said[:1].upper() + said[1:])}; '
        "cost is in tokens of uncached input. Kept is the share of what was in the cache that was read.</p>"
    )
    parts += ["</body>", "</html>"]
    return "\n".join(parts) + "\n"


def _beside(simulations: Sequence[Simulation]) -> Iterator[str]:
    found = contrast(*simulations)
    for letter, simulation in zip("AB", simulations, strict=True):
        yield f"<p>{letter}: {_safe(simulation.name)}, {_safe(simulation.target)}</p>"
    yield f"<p><strong>{_safe(verdict(found))}.</strong></p>"
    heads, *rows, total = side_by_side(simulations, found)
    yield '<div class="wide"><table>'
    yield "<thead><tr>" + "".join(f"<th>{_safe(head)}</th>" for head in heads) + "</tr></thead>"
    yield "<tbody>"
    for row in rows:
        yield "<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>"
    yield "</tbody>"
    yield "<tfoot><tr>" + "".join(f"<td>{cell}</td>" for cell in total) + "</tr></tfoot>"
    yield "</table></div>"
    lines = list(only_lines(found))
    if lines:
        yield "<ul>"
        for letter, reason in lines:
            place = f'<br><span class="soft">{_safe(reason.place)}</span>' if reason.place else ""
            yield f"<li>Only {letter}: {_safe(reason.reason)}: {reason.tokens:,} cached tokens not read{place}</li>"
        yield "</ul>"


def _one(simulation: Simulation, highest: int) -> Iterator[str]:
    yield f"<h2>{_safe(simulation.name)}</h2>"
    saved = simulation.best.saved
    yield (
        f"<p>Cached by the rules of {_safe(simulation.target)}: {bounds(simulation)}; "
        f"{percent(abs(saved))} of the price without a cache {'saved' if saved >= 0 else 'lost'}.</p>"
    )
    for note in simulation.notes:
        yield f'<p class="soft">{_safe(note)}</p>'
    yield chart_svg(simulation, highest)
    yield from _table(simulation)
    happened = [played for played in simulation.requests if played.events]
    if happened:
        yield "<h3>Events</h3>"
        yield "<ul>"
        for played in happened:
            yield f"<li>Turn {played.turn}{_fork(played)}: {_safe(', '.join(played.events))}</li>"
        yield "</ul>"
    losses = grouped(simulation.requests)
    if losses:
        yield "<h3>What was not read, and why</h3>"
        yield "<ul>"
        for group in losses:
            loss = group.loss
            count = f": {group.tokens:,} cached tokens not read" if group.tokens else ""
            yield f"<li>{_safe(group.turns.capitalize())}: {_safe(loss.reason)}{count}"
            if loss.place:
                yield f'<br><span class="soft">{_safe(loss.place)}</span>'
            if loss.was or loss.now:
                yield f"<br>was <code>{_safe(loss.was)}</code><br>now <code>{_safe(loss.now)}</code>"
            yield "</li>"
        yield "</ul>"


def _table(simulation: Simulation) -> Iterator[str]:
    lifetimes = simulation.lifetimes
    heads = ("turn", "after", "input", *(f"written {n}" for n in lifetimes), "read", "hit", "kept", "cost")
    yield '<div class="wide"><table>'
    yield "<thead><tr>" + "".join(f"<th>{_safe(head)}</th>" for head in heads) + "</tr></thead>"
    yield "<tbody>"
    for turn in simulation.turns:
        yield f"<tr><td>{turn.turn}</td><td>{clock(turn.at)}</td>{_cells(turn.best, lifetimes, turn.kept)}</tr>"
    yield "</tbody>"
    yield f"<tfoot><tr><td>all</td><td></td>{_cells(simulation.best, lifetimes, simulation.kept)}</tr></tfoot>"
    yield "</table></div>"


def _cells(sums: Sums, lifetimes: Sequence[str], kept: float | None) -> str:
    cells = [
        f"{sums.input:,}",
        *(f"{sums.written.get(name, 0):,}" for name in lifetimes),
        f"{sums.read:,}",
        percent(sums.hit_rate),
        percent(kept),
        f"{sums.cost:,.0f}",
    ]
    return "".join(f"<td>{cell}</td>" for cell in cells)


def _fork(played: Played) -> str:
    return " (fork)" if played.fork else ""


def _safe(text: str) -> str:
    """Hostile text as text: controls made visible, markup escaped."""
    return escape(visible(text))
