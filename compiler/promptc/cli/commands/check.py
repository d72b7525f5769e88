"""`promptc check`: say what is wrong with specs, or with a captured request."""

from typing import Annotated

import typer

from promptc.cli.console import exit_code, say, show
from promptc.cli.loading import load
from promptc.cli.options import Format, Paths
from promptc.cli.requests import check_request_file


def check(
    paths: Paths = None,
    format: Format = "text",
    target: Annotated[
        str | None, typer.Option("--target", help="Provider whose rules a request body is held to.")
    ] = None,
    sizes: Annotated[
        bool,
        typer.Option(
            "--sizes/--no-sizes", help="Whether to estimate the tokens of a request and hold them to minimum sizes."
        ),
    ] = True,
) -> None:
    """Check specs, or a captured request body (`request.json --target anthropic`).

    Exit codes: 0 clean, 1 errors found, 2 wrong arguments or unreadable files.
    """
    places = paths or []
    if places and all(p.suffix == ".json" for p in places):
        code = max(check_request_file(p, target, format, sizes) for p in places)
        raise typer.Exit(code)
    workspace = load(places)
    show(workspace.diagnostics, workspace.sources, format, are_product=True)
    code = exit_code(workspace.diagnostics)
    if not workspace.diagnostics and format == "text":
        prompts = sum(len(c.programs) for c in workspace.compilations)
        say(f"clean: {len(workspace.compilations)} spec(s), {prompts} prompt(s)")
    raise typer.Exit(code)
