"""Breaks as diagnostics, which every format of findings can show."""

import re
from collections.abc import Mapping

from promptc.breaking.model import Break, Report
from promptc.breaking.rules import at_or_above
from promptc.diagnostics.model import Diagnostic, Label, Severity
from promptc.source import SourceSet, Span
from promptc.streams.manifest_model import Place

_WORD = re.compile(r"[\w-]+")


def fails(found: Break, report: Report) -> bool:
    """Whether a break fails the gate."""
    return found.standing == "open" and at_or_above(found.category, report.fail_on)


def failing(report: Report) -> tuple[Break, ...]:
    """The breaks that fail the gate."""
    return tuple(found for found in report.breaks if fails(found, report))


def diagnostics_of(report: Report, sources: SourceSet, prompts: Mapping[str, Span]) -> tuple[Diagnostic, ...]:
    """A diagnostic per break that is neither accepted nor ignored.

    Args:
        report: The comparison.
        sources: Texts of the specs as they are now.
        prompts: Where each prompt is declared, for what has no place of its own.
    """
    return tuple(_diagnostic(found, report, sources, prompts) for found in report.breaks if found.standing == "open")


def _diagnostic(found: Break, report: Report, sources: SourceSet, prompts: Mapping[str, Span]) -> Diagnostic:
    span = _span(found.place, sources) or prompts.get(found.prompt)
    fatal = fails(found, report)
    return Diagnostic(
        code=found.rule.code,
        message=found.message,
        primary=None if span is None else Label(span, f"{found.rule.id} ({found.category})"),
        notes=found.chain,
        help=_help(found, report) if fatal else None,
        severity=Severity.ERROR if fatal else found.rule.severity,
    )


def _help(found: Break, report: Report) -> str:
    scope = f" --scope {found.scope}" if found.scope else ""
    return (
        f"if it is meant, record it: `promptc accept --against {report.against} --prompt {found.prompt}{scope}"
        ' --reason "..."`'
    )


def _span(place: Place | None, sources: SourceSet) -> Span | None:
    source = sources.get(place.path) if place is not None else None
    if place is None or source is None or place.line > len(source.line_starts):
        return None
    start = source.line_starts[place.line - 1] + place.column - 1
    word = _WORD.match(source.text, start)
    return Span(place.path, start, word.end() if word else start + 1)


def verdict_line(report: Report) -> str:
    """One line that says how the comparison came out."""
    breaks = failing(report)
    accepted = sum(b.standing == "accepted" for b in report.breaks)
    ignored = sum(b.standing == "ignored" for b in report.breaks)
    rest = ", ".join(f"{n} {what}" for n, what in ((accepted, "accepted"), (ignored, "ignored")) if n)
    what = f"{len(breaks)} {'break' if len(breaks) == 1 else 'breaks'} at or above `{report.fail_on}`"
    count = len(report.prompts)
    compared = f"{count} {'prompt' if count == 1 else 'prompts'} compared with `{report.against}`"
    return f"{what if breaks else f'no break at or above `{report.fail_on}`'}{f' ({rest})' if rest else ''}; {compared}"
