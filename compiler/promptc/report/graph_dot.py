"""The layout of a prompt in the DOT language."""

from promptc.report.auto_lines import short_why, whys
from promptc.report.lanes import duration, heading, stretches
from promptc.report.visible import visible
from promptc.streams.manifest_model import Manifest, ManifestElement

_FILLS = ("#dbe9f9", "#d9f2e6", "#eef5d6", "#fdf0d0", "#fbdcd9")


def graph_dot(manifest: Manifest) -> str:
    """A digraph: a cluster a lane or block, a box an element, an arrow from each element to the next in cache order."""
    lines = [
        f"digraph {_quoted(manifest.prompt)} {{",
        "  rankdir=TB; node [shape=box, style=filled, fontname=sans]; edge [arrowsize=0.6];",
    ]
    number = 0
    for index, stretch in enumerate(stretches(manifest)):
        title = ": ".join(part for part in (stretch.lane, heading(stretch)) if part)
        if stretch.marker is not None:
            ttl = stretch.marker.ttl
            title += f" [marker{'' if ttl is None else f' {duration(ttl)}'}{short_why(manifest, stretch.marker)}]"
        lines += [f"  subgraph cluster_{index} {{", f"    label={_quoted(title)};"]
        if stretch.marker is not None and (why := whys(manifest, stretch.marker)):
            lines.append(f"    tooltip={_quoted('; '.join(why))};")
        for element in stretch.elements:
            style = ', style="filled,dashed"' if element.gate is not None else ""
            fill = _fill(manifest, element)
            lines.append(f'    n{number} [label={_label(element)}, fillcolor="{fill}"{style}];')
            number += 1
        lines.append("  }")
    if number > 1:
        lines.append("  " + " -> ".join(f"n{i}" for i in range(number)) + ";")
    return "\n".join(lines) + "\n}\n"


def _fill(manifest: Manifest, element: ManifestElement) -> str:
    chain = manifest.chain
    rank = chain.index(element.cls) if element.cls in chain else 0
    return _FILLS[round(rank * (len(_FILLS) - 1) / max(len(chain) - 1, 1))]


def _label(element: ManifestElement) -> str:
    rows = [element.name, f"@{element.cls}, {element.bytes.literal:,} bytes"]
    if element.gate is not None:
        rows.append(f"when {element.gate}")
    # `\n` is the line break of DOT; what the texts hold is escaped first.
    return '"' + "\\n".join(_escaped(row) for row in rows) + '"'


def _quoted(text: str) -> str:
    return f'"{_escaped(text)}"'


def _escaped(text: str) -> str:
    return visible(text).replace("\\", "\\\\").replace('"', '\\"')
