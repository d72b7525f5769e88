"""`promptc audit`: what broke the cache in a log of any size, and what it cost."""

from pathlib import Path
from typing import Annotated

import typer

from promptc.audit.run import Options
from promptc.cli.auditing import WRITERS, audited
from promptc.cli.console import stop


def audit(
    logs: Annotated[list[Path], typer.Argument(help="Logs in any format of captures; `-` is stdin.")],
    state: Annotated[
        Path | None,
        typer.Option("--state", help="Database to keep the work in: it can be gone on with, and asked with SQL."),
    ] = None,
    manifest: Annotated[
        list[Path] | None,
        typer.Option("--manifest", help="Built manifest, or a folder of them, to name the sections of a request by."),
    ] = None,
    target: Annotated[
        str | None, typer.Option("--target", help="Provider whose cache rules count; detected where it can be.")
    ] = None,
    since: Annotated[
        str | None, typer.Option("--since", help="First day or time that counts, such as 2026-11-01.")
    ] = None,
    until: Annotated[str | None, typer.Option("--until", help="First day or time that counts no more.")] = None,
    redact: Annotated[
        bool,
        typer.Option("--redact", help="Keep no text of the log and no key of a session, in no report or database."),
    ] = False,
    format: Annotated[str, typer.Option("--format", "-f", help="text, json, markdown or html.")] = "text",
    output: Annotated[Path | None, typer.Option("--output", "-o", help="File to write; stdout by default.")] = None,
) -> None:
    """Compare every request of a log with the one that it continues: causes, sections, costs, hit rates.

    Exit codes: 0 no break, 1 breaks, 2 wrong arguments, unreadable files, or stopped before the end.
    """
    if format not in WRITERS:
        stop(f"`{format}` is no format", help="`--format text`, `json`, `markdown` or `html`")
    options = Options(target, since, until, redact)
    raise typer.Exit(audited(logs, state, manifest or [], options, format, output))
