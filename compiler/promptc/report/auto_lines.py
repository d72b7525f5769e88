"""Why `cache auto` placed each marker, in lines."""

from promptc.report.visible import visible
from promptc.streams.manifest_model import Manifest, ManifestAuto, ManifestReason


def auto_lines(manifest: Manifest) -> list[str]:
    """The lines of a listing, a blank one last; none where the author placed the markers."""
    auto = manifest.auto
    if auto is None:
        return []
    lines = [_summary(auto)]
    for reason in auto.reasons:
        lines.append(f"  {visible(place_of(reason))}")
        lines += [f"    {visible(part)}" for part in reason.why.split("; ")]
    lines += [f"  note: {visible(note)}" for note in auto.notes]
    return [*lines, ""]


def _summary(auto: ManifestAuto) -> str:
    if not auto.uncached:
        return "markers by `cache auto`"
    share = 1 - auto.cost / auto.uncached
    return (
        f"markers by `cache auto`: a session costs ~{auto.cost:,} tokens of input instead of {auto.uncached:,}, "
        f"{share:.0%} less"
    )


def place_of(reason: ManifestReason) -> str:
    """A place and what stands there."""
    if reason.lifetime is None:
        return f"not behind {reason.after}"
    if reason.lagging:
        return f"behind {reason.after}, {reason.lifetime}, where the request before had it"
    return f"behind {reason.after}, {reason.lifetime}"


def reason_at(manifest: Manifest, lane: str, after: str) -> str | None:
    """Why the last marker behind an element stands there; None where `cache auto` placed none."""
    found = [r for r in manifest.auto.reasons if r.lifetime is not None] if manifest.auto is not None else []
    return next((r.why for r in reversed(found) if r.lane == lane and r.after == after), None)
