"""The layout of a prompt as one SVG: lanes as rows, sections as boxes, scopes as frames, cache markers as bars."""

import unicodedata
from dataclasses import dataclass, field
from html import escape

from promptc.report.auto_lines import short_why, whys
from promptc.report.class_colours import class_hue
from promptc.report.lanes import Stretch, duration, heading, inner_forks, stretches
from promptc.report.visible import visible
from promptc.streams.manifest_model import Manifest, ManifestElement

_LEFT = 124
_BOX_WIDTH, _BOX_HEIGHT = 200, 58
_GAP = 10
_PER_ROW = 4
_HEADING = 24
_PAD = 10
_FRAME = _PER_ROW * _BOX_WIDTH + (_PER_ROW - 1) * _GAP + 2 * _PAD
_WIDTH = _LEFT + _FRAME + 20
# Average widths of a character in px; a fallback font may be wider, so texts are cut a little early.
_SMALL, _NORMAL = 6.5, 7.2

_STYLE = """
  svg { color-scheme: light dark; }
  text { font: 11px ui-sans-serif, system-ui, sans-serif; fill: #24292f; }
  .title { font-size: 16px; font-weight: 600; }
  .name { font-size: 12px; font-weight: 600; }
  .lane { font-size: 13px; font-weight: 600; }
  .soft { fill: #57606a; }
  .page { fill: #ffffff; }
  .box { stroke: #6e7781; stroke-width: 1; }
  .gated { stroke-dasharray: 5 3; }
  .frame { fill: none; stroke: #8c959f; stroke-width: 1.5; }
  .loose { stroke-dasharray: 2 4; }
  .mark { fill: #1a7f37; }
  .marktext { fill: #1a7f37; font-weight: 600; }
"""
_DARK = """
    text { fill: #e6edf3; }
    .soft { fill: #9da7b3; }
    .page { fill: #0d1117; }
    .box { stroke: #7d8590; }
    .frame { stroke: #6e7681; }
    .mark { fill: #3fb950; }
    .marktext { fill: #3fb950; }
"""


def graph_svg(manifest: Manifest) -> str:
    """A self-contained SVG: no script, no font and nothing else from outside; light or dark as the reader's system is.

    Whatever a spec names is escaped, and its control characters are made visible.
    """
    return _Drawing(manifest).text()


@dataclass
class _Drawing:
    manifest: Manifest
    y: int = 0
    parts: list[str] = field(default_factory=list)

    def text(self) -> str:
        self._head()
        lane = ""
        for stretch in stretches(self.manifest):
            self._stretch(stretch, stretch.lane if stretch.lane != lane else "")
            lane = stretch.lane
        self._legend()
        ranks = self.manifest.chain
        light = "".join(f"  .c{i} {{ fill: {_fill(i, len(ranks), dark=False)}; }}\n" for i in range(len(ranks)))
        dark = "".join(f"    .c{i} {{ fill: {_fill(i, len(ranks), dark=True)}; }}\n" for i in range(len(ranks)))
        label = _safe(f"layout of the prompt {self.manifest.prompt}")
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {self.y}" width="{_WIDTH}" '
            f'height="{self.y}" role="img" aria-label="{label}">\n'
            f"<style>{_STYLE}{light}  @media (prefers-color-scheme: dark) {{{_DARK}{dark}  }}\n</style>\n"
            f'<rect class="page" width="{_WIDTH}" height="{self.y}"/>\n' + "\n".join(self.parts) + "\n</svg>\n"
        )

    def _head(self) -> None:
        m = self.manifest
        total = sum(e.bytes.literal for e in m.elements)
        tokens = sum(e.tokens for e in m.elements)
        self._put("title", 20, 30, m.prompt, limit=90)
        about = (
            f"{m.target}, {m.variants.total:,} {'variant' if m.variants.total == 1 else 'variants'}, "
            f"{total:,} bytes of literal text, ~{tokens:,} tokens ({m.tokens.method})"
        )
        self._put("soft", 20, 50, about, limit=150)
        self.y = 68

    def _stretch(self, stretch: Stretch, label: str) -> None:
        rows = -(-len(stretch.elements) // _PER_ROW)
        title = heading(stretch)
        top = self.y
        height = 2 * _PAD + rows * _BOX_HEIGHT + (rows - 1) * _GAP + (_HEADING if title else 0)
        if label:
            self._put("lane", 20, top + 24, label, limit=14)
        loose = "" if stretch.block is not None and stretch.block.scope is not None else " loose"
        self.parts.append(
            f'<rect class="frame{loose}" x="{_LEFT}" y="{top}" width="{_FRAME}" height="{height}" rx="6"/>'
        )
        y = top + _PAD
        if title:
            self._put("", _LEFT + _PAD, y + 10, title, limit=125)
            y += _HEADING
        for index, element in enumerate(stretch.elements):
            row, column = divmod(index, _PER_ROW)
            x = _LEFT + _PAD + column * (_BOX_WIDTH + _GAP)
            self._box(element, x, y + row * (_BOX_HEIGHT + _GAP))
        self.y = top + height
        if stretch.marker is not None:
            self._mark(stretch)
        self.y += _GAP

    def _box(self, element: ManifestElement, x: int, y: int) -> None:
        rank = self.manifest.chain.index(element.cls) if element.cls in self.manifest.chain else 0
        gated = " gated" if element.gate is not None else ""
        details = [f"@{element.cls}"]
        if element.deliver != "inline":
            details.append(element.deliver)
        if element.bytes.literal:
            details.append(f"{element.bytes.literal:,} B")
        if forks := inner_forks(self.manifest, element):
            details.append(f"{forks} {'fork' if forks == 1 else 'forks'}")
        lines = [("name", element.name, _NORMAL), ("soft", ", ".join(details), _SMALL)]
        if element.gate is not None:
            lines.append(("", f"when {element.gate}", _SMALL))
        self.parts.append(f"<g><title>{_safe(_tooltip(element))}</title>")
        self.parts.append(
            f'<rect class="box c{rank}{gated}" x="{x}" y="{y}" width="{_BOX_WIDTH}" height="{_BOX_HEIGHT}" rx="4"/>'
        )
        # An inner drawing clips what is wider than its font was thought to be.
        self.parts.append(f'<svg x="{x}" y="{y}" width="{_BOX_WIDTH - 4}" height="{_BOX_HEIGHT}">')
        for index, (style, text, width) in enumerate(lines):
            self._put(style, 8, 17 + 16 * index, text, limit=int((_BOX_WIDTH - 16) / width))
        self.parts.append("</svg></g>")

    def _mark(self, stretch: Stretch) -> None:
        marker = stretch.marker
        assert marker is not None
        self.parts.append(f'<rect class="mark" x="{_LEFT}" y="{self.y - 2}" width="{_FRAME}" height="4" rx="2"/>')
        life = "the provider's lifetime" if marker.ttl is None else duration(marker.ttl)
        about = f"cache marker, {life}{short_why(self.manifest, marker)}"
        if why := whys(self.manifest, marker):
            self.parts.append(f"<g><title>{_safe('; '.join(why))}</title>")
        self._put("marktext", _LEFT + _PAD, self.y + 15, about, limit=125)
        if why:
            self.parts.append("</g>")
        self.y += 22

    def _legend(self) -> None:
        self.y += 8
        x = _LEFT
        self._put("soft", 20, self.y + 12, "classes", limit=14)
        for index, name in enumerate(self.manifest.chain):
            shown = _cut(visible(name), 24)
            width = 30 + int(_columns(shown) * _NORMAL)
            if x + width > _WIDTH - 20:
                x, self.y = _LEFT, self.y + 22
            self.parts.append(f'<rect class="box c{index}" x="{x}" y="{self.y}" width="16" height="16" rx="3"/>')
            self._put("", x + 22, self.y + 12, shown, limit=24)
            x += width + 12
        self.y += 28
        self._put("soft", _LEFT, self.y + 4, "a dashed box has a gate; a dotted frame has no scope", limit=120)
        self.y += 20

    def _put(self, style: str, x: int, y: int, text: str, limit: int) -> None:
        kind = f' class="{style}"' if style else ""
        self.parts.append(f'<text{kind} x="{x}" y="{y}">{_safe(_cut(visible(text), limit))}</text>')


def _tooltip(element: ManifestElement) -> str:
    facts = [element.name, f"declared @{element.declared}, effective @{element.cls}"]
    if element.gate is not None:
        facts.append(f"when {element.gate}")
    span = element.span
    facts.append(f"~{element.tokens:,} tokens, {span.path}:{span.line}:{span.column}")
    return "; ".join(facts)


def _fill(rank: int, count: int, dark: bool) -> str:
    hue = class_hue(rank, count)
    return f"hsl({hue}, 38%, 24%)" if dark else f"hsl({hue}, 62%, 90%)"


def _safe(text: str) -> str:
    return escape(visible(text))


def _cut(text: str, limit: int) -> str:
    if _columns(text) <= limit:
        return text
    used = 0
    kept: list[str] = []
    for character in text:
        used += _width(character)
        if used >= limit:
            break
        kept.append(character)
    return "".join(kept) + "…"


def _columns(text: str) -> int:
    return sum(_width(c) for c in text)


def _width(character: str) -> int:
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1
