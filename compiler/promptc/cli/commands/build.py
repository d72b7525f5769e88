"""`promptc build`: write assemblers, manifests, schemas, vectors and the lock file."""

from pathlib import Path
from typing import Annotated

import typer

from promptc.building import build as build_all
from promptc.cli import exits
from promptc.cli.console import exit_code, say, show, stop
from promptc.cli.loading import load
from promptc.cli.options import Format, Paths
from promptc.emit.lock import LOCK_NAME, read_lock
from promptc.output import WriteError, stale, write_all


def build(
    paths: Paths = None,
    out: Annotated[
        Path | None, typer.Option("--out", "-o", help="Folder to write to; `out` of promptc.toml by default.")
    ] = None,
    check: Annotated[bool, typer.Option("--check", help="Write nothing; exit 1 where a file on disk differs.")] = False,
    standalone: Annotated[bool, typer.Option("--standalone", help="Put the runtime into each assembler.")] = False,
    format: Format = "text",
) -> None:
    """Build every prompt of some specs. All files are written, or none.

    Exit codes: 0 built, 1 errors in a spec or files out of date (--check), 2 unreadable or unwritable files.
    """
    workspace = load(paths or [])
    code = exit_code(workspace.diagnostics)
    if code:
        show(workspace.diagnostics, workspace.sources, format)
        raise typer.Exit(code)
    folder = out if out is not None else workspace.project.root / workspace.project.config.out
    earlier = None
    if (folder / LOCK_NAME).is_file():
        earlier, found = read_lock((folder / LOCK_NAME).read_bytes())
        if found:
            show(found, workspace.sources, "text")
            stop(f"`{LOCK_NAME}` cannot be read, and may hold recorded breaks", help="restore it, or remove it by hand")
    made = build_all(
        workspace.compilations, workspace.reader.raw, standalone or workspace.project.config.standalone, earlier
    )
    diagnostics = (*workspace.diagnostics, *made.diagnostics)
    show(diagnostics, workspace.sources, format)
    code = exit_code(diagnostics)
    if code:
        raise typer.Exit(code)
    if check:
        differing = stale(folder, made.artifacts)
        for name in differing:
            say(f"out of date: {name}")
        if differing:
            say("error[PC009]: files on disk differ from what the sources give; run `promptc build`")
        raise typer.Exit(exits.FINDINGS if differing else exits.CLEAN)
    try:
        changed = write_all(folder, made.artifacts)
    except WriteError as fault:
        stop(str(fault), help="nothing was changed", finding="PC008")
    for name in changed:
        say(f"written: {name}")
    say(f"built: {len(made.artifacts)} files, {len(changed)} changed")
