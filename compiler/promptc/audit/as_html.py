"""An audit as one page that needs nothing else: tables and bars, every text escaped."""

from collections.abc import Iterator, Sequence

from promptc.audit.as_text import report_as_text
from promptc.audit.report import Report, Sum
from promptc.report.page import page, safe

_STYLE = """
:root { font: 16px/1.5 system-ui, sans-serif; color-scheme: light dark; }
body { max-width: 62rem; margin: 0 auto; padding: 1rem; }
table { border-collapse: collapse; width: 100%; margin: .5rem 0 1.5rem; }
th, td { text-align: left; padding: .3rem .6rem; border-bottom: 1px solid #8884; vertical-align: top; overflow-wrap: anywhere; }
td.n, th.n { text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums; }
code { font: .9em ui-monospace, monospace; overflow-wrap: anywhere; }
meter { width: 8rem; }
.soft { opacity: .75; }
"""
_TEXT = 300


def report_as_html(report: Report) -> str:
    """The page."""
    return page("promptc audit", _STYLE, _body(report))


def _body(report: Report) -> Iterator[str]:
    first, *rest = report_as_text(report).split("\n\n")[0].splitlines()
    yield f"<header><h1>Audit</h1><p>{safe(first)}</p></header><main><ul>"
    yield from (f"<li>{safe(line)}</li>" for line in rest)
    yield "</ul>"
    if report.breaks:
        yield from _sums("By cause", report.by_cause)
        yield from _sums("By section", report.by_section)
        yield "<h2>The most expensive bytes</h2><table><thead><tr><th>place</th><th>what was, what is</th>"
        yield '<th class="n">breaks</th><th class="n">cost</th></tr></thead><tbody>'
        for one in report.costliest:
            section = f"section <code>{safe(one.section)}</code> " if one.section is not None else ""
            seen = f"{one.example.log}, line {one.example.line}, #{one.example.a} to #{one.example.b}"
            yield f"<tr><td>{section}<code>{safe(one.place, _TEXT)}</code><br>{safe(one.kind)}"
            yield f'<br><span class="soft">{safe(seen)}</span></td>'
            texts = [f"<code>{safe(t, _TEXT)}</code>" for t in (one.example.was, one.example.now) if t is not None]
            yield f'<td>{"<br>".join(texts)}</td><td class="n">{one.breaks:,}</td><td class="n">{one.cost:,.0f}</td></tr>'
        yield "</tbody></table>"
    yield '<h2>By day</h2><table><thead><tr><th>day</th><th class="n">requests</th><th>hit rate</th>'
    yield '<th class="n">shared</th></tr></thead><tbody>'
    for day in report.days:
        rate = "not counted"
        if day.hit_rate is not None:
            rate = f'<meter min="0" max="1" value="{day.hit_rate}">{day.hit_rate:.1%}</meter> {day.hit_rate:.1%}'
        yield f'<tr><td>{safe(day.day or "(no time)")}</td><td class="n">{day.requests:,}</td><td>{rate}</td>'
        yield f'<td class="n">{day.shared:.1%}</td></tr>'
    yield "</tbody></table></main>"


def _sums(title: str, sums: Sequence[Sum]) -> Iterator[str]:
    yield f"<h2>{title}</h2><table><thead><tr><th>{title.removeprefix('By ')}</th>"
    yield '<th class="n">breaks</th><th class="n">tokens lost</th><th class="n">cost</th></tr></thead><tbody>'
    for one in sums:
        yield f'<tr><td>{safe(one.name, _TEXT)}</td><td class="n">{one.breaks:,}</td>'
        yield f'<td class="n">{one.tokens:,}</td><td class="n">{one.cost:,.0f}</td></tr>'
    yield "</tbody></table>"
