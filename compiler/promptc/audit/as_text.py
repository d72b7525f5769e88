"""An audit for a person, as text and as Markdown; free of control characters and of markup that is not its own."""

from collections.abc import Iterator, Sequence

from promptc.audit.report import CostlyByte, Day, Report, Sum
from promptc.diagnostics.render.display import visible

_EXCERPT = 60
_DAYS = 62


def report_as_text(report: Report) -> str:
    """The report as text with a final newline."""
    lines = [*_summary(report)]
    if report.breaks:
        lines += ["", "by cause (cost in input tokens):", *_table(report.by_cause)]
        lines += ["", "by section:", *_table(report.by_section)]
        lines += ["", f"the {len(report.costliest)} most expensive bytes:"]
        for number, one in enumerate(report.costliest, start=1):
            lines += _costly(number, one)
    if any(day.day is not None or day.counted for day in report.days):
        lines += [
            "",
            "hit rate by day (read of all prompt tokens; shared: bytes that were sent before):",
            *_days(report.days),
        ]
    return "\n".join(lines) + "\n"


def report_as_markdown(report: Report) -> str:
    """The report as Markdown."""
    first, *rest = _summary(report)
    lines = [f"# Audit: {_cell(first)}", "", *(f"- {_cell(line)}" for line in rest)]
    if report.breaks:
        for title, sums in (("cause", report.by_cause), ("section", report.by_section)):
            lines += ["", f"## By {title}", "", f"| {title} | breaks | tokens lost | cost |", "|---|---:|---:|---:|"]
            lines += [f"| {_cell(s.name)} | {s.breaks:,} | {s.tokens:,} | {s.cost:,.0f} |" for s in sums]
        lines += ["", "## The most expensive bytes", ""]
        lines += ["| place | what | breaks | cost | first seen |", "|---|---|---:|---:|---|"]
        for one in report.costliest:
            seen = f"{one.example.log}, line {one.example.line}"
            lines.append(
                f"| {_cell(_where(one))} | {_cell(one.kind)} | {one.breaks:,} | {one.cost:,.0f} | {_cell(seen)} |"
            )
    lines += ["", "## By day", "", "| day | requests | hit rate | shared |", "|---|---:|---:|---:|"]
    lines += [
        f"| {_cell(d.day or '(no time)')} | {d.requests:,} | {_rate(d.hit_rate)} | {d.shared:.1%} |"
        for d in report.days
    ]
    return "\n".join(lines) + "\n"


def _summary(report: Report) -> Iterator[str]:
    yield (
        f"{_count(report.requests, 'request')}, {_count(report.conversations, 'conversation')}, "
        f"{_count(report.breaks, 'break')}"
    )
    for log in report.logs:
        bad = [
            f"{number:,} {name}"
            for number, name in (
                (log.unreadable, "unreadable"),
                (log.unknown, "of unknown shape"),
                (log.without, "without a request"),
                (log.doubtful, "doubtful"),
            )
            if number
        ]
        yield f"{visible(log.name)}: {_count(log.requests, 'request')} read as {log.recorded_as}" + (
            f"; records: {', '.join(bad)}" if bad else ""
        )
    yield f"{report.compared:,} compared with the request that they continue" + (
        f"; {report.not_compared:,} not, since that one was no longer at hand" if report.not_compared else ""
    )
    if report.breaks:
        yield f"lost: about {report.tokens_lost:,} tokens, which cost {report.cost:,.0f} input tokens more than reading them"
        yield _how_counted(report)
    if report.cold:
        yield f"{report.cold:,} with an intact prefix read nothing: expired, evicted, or shorter than the minimum"


def _how_counted(report: Report) -> str:
    if report.counted == "all":
        return "tokens are the provider's own counts, shared out by bytes"
    rest = "where the log has no counts, " if report.counted == "some" else "the log has no counts: "
    return f"{rest}a token is taken for 4 bytes (an estimate)"


def _table(sums: Sequence[Sum]) -> Iterator[str]:
    for one in sums:
        yield f"  {one.cost:>14,.0f}  {one.breaks:>8,} x  {visible(one.name)}"


def _costly(number: int, one: CostlyByte) -> Iterator[str]:
    yield f"  {number:>2}. {visible(_where(one))}: {one.kind}"
    yield f"      {_count(one.breaks, 'break')}, {one.tokens:,} tokens lost, cost {one.cost:,.0f}"
    example = one.example
    yield f"      first at {visible(example.log)} line {example.line} (#{example.a} -> #{example.b}): {visible(example.cause)}"
    if example.was is not None or example.now is not None:
        yield f"      was {_excerpt(example.was)}"
        yield f"      is  {_excerpt(example.now)}"


def _where(one: CostlyByte) -> str:
    spec = "" if one.spec is None else f", {one.spec}:{one.spec_line}"
    place = one.place if one.byte is None or one.lane == "messages" else f"{one.place}, byte {one.byte}"
    return place if one.section is None else f"section {one.section}{spec} ({place})"


def _excerpt(text: str | None) -> str:
    if text is None:
        return "(nothing)"
    return visible(text[:_EXCERPT]) + ("…" if len(text) > _EXCERPT else "")


def _days(days: Sequence[Day]) -> Iterator[str]:
    for day in days[-_DAYS:]:
        yield f"  {visible(day.day or '(no time)'):<10}  {_rate(day.hit_rate):>6}  shared {day.shared:>6.1%}  {day.requests:>9,} requests"
    if len(days) > _DAYS:
        yield f"  and {len(days) - _DAYS:,} days before (`--format json` has all)"


def _rate(rate: float | None) -> str:
    return "-" if rate is None else f"{rate:.1%}"


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def _cell(text: str) -> str:
    """Text that stays text in Markdown, also in a table."""
    out = visible(text)
    for special in "\\`*_{}[]<>|#!~":
        out = out.replace(special, "\\" + special)
    return out
