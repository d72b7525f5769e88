"""The chart of a simulation: one bar a request, what was read, written and neither on top of each other, as SVG."""

from collections.abc import Iterator
from html import escape

from promptc.report.simulation import Played, Simulation
from promptc.report.visible import visible

_HEIGHT = 180
_TOP, _BOTTOM, _LEFT, _RIGHT = 12, 26, 58, 8
_BAR, _GAP = 22, 6
# Bars get narrower from here on, so that a long conversation still fits on a page.
_WIDE = 900


def chart_svg(simulation: Simulation, highest: int) -> str:
    """One chart; drawn with the classes of the page that it stands in.

    Args:
        simulation: At least one request.
        highest: Tokens at the top of the axis, so that two charts have one scale.
    """
    count = len(simulation.requests)
    step = min(_BAR + _GAP, max(2, _WIDE // count))
    bar = max(1, step - _GAP) if step > _GAP + 1 else step - 1 or 1
    width = _LEFT + count * step + _RIGHT
    parts = [*_axis(width, highest)]
    labelled = max(1, -(-24 // step))
    for index, played in enumerate(simulation.requests):
        x = _LEFT + index * step
        parts += _bar(played, x, bar, highest)
        if index % labelled == 0:
            parts.append(f'<text class="tick" x="{x + bar / 2:.1f}" y="{_HEIGHT - 8}">{played.turn}</text>')
    label = escape(f"tokens of each request of {visible(simulation.name)}: read, written and neither")
    return (
        f'<svg viewBox="0 0 {max(width, 240)} {_HEIGHT}" role="img" aria-label="{label}">\n'
        + "\n".join(parts)
        + "\n</svg>"
    )


def _axis(width: int, highest: int) -> Iterator[str]:
    for share in (0, 0.5, 1):
        y = _y(highest * share, highest)
        yield f'<line class="grid" x1="{_LEFT - 4}" x2="{width}" y1="{y:.1f}" y2="{y:.1f}"/>'
        yield f'<text class="scale" x="{_LEFT - 8}" y="{y + 4:.1f}">{highest * share:,.0f}</text>'


def _bar(played: Played, x: int, width: int, highest: int) -> Iterator[str]:
    written = sum(played.best.written.values())
    said = f"turn {played.turn}: {played.best.read:,} read, {written:,} written, {played.best.input:,} neither"
    yield f"<g><title>{escape(said)}</title>"
    below = 0
    for kind, tokens in (("read", played.best.read), ("written", written), ("plain", played.best.input)):
        if tokens:
            top, bottom = _y(below + tokens, highest), _y(below, highest)
            yield (
                f'<rect class="{kind}" x="{x}" width="{width}" y="{top:.1f}" height="{max(bottom - top, 0.5):.1f}"/>'
            )
        below += tokens
    if played.loss is not None and played.loss.tokens:
        yield f'<path class="loss" d="M{x + width / 2:.1f} {_y(below, highest) - 2:.1f}l-4 -7h8z"/>'
    yield "</g>"


def _y(tokens: float, highest: int) -> float:
    return _HEIGHT - _BOTTOM - tokens / max(highest, 1) * (_HEIGHT - _TOP - _BOTTOM)
