"""`promptc ls`: what a prompt is made of, in cache order, and how much of it can be cached."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from promptc.providers.registry import BUILTIN, Registry
from promptc.report.auto_lines import auto_lines
from promptc.report.lanes import Stretch, duration, heading, inner_forks, stretches
from promptc.report.visible import visible
from promptc.streams.manifest_model import Manifest, ManifestBreakpoint, ManifestElement

FORMAT = "promptc.listing/1"
_SHOWN_VARIANTS = 16
_GATE_COLUMNS = 44


@dataclass(frozen=True, slots=True)
class Cacheable:
    """How much of the literal text a cache can hold, and how much of it ends in each scope.

    Attributes:
        bytes, tokens: Of all elements.
        cached_bytes, cached_tokens: Of those in front of the last cache marker; where the provider caches without
            markers, of all in front of the tail.
        scopes: Per scope, the literal bytes and tokens of the blocks that end in it.
    """

    bytes: int
    tokens: int
    cached_bytes: int
    cached_tokens: int
    scopes: tuple[tuple[str, int, int], ...]

    @property
    def share(self) -> float:
        """Share of the literal bytes that can be cached; 0 for an empty prompt."""
        return self.cached_bytes / self.bytes if self.bytes else 0.0


def cacheable(manifest: Manifest, registry: Registry = BUILTIN) -> Cacheable:
    """What can be cached of a prompt. Inserted values and the conversation are not counted: a spec does not know them."""
    found = tuple(stretches(manifest))
    # A provider that needs no marker keeps every prefix; what is behind the conversation changes each time.
    implicit = _caches_without_markers(manifest, registry)
    last = max((i for i, s in enumerate(found) if s.marker is not None or (implicit and s.lane != "tail")), default=-1)
    inside = [e for s in found[: last + 1] if s.cached for e in s.elements]
    scopes: dict[str, tuple[int, int]] = {}
    for stretch in found:
        scope = stretch.block.scope if stretch.block is not None else None
        if scope is not None:
            size, tokens = scopes.get(scope, (0, 0))
            own = _sum(stretch.elements)
            scopes[scope] = (size + own[0], tokens + own[1])
    total, cached = _sum(manifest.elements), _sum(inside)
    return Cacheable(*total, *cached, tuple((name, *sizes) for name, sizes in scopes.items()))


def _caches_without_markers(manifest: Manifest, registry: Registry) -> bool:
    try:
        facts = registry.provider(manifest.target)
    except KeyError:
        return False
    # Some cache by themselves only where the prompt places no marker.
    return facts.cache.implicit.value and not (manifest.breakpoints and facts.marks_alone)


def _sum(elements: Sequence[ManifestElement]) -> tuple[int, int]:
    return sum(e.bytes.literal for e in elements), sum(e.tokens for e in elements)


def listing_text(manifest: Manifest, registry: Registry = BUILTIN) -> str:
    """The listing for a person, with a final newline; free of control characters whatever the spec names."""
    m = manifest
    lines = [
        f"prompt {visible(m.prompt)} for {visible(m.target)}",
        f"classes {' < '.join(visible(c) for c in m.chain)}; cache order {', '.join(m.order)}",
        "",
    ]
    lines += _table(m)
    lines += ["", *_block_lines(m), *auto_lines(m), *_fork_lines(m), *_variant_lines(m), *_totals(m, registry)]
    return "\n".join(line.rstrip() for line in lines) + "\n"


def _table(manifest: Manifest) -> list[str]:
    head = ("element", "class", "scope", "deliver", "bytes", f"{_about(manifest)}tokens", "so far", "forks", "when")
    rows: list[tuple[str, ...]] = []
    breaks: dict[int, str] = {}
    so_far = 0
    for stretch in stretches(manifest):
        title = ": ".join(part for part in (stretch.lane, heading(stretch)) if part)
        breaks[len(rows)] = visible(title)
        for element in stretch.elements:
            so_far += element.bytes.literal
            rows.append(_row(manifest, stretch, element, so_far))
    widths = [max(len(row[i]) for row in (head, *rows)) for i in range(len(head) - 1)]
    lines = ["  " + _aligned(head, widths)]
    for index, row in enumerate(rows):
        if index in breaks:
            lines.append(breaks[index])
        lines.append("  " + _aligned(row, widths))
    return lines


def _row(manifest: Manifest, stretch: Stretch, element: ManifestElement, so_far: int) -> tuple[str, ...]:
    cls = f"@{element.cls}"
    if element.declared != element.cls:
        cls += f" (declared @{element.declared})"
    scope = element.scope or "-"
    if element.fallback is not None:
        scope += f" or {element.fallback}"
    forks = inner_forks(manifest, element) + (1 if element.gate is not None else 0)
    gate = visible(element.gate) if element.gate is not None else ""
    return (
        visible(element.name),
        visible(cls),
        visible(scope),
        element.deliver,
        _bytes(element),
        f"{element.tokens:,}",
        f"{so_far:,}",
        str(forks) if forks else "",
        gate if len(gate) <= _GATE_COLUMNS else gate[: _GATE_COLUMNS - 1] + "…",
    )


def _bytes(element: ManifestElement) -> str:
    # A loop repeats text, and an inserted value adds to it.
    return f"{element.bytes.literal:,}{'+' if element.bytes.most is None else ''}"


_RIGHT = frozenset({4, 5, 6, 7})


def _aligned(row: Sequence[str], widths: Sequence[int]) -> str:
    cells = [c.rjust(w) if i in _RIGHT else c.ljust(w) for i, (c, w) in enumerate(zip(row, widths, strict=False))]
    return "  ".join([*cells, row[-1]])


def _block_lines(manifest: Manifest) -> list[str]:
    lines: list[str] = []
    for block in manifest.blocks:
        if block.scope is None:
            continue
        text = f"block {block.index}: scope {block.scope}"
        if block.ttl is not None:
            text += f", {duration(block.ttl)}"
        if block.variants is not None:
            text += f", {_count(block.variants, 'variant')}"
        if block.fallback is not None:
            text += f"; {block.fallback} when {block.fallback_when}"
        lines.append(visible(text))
    markers = [f"{m.after}{_marker_kind(m)}" for m in manifest.breakpoints]
    if markers:
        lines.append(f"cache markers behind {', '.join(visible(m) for m in markers)}")
    elif lines:
        lines.append(
            f"no cache markers: {visible(manifest.target)} caches by itself, and the scopes are proofs of order"
        )
    return [*lines, ""] if lines else []


def _marker_kind(marker: ManifestBreakpoint) -> str:
    words = [duration(marker.ttl)] if marker.ttl is not None else []
    words += ["where the request before had it"] if marker.lagging else []
    return f" ({', '.join(words)})" if words else ""


def _fork_lines(manifest: Manifest) -> list[str]:
    if not manifest.forks:
        return []
    lines = ["forks, with the bytes in front of them and the prefixes before and behind"]
    for fork in manifest.forks:
        at = f"{fork.least:,}" if fork.least == fork.most else f"{fork.least:,} to {fork.most:,}"
        place = "in" if fork.inside else "of"
        lines.append(
            f"  {fork.before:,} -> {fork.after:,}  at {at}  {place} {visible(fork.element)}: {visible(fork.condition)}"
        )
    return [*lines, ""]


def _variant_lines(manifest: Manifest) -> list[str]:
    listed = manifest.variants.listed
    if len(listed) < 2:
        return []
    lines = ["variants, with an example of each and the scope of each block"]
    for number, variant in enumerate(listed[:_SHOWN_VARIANTS], start=1):
        example = ", ".join(f"{name} = {_example(value)}" for name, value in variant.example.items())
        scopes = ", ".join(scope or "uncached" for scope in variant.scopes)
        lines.append(visible(f"  {number}. {scopes}: {example}"))
    if len(listed) > _SHOWN_VARIANTS:
        lines.append(f"  and {len(listed) - _SHOWN_VARIANTS} more")
    return [*lines, ""]


def _example(value: object) -> str:
    match value:
        case None:
            return "none"
        case bool():
            return "true" if value else "false"
        case str():
            return f'"{value}"'
        case {"any": kind}:
            return f"({kind})"
        case ():
            return "[]"
        case _:
            return str(value)


def _totals(manifest: Manifest, registry: Registry) -> list[str]:
    found = cacheable(manifest, registry)
    about = _about(manifest)
    error = f"mean error {manifest.tokens.error:.1%}" if about else "exact"
    lines = [
        f"total {found.bytes:,} bytes of literal text, {about}{found.tokens:,} tokens "
        f"({manifest.tokens.method}, {error}), {_count(manifest.variants.total, 'variant')}",
    ]
    lines.append(
        f"cacheable {found.cached_bytes:,} bytes, {about}{found.cached_tokens:,} tokens, {found.share:.0%}: "
        f"{_limit(manifest, registry)}; inserted values and the conversation come on top"
    )
    for scope, size, tokens in found.scopes:
        lines.append(f"  scope {visible(scope)}: {size:,} bytes, {about}{tokens:,} tokens")
    return lines


def _about(manifest: Manifest) -> str:
    """What stands before a number of tokens: an estimate has an error, a tokenizer has none."""
    return "~" if manifest.tokens.error else ""


def _limit(manifest: Manifest, registry: Registry) -> str:
    if _caches_without_markers(manifest, registry):
        return "all in front of the tail, since this provider caches without markers"
    return "all in front of the last marker" if manifest.breakpoints else "there is no marker"


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def listing_json(manifest: Manifest, registry: Registry = BUILTIN) -> dict[str, Any]:
    """The listing as plain data: the manifest without its texts, and the totals."""
    plain = manifest.model_dump(
        mode="json", by_alias=True, exclude_defaults=True, exclude={"elements": {"__all__": {"pieces", "schema_text"}}}
    )
    found = cacheable(manifest, registry)
    so_far = 0
    for element, row in zip(manifest.elements, plain["elements"], strict=True):
        so_far += element.bytes.literal
        row["so_far"] = so_far
        row["forks"] = inner_forks(manifest, element) + (1 if element.gate is not None else 0)
    plain["format"] = FORMAT
    plain["totals"] = {
        "bytes": found.bytes,
        "tokens": found.tokens,
        "cacheable_bytes": found.cached_bytes,
        "cacheable_tokens": found.cached_tokens,
        "scopes": [{"scope": s, "bytes": b, "tokens": t} for s, b, t in found.scopes],
    }
    return plain
