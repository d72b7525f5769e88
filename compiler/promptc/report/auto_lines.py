"""Why `cache auto` placed each marker, in lines."""

from promptc.report.visible import visible
from promptc.streams.manifest_model import Manifest, ManifestAuto, ManifestBreakpoint, ManifestReason


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


def whys(manifest: Manifest, marker: ManifestBreakpoint) -> tuple[str, ...]:
    """Why a marker stands behind its element, the one that lags behind it included; empty where the author placed it."""
    found = manifest.auto.reasons if manifest.auto is not None else ()
    return tuple(
        f"{place_of(r)}: {r.why}"
        for r in found
        if r.lifetime is not None and (r.lane, r.after) == (marker.lane, marker.after)
    )


def short_why(manifest: Manifest, marker: ManifestBreakpoint) -> str:
    """The first thing to say about a marker, for a drawing: with a colon in front, or nothing."""
    found = manifest.auto.reasons if manifest.auto is not None else ()
    own = [r for r in found if r.lifetime is not None and (r.lane, r.after) == (marker.lane, marker.after)]
    if not own:
        return ""
    twice = ", and where the request before had it" if any(r.lagging for r in own) else ""
    return f"{twice}: {own[-1].why.split(';')[0]}"
