"""Which sections wrote a captured request: for the text report, for JSON, and as the colours of the page."""

from collections.abc import Iterator, Sequence
from typing import Any

from promptc.report.visible import visible
from promptc.streams.attribution.model import SUREST_FIRST, Attribution, Origin
from promptc.streams.model import LANE_OF
from promptc.streams.result import Comparison

_SHOWN = 6
Pair = tuple[Attribution | None, Attribution | None]


def attribution_lines(comparison: Comparison, found: Pair) -> list[str]:
    """Lines for the text report: per side the prompt, how its parts are known, and what nobody is known to have written."""
    lines: list[str] = []
    for side, one in zip((comparison.a, comparison.b), found, strict=True):
        if one is not None and one.prompt is not None:
            lines.append(f"from  {visible(side.name)}: prompt `{visible(one.prompt)}`; {_ways(one.origins)}")
            if rest := _rest(one):
                lines.append(f"      not attributed: {rest}")
    return lines


def _ways(origins: Sequence[Origin]) -> str:
    counts = [(by, sum(origin.by == by for origin in origins)) for by in SUREST_FIRST]
    return ", ".join(f"{count} {'part' if count == 1 else 'parts'} by {by}" for by, count in counts if count)


def _rest(one: Attribution) -> str:
    names = [visible(pointer) for pointer in one.unattributed[:_SHOWN]]
    more = len(one.unattributed) - len(names)
    words = [*names, *([f"{more:,} more"] if more else [])]
    if one.others:
        words.append(f"{one.others:,} content {'block' if one.others == 1 else 'blocks'} of the conversation")
    return ", ".join(words)


def attribution_as_json(found: Pair) -> dict[str, Any]:
    """The attribution of both sides; null for a side that fits no prompt."""
    return {name: None if one is None else _side(one) for name, one in zip(("a", "b"), found, strict=True)}


def _side(one: Attribution) -> dict[str, Any]:
    return {
        "prompt": one.prompt,
        "elements": [
            {"pointer": origin.pointer, "by": origin.by, "ranges": list(_ranges(origin))} for origin in one.origins
        ],
        "unattributed": list(one.unattributed),
        "conversation_blocks": one.others,
    }


def _ranges(origin: Origin) -> Iterator[dict[str, Any]]:
    for r in origin.ranges:
        owner = r.owner
        place = None if owner is None else {"path": owner.path, "line": owner.line, "column": owner.column}
        kind = "seam" if owner is None and r.by is not None else "unknown" if owner is None else None
        yield {
            "start": r.start,
            "end": r.end,
            "section": None if owner is None else owner.name,
            "kind": kind or ("literal" if r.literal else "inserted"),
            "by": r.by,
            "span": place,
        }


def classes_of(one: Attribution | None) -> dict[tuple[str, str], str]:
    """Class of each section and tool that is there, by lane and name."""
    if one is None:
        return {}
    kinds = {element.pointer: element.kind for element in one.stream.elements}
    return {
        (LANE_OF[kinds[origin.pointer]], r.owner.name): r.owner.cls
        for origin in one.origins
        for r in origin.ranges
        if r.owner is not None
    }
