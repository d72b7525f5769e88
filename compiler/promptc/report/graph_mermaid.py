"""The layout of a prompt as a Mermaid flow chart, for Markdown pages that draw one."""

from promptc.report.auto_lines import short_why
from promptc.report.lanes import duration, heading, stretches
from promptc.report.visible import visible
from promptc.streams.manifest_model import Manifest, ManifestElement

_FILLS = ("#dbe9f9", "#d9f2e6", "#eef5d6", "#fdf0d0", "#fbdcd9")


def graph_mermaid(manifest: Manifest) -> str:
    """A flow chart: a subgraph a lane or block, a node an element, an arrow from each stretch to the next."""
    lines = ["flowchart TB"]
    number = 0
    ranks: dict[int, list[str]] = {}
    count = 0
    for index, stretch in enumerate(stretches(manifest)):
        title = ": ".join(part for part in (stretch.lane, heading(stretch)) if part)
        if stretch.marker is not None:
            ttl = stretch.marker.ttl
            title += f", marker{'' if ttl is None else f' {duration(ttl)}'}{short_why(manifest, stretch.marker)}"
        lines.append(f'  subgraph s{index}["{_escaped(title)}"]')
        lines.append("    direction LR")
        row: list[str] = []
        for element in stretch.elements:
            name = f"n{number}"
            number += 1
            lines.append(f'    {name}["{_label(element)}"]')
            row.append(name)
            ranks.setdefault(_rank(manifest, element), []).append(name)
        if len(row) > 1:
            lines.append("    " + " --> ".join(row))
        lines.append("  end")
        count = index + 1
    lines += [f"  s{i} --> s{i + 1}" for i in range(count - 1)]
    for rank in sorted(ranks):
        fill = _FILLS[round(rank * (len(_FILLS) - 1) / max(len(manifest.chain) - 1, 1))]
        lines.append(f"  classDef c{rank} fill:{fill},stroke:#6e7781,color:#24292f")
        lines.append(f"  class {','.join(ranks[rank])} c{rank}")
    return "\n".join(lines) + "\n"


def _rank(manifest: Manifest, element: ManifestElement) -> int:
    return manifest.chain.index(element.cls) if element.cls in manifest.chain else 0


def _label(element: ManifestElement) -> str:
    rows = [element.name, f"@{element.cls}, {element.bytes.literal:,} bytes"]
    if element.gate is not None:
        rows.append(f"when {element.gate}")
    return "<br/>".join(_escaped(row) for row in rows)


def _escaped(text: str) -> str:
    # Mermaid reads HTML and its own marks in a label; everything but plain words is written by its number.
    return "".join(c if c.isalnum() or c in " ,.@_-:=" else f"#{ord(c)};" for c in visible(text))
