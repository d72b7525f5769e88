"""A comparison as a comment on a pull request: verdict, table, folded details, and how to see the same at home."""

from promptc.breaking.as_diagnostics import failing, fails, verdict_line
from promptc.breaking.model import Break, PrefixRow, Report
from promptc.diagnostics.render.markdown import escaped

MARKER = "<!-- promptc breaking -->"
"""First line of every comment: whoever posts one finds the earlier one by it, and edits that."""

_DIGEST = 12
# GitHub refuses comments above 65,536 characters; a place is left for the end.
_LIMIT = 60_000


def comment(report: Report, command: str) -> str:
    """The comment. Everything that comes from specs shows as text, whatever it holds.

    Args:
        report: The comparison.
        command: The command that made it.
    """
    broken = failing(report)
    mark = "❌" if broken else "✅"
    lines = [MARKER, f"{mark} **promptc breaking**: {_said(verdict_line(report))}", ""]
    lines += _table(report)
    if report.added:
        lines += ["", f"New prompts: {', '.join(map(escaped, report.added))}"]
    left = 0
    size = sum(len(line) + 1 for line in lines)
    for found in report.breaks:
        details = _details(found, report)
        size += sum(len(line) + 1 for line in details)
        if size > _LIMIT:
            left += 1
        else:
            lines += details
    if left:
        lines += ["", f"And {left} more."]
    lines += ["", f"<sub>The same at home: <code>{escaped(command)}</code></sub>"]
    return "\n".join(lines) + "\n"


def _said(text: str) -> str:
    return escaped(text.replace("`", ""))


def _table(report: Report) -> list[str]:
    if not report.rows:
        return ["No prompt that both sides have caches a prefix."]
    head = [
        "| prefix | before | after | tokens to write again (estimate) | verdict |",
        "| --- | --- | --- | ---: | --- |",
    ]
    return [*head, *(_row(row, report) for row in report.rows)]


def _row(row: PrefixRow, report: Report) -> str:
    name = f"{row.prompt} {row.scope}" + (f" ({row.category})" if row.category != row.scope else "")
    tokens = f"{row.rewrite.tokens:,}" if row.broken else "0"
    before, after = (_code(digest) for digest in (row.before, row.after))
    return f"| {escaped(name)} | {before} | {after} | {tokens} | {_verdict(row, report)} |"


def _code(digest: str) -> str:
    return f"<code>{escaped(digest[:_DIGEST])}</code>" if digest else "none"


def _verdict(row: PrefixRow, report: Report) -> str:
    own = [b for b in report.breaks if b.prompt == row.prompt and row.scope in (b.scope or row.scope, *b.also)]
    same_bytes = [b for b in own if b.rule.id in ("MARKER_REMOVED", "SCOPE_DEMOTED")]
    if not row.broken and not same_bytes:
        return "same"
    part = f" in {row.broken} of {row.variants} variants" if 0 < row.broken < row.variants else ""
    word = "**break**" if row.broken else "not cached or shared as before"
    standings = {b.standing for b in own if b.category != "metadata"}
    if standings and "open" not in standings:
        return f"{word}{part}, {' and '.join(sorted(standings))}"
    return f"{word}{part}"


def _details(found: Break, report: Report) -> list[str]:
    standing = "fails" if fails(found, report) else "noted" if found.standing == "open" else found.standing
    title = f"{found.rule.code} {found.rule.id} ({found.category}, {standing}): {found.message}"
    lines = ["", f"<details><summary>{escaped(title)}</summary>", ""]
    if found.place is not None:
        lines.append(f"* at {escaped(f'{found.place.path}:{found.place.line}:{found.place.column}')}")
    lines += [f"* {escaped(note)}" for note in found.chain]
    if found.why:
        lines.append(f"* {found.standing}: {escaped(found.why)}")
    return [*lines, "", "</details>"]
