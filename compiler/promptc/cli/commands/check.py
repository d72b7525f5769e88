"""`promptc check`: say what is wrong with specs, or with a captured request."""

from pathlib import Path
from typing import Annotated

import typer

from promptc.cli.attributing import attributor
from promptc.cli.console import exit_code, say, show, stop
from promptc.cli.loading import load
from promptc.cli.options import Format, Paths, Tokenizer
from promptc.cli.requests import RECORDED, check_request_file
from promptc.cli.tokenizing import Counting, counter
from promptc.diagnostics.model import Severity
from promptc.diagnostics.sink import severity_of
from promptc.prefix_sizes import size_findings


def check(
    paths: Paths = None,
    format: Format = "text",
    target: Annotated[
        str | None, typer.Option("--target", help="Provider whose rules a request body is held to.")
    ] = None,
    sizes: Annotated[
        bool,
        typer.Option(
            "--sizes/--no-sizes", help="Whether to count tokens and hold prefixes to the provider's minimum sizes."
        ),
    ] = True,
    manifest: Annotated[
        list[Path] | None,
        typer.Option("--manifest", help="Built manifest, or a folder of them, to name the sections of a request by."),
    ] = None,
    tokenizer: Tokenizer = None,
) -> None:
    """Check specs, or captured requests: bodies (`request.json --target anthropic`; `-` is stdin) and recordings.

    Exit codes: 0 clean, 1 errors found, 2 wrong arguments or unreadable files.
    """
    places = paths or []
    bodies = [p for p in places if p.suffix in RECORDED or str(p) == "-"]
    if bodies and len(bodies) == len(places):
        known = attributor(manifest or [])
        counting = Counting(sizes, counter(tokenizer))
        code = max(check_request_file(p, target, format, counting, known) for p in places)
        raise typer.Exit(code)
    if bodies:
        stop("specs and request bodies are checked one kind at a time")
    if manifest:
        stop("`--manifest` is for request bodies", help="a spec names its sections itself")
    if target is not None:
        stop("`--target` is for request bodies", help="a prompt says its target itself: `target NAME`")
    if tokenizer is not None:
        stop("`--tokenizer` is for request bodies", help="limits of a spec are held to the estimate, on every machine")
    workspace = load(places)
    found = (*workspace.diagnostics, *(size_findings(workspace.compilations) if sizes else ()))
    show(found, workspace.sources, format, are_product=True)
    code = exit_code(found)
    if not any(severity_of(d) is not Severity.HINT for d in found) and format == "text":
        prompts = sum(len(c.programs) for c in workspace.compilations)
        say(f"clean: {len(workspace.compilations)} spec(s), {prompts} prompt(s)")
    raise typer.Exit(code)
