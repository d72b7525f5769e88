"""The prefix of the first request as a bar: parts as wide as their bytes, where it parts, which markers live."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from promptc.report.page import safe
from promptc.streams.model import LANE_OF, Element, PrefixStream
from promptc.streams.result import Comparison

_TOP, _HEIGHT = 14, 34
_TOTAL_HEIGHT = _TOP + _HEIGHT + 16
# Parts narrower than this share of the bar are drawn together with their neighbours of the same group.
_NARROW = 1 / 250
_NAMED = 60


@dataclass(frozen=True, slots=True)
class Part:
    """A stretch of the prefix.

    Attributes:
        name: Section or pointer.
        group: What colours it: a stability class, or a lane where no spec is known.
        start: Bytes before it.
        size: Bytes of it.
        count: Sections or elements that it stands for.
    """

    name: str
    group: str
    start: int
    size: int
    count: int = 1


def parts_of(stream: PrefixStream, classes: Mapping[tuple[str, str], str]) -> list[Part]:
    """The parts of a stream in order.

    Args:
        classes: Stability class of the sections and tools of a spec, by lane and name; empty where none is known.
    """
    sizes = [element.size for element in stream.elements]
    total = sum(sizes)
    out: list[Part] = []
    start = 0
    for element, size in zip(stream.elements, sizes, strict=True):
        for part in _of_element(stream, element, start, size, classes):
            last = out[-1] if out else None
            if last is not None and last.group == part.group and min(last.size, part.size) < total * _NARROW:
                out[-1] = replace(last, size=last.size + part.size, count=last.count + part.count)
            else:
                out.append(part)
            start += part.size
    return out


def _of_element(
    stream: PrefixStream, element: Element, start: int, size: int, classes: Mapping[tuple[str, str], str]
) -> Iterator[Part]:
    # A text by itself has no lane.
    lane = "text" if stream.format == "text" else LANE_OF[element.kind]
    if not element.pieces:
        yield Part(element.pointer or "(the text)", lane, start, size)
        return
    edges = [*(piece.start for piece in element.pieces), size]
    for piece, (first, end) in zip(element.pieces, pairwise(edges), strict=True):
        # What no section is known to have written is named by its place.
        name = piece.section or element.pointer or "(the text)"
        yield Part(name, classes.get((lane, piece.section), lane), start + first, end - first)


def prefix_bar(parts: Sequence[Part], groups: Sequence[str], comparison: Comparison, stream: PrefixStream) -> str:
    """The bar as SVG, drawn with the classes of the page that it stands in.

    Args:
        parts: Of the first stream.
        groups: All groups, in the order of their colours.
        comparison: Says where the prefix parts.
        stream: The first one.
    """
    kept, total = comparison.prefix.bytes.kept, max(sum(part.size for part in parts), 1)
    scale = 100 / total
    drawn: list[str] = []
    for part in parts:
        colour = f"g{groups.index(part.group)}"
        split = min(max(kept - part.start, 0), part.size)
        for start, size, fate in ((part.start, split, "kept"), (part.start + split, part.size - split, "lost")):
            if size:
                drawn.append(
                    f'<rect class="{colour} {fate}" x="{start * scale:.3f}%" y="{_TOP}" width="{size * scale:.3f}%" '
                    f'height="{_HEIGHT}"><title>{safe(part.name, _NAMED)}: {size:,} bytes {fate}</title></rect>'
                )
    drawn += _markers(comparison, stream, scale)
    if comparison.prefix.bytes.lost:
        drawn.append(_sign("parts", kept * scale, f"M0 {_TOP + _HEIGHT + 3}V{_TOP}l-7 -12h14l-7 12", "here it parts"))
    return (
        f'<svg class="bar" width="100%" height="{_TOTAL_HEIGHT}" role="img" '
        f'aria-label="{_said(parts, comparison)}">\n' + "\n".join(drawn) + "\n</svg>"
    )


def _markers(comparison: Comparison, stream: PrefixStream, scale: float) -> Iterator[str]:
    """A triangle under each living breakpoint, a cross under each lost one."""
    ends: dict[str, int] = {}
    end = 0
    for element in stream.elements:
        end += element.size
        ends[element.pointer] = end
    y = _TOP + _HEIGHT
    for fate, pointers in (("alive", comparison.breakpoints_surviving), ("dead", comparison.breakpoints_lost)):
        for pointer in pointers:
            if pointer in ends:
                shape = f"M0 {y + 3}l-6 11h12z" if fate == "alive" else f"M-5 {y + 4}l10 10m0 -10l-10 10"
                what = "breakpoint alive" if fate == "alive" else "breakpoint lost"
                yield _sign(fate, ends[pointer] * scale, shape, f"{what}: {safe(pointer, _NAMED)}")


def _sign(kind: str, percent: float, shape: str, title: str) -> str:
    # A drawing of its own keeps its shape however wide the bar is; at the ends it stands inside the page's margin.
    return f'<svg x="{percent:.3f}%" overflow="visible"><path class="{kind}" d="{shape}"><title>{title}</title></path></svg>'


def _said(parts: Sequence[Part], comparison: Comparison) -> str:
    size = comparison.prefix.bytes
    whole = size.kept + size.lost
    count = sum(part.count for part in parts)
    text = f"prefix of {comparison.a.name[:_NAMED]}: {whole:,} bytes in {count:,} {'part' if count == 1 else 'parts'}"
    if not size.lost:
        return safe(f"{text}, all kept")
    at = next((part for part in parts if part.start + part.size > size.kept), None)
    inside = "" if at is None else f", parts in {at.name[:_NAMED]}"
    return safe(f"{text}; {size.kept:,} kept, {size.lost:,} lost{inside}")


def legend(parts: Sequence[Part], groups: Sequence[str], comparison: Comparison) -> Iterator[str]:
    """What colours and signs mean, only those that are there."""
    there = {part.group for part in parts}
    yield '<ul class="legend">'
    for index, group in enumerate(groups):
        if group in there:
            yield f'<li><span class="key g{index}"></span>{safe(group, _NAMED)}</li>'
    if comparison.prefix.bytes.lost:
        yield '<li><span class="sign parts" aria-hidden="true">▼</span>the prefix parts; what is pale is lost</li>'
    if comparison.breakpoints_surviving:
        yield '<li><span class="sign alive" aria-hidden="true">▲</span>breakpoint alive</li>'
    if comparison.breakpoints_lost:
        yield '<li><span class="sign dead" aria-hidden="true">✕</span>breakpoint lost</li>'
    yield "</ul>"


def parts_table(parts: Sequence[Part], kept: int, label: str) -> Iterator[str]:
    """The bar as a table.

    Args:
        parts: What the bar shows.
        kept: Bytes that are kept.
        label: What the groups are.
    """
    count = sum(part.count for part in parts)
    yield f"<details><summary>the {count:,} {'part' if count == 1 else 'parts'} in numbers</summary>"
    yield '<div class="wide" tabindex="0" role="region" aria-label="parts of the prefix"><table>'
    yield f'<thead><tr><th scope="col">part</th><th scope="col">{safe(label)}</th>'
    yield '<th scope="col">bytes</th><th scope="col">kept</th></tr></thead><tbody>'
    for part in parts:
        left = min(max(kept - part.start, 0), part.size)
        more = f" and {part.count - 1:,} more" if part.count > 1 else ""
        yield (
            f'<tr><th scope="row">{safe(part.name, _NAMED)}{more}</th><td>{safe(part.group, _NAMED)}</td>'
            f"<td>{part.size:,}</td><td>{left:,}</td></tr>"
        )
    yield "</tbody></table></div></details>"
