"""A comparison for a person: where, what was, what is, why, what it costs, what to do."""

from promptc.report.attribution import Pair, attribution_lines
from promptc.report.diff_words import (
    PARAM_ADVICE,
    RELATIONS,
    VERDICTS,
    advice,
    kind_of,
    shown_pointer,
    sureness,
    where,
    written_by,
)
from promptc.report.visible import visible
from promptc.streams.result import Comparison, Finding, ParamChange

_EXCERPT = 72
_SHOWN_FINDINGS = 20


def diff_as_text(comparison: Comparison, attributed: Pair = (None, None)) -> str:
    """The report as text with a final newline; free of control characters whatever was compared.

    Args:
        attributed: What is known of who wrote both sides.
    """
    blocks = [_heading(comparison)]
    blocks += [_finding(number, found) for number, found in enumerate(comparison.findings[:_SHOWN_FINDINGS], start=1)]
    more = max(len(comparison.findings) - _SHOWN_FINDINGS, 0) + comparison.findings_left_out
    if more:
        blocks.append([f"and {more} more {'place' if more == 1 else 'places'}"])
    blocks += [_param(change) for change in comparison.param_changes]
    blocks.append(_cost(comparison))
    if origins := attribution_lines(comparison, attributed):
        blocks.append(origins)
    remarks = [f"limit: {visible(text)}" for text in comparison.limits]
    remarks += [f"note: {visible(text)}" for text in comparison.notes]
    if remarks:
        blocks.append(remarks)
    return "\n\n".join("\n".join(lines) for lines in blocks) + "\n"


def _heading(comparison: Comparison) -> list[str]:
    a, b = comparison.a, comparison.b
    target = f" for {visible(a.target)}" if a.target else ""
    formats = a.format if a.format == b.format else f"{a.format} and {b.format}"
    order = f", in the order {', '.join(a.order)}" if len(a.order) > 1 else ""
    return [
        f"{visible(a.name)} -> {visible(b.name)}",
        f"read as {formats}{target}{order}",
        f"{comparison.verdict}: {RELATIONS[comparison.relation]}; {VERDICTS[comparison.verdict]}",
    ]


def _finding(number: int, found: Finding) -> list[str]:
    lines = [f"{number}. {where(found)}  [{kind_of(found)}]"]
    lines.append(f"   was   {_rest(found.rest_a, found)}")
    lines.append(f"   is    {_rest(found.rest_b, found)}")
    lines.append(f"   why   {visible(found.cause)}{sureness(found.certainty)}")
    if found.section is not None:
        lines.append(f"   from  {written_by(found)}")
    lines.append(f"   do    {advice(found)}")
    return lines


def _rest(rest: str | None, found: Finding) -> str:
    if rest is None:
        return "(nothing)"
    if rest == "":
        return "(the end)"
    cut = rest[:_EXCERPT]
    shown = visible(cut, blanks=found.text_class == "whitespace", marks=found.text_class == "unicode_normalisation")
    return shown + ("…" if len(rest) > _EXCERPT else "")


def _param(change: ParamChange) -> list[str]:
    was, now = (visible(value) if value is not None else "(left out)" for value in (change.was, change.now))
    return [
        f"{visible(change.pointer)}  [parameter]",
        f"   was   {was}",
        f"   is    {now}",
        f"   why   it is part of the key for {', '.join(change.loses)}{sureness(change.certainty)}",
        f"   do    {PARAM_ADVICE}",
    ]


def _cost(comparison: Comparison) -> list[str]:
    size, tokens = comparison.prefix.bytes, comparison.prefix.tokens
    lines = [
        f"kept  {size.kept:,} of {size.kept + size.lost:,} bytes, about {tokens.kept:,} of "
        f"{tokens.kept + tokens.lost:,} tokens ({tokens.method})"
    ]
    for scope in comparison.prefix.scopes:
        lines.append(f"      scope {visible(scope.scope)}: {scope.kept:,} of {scope.kept + scope.lost:,} bytes")
    if comparison.common_prefix_through is not None:
        lines.append(f"same  through {shown_pointer(comparison.common_prefix_through)}")
    if comparison.breakpoints_surviving or comparison.breakpoints_lost:
        lines.append(f"alive {_pointers(comparison.breakpoints_surviving)}")
        lines.append(f"lost  {_pointers(comparison.breakpoints_lost)}")
    read = comparison.cache_read_through
    lines.append(f"read  {'nothing for certain' if read is None else f'through {shown_pointer(read)}'}")
    return lines


def _pointers(pointers: tuple[str, ...]) -> str:
    return ", ".join(visible(pointer) for pointer in pointers) if pointers else "no breakpoint"
