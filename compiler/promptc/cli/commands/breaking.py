"""`promptc breaking`: what a change does to every cached prefix, held to a limit."""

import shlex
from pathlib import Path
from typing import Annotated

import typer

from promptc.breaking.as_comment import comment
from promptc.breaking.as_diagnostics import diagnostics_of, failing, verdict_line
from promptc.breaking.rules import CATEGORIES, RULES
from promptc.cli import exits
from promptc.cli.comparing import compare_with
from promptc.cli.console import product, say, show, stop
from promptc.cli.options import FailOn, Format, Paths, category


def breaking(
    paths: Paths = None,
    against: Annotated[
        str | None,
        typer.Option(
            "--against", help="A folder, a built manifest, or `.git#tag=v1.2`, `.git#branch=main`, `.git#ref=HEAD~1`."
        ),
    ] = None,
    fail_on: FailOn = None,
    rules: Annotated[bool, typer.Option("--rules", help="List the rules and end.")] = False,
    out: Annotated[
        Path | None, typer.Option("--out", "-o", help="Folder of promptc.lock; `out` of promptc.toml by default.")
    ] = None,
    format: Format = "text",
) -> None:
    """Say which cached prefixes a change breaks, for whom, at which byte and by which line of which spec.

    `--format markdown` is a comment for a pull request.

    Exit codes: 0 no break at or above --fail-on, 1 there is one, 2 nothing could be compared.
    """
    if rules:
        product(_rules())
        return
    if against is None:
        stop("nothing to compare with", help="`--against .git#branch=main`, a folder, or a built manifest")
    compared = compare_with(against, paths or [], category(fail_on), out, format)
    report = compared.report
    if format == "markdown":
        # What the command says about ignores and acceptances is for whoever runs it.
        show(compared.remarks, compared.workspace.sources, "text")
        product(comment(report, _command(against, fail_on, paths or [])))
    else:
        found = (*compared.remarks, *diagnostics_of(report, compared.workspace.sources, compared.declared))
        show(found, compared.workspace.sources, format, are_product=True)
    say(verdict_line(report))
    raise typer.Exit(exits.FINDINGS if failing(report) else exits.CLEAN)


def _command(against: str, fail_on: str | None, paths: list[Path]) -> str:
    words = ["promptc", "breaking", "--against", against, *(["--fail-on", fail_on] if fail_on else [])]
    return shlex.join([*words, *(path.as_posix() for path in paths)])


def _rules() -> str:
    width = max(len(rule.id) for rule in RULES)
    lines = [f"categories, from the one of most concern: {', '.join(CATEGORIES)}", ""]
    lines += [f"{r.code}  {r.id:<{width}}  {r.category or 'by scope':<8}  {r.purpose}" for r in RULES]
    return "\n".join(lines)
