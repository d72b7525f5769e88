"""A manifest cut into the stretches that its views show: one per lane and system block, in cache order."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby

from promptc.streams.manifest_model import LaneName, Manifest, ManifestBlock, ManifestBreakpoint, ManifestElement


@dataclass(frozen=True, slots=True)
class Stretch:
    """Elements that stand together.

    Attributes:
        block: For the system lane.
        marker: The cache marker behind the last element; None where there is none.
        cached: Whether the provider's cache covers the lane at all.
    """

    lane: LaneName
    block: ManifestBlock | None
    elements: tuple[ManifestElement, ...]
    marker: ManifestBreakpoint | None
    cached: bool


def stretches(manifest: Manifest) -> Iterator[Stretch]:
    """The stretches of a manifest in the order of its elements."""
    markers = {(m.lane, m.block): m for m in manifest.breakpoints}
    for (lane, index), members in groupby(manifest.elements, key=lambda e: (e.lane, e.block)):
        block = next((b for b in manifest.blocks if b.index == index), None)
        cached = lane not in ("tools", "system") or lane in manifest.order
        yield Stretch(lane, block, tuple(members), markers.get((lane, index)), cached)


def heading(stretch: Stretch) -> str:
    """What a stretch is, in the words of a spec; empty where its lane says all."""
    block = stretch.block
    if not stretch.cached:
        return "outside the provider's cache"
    if block is None:
        return ""
    if block.scope is None:
        return "uncached"
    text = f"cache {block.scope}{_lifetime(block.ttl)}"
    if block.fallback is not None:
        text += f", {block.fallback} when {block.fallback_when}"
    return text


def _lifetime(ttl: int | None) -> str:
    return "" if ttl is None else f" {duration(ttl)}"


def duration(seconds: int) -> str:
    """Seconds as a spec writes them."""
    for size, unit in ((3600, "h"), (60, "m")):
        if seconds and seconds % size == 0:
            return f"{seconds // size}{unit}"
    return f"{seconds}s"


def inner_forks(manifest: Manifest, element: ManifestElement) -> int:
    """How many conditions inside an element's text fork the prefix."""
    return sum(1 for f in manifest.forks if f.inside and f.element == element.name and f.lane == element.lane)
