"""`promptc verify`: run assemblers against their vectors."""

from pathlib import Path
from typing import Annotated

import typer

from promptc.cli.console import exit_code, say, show, stop
from promptc.cli.options import Format
from promptc.diagnostics.model import Diagnostic
from promptc.diagnostics.sink import Sink
from promptc.emit.verify import verify_module
from promptc.project import find_project
from promptc.source import SourceSet

VECTORS = ".vectors.json"


def verify(
    folder: Annotated[
        Path | None, typer.Argument(help="Folder that a build wrote; `out` of promptc.toml by default.")
    ] = None,
    format: Format = "text",
) -> None:
    """Run every assembler of a build against its vectors, in a process of its own: same bytes, same state.

    Exit codes: 0 all agree, 1 one differs, 2 nothing to verify.
    """
    if folder is None:
        sink = Sink()
        project = find_project(Path.cwd(), sink)
        folder = project.root / project.config.out
    found = sorted(folder.glob(f"*{VECTORS}")) if folder.is_dir() else []
    if not found:
        stop(f"`{folder.as_posix()}` holds no vectors", help="`promptc build` writes them, one file a prompt")
    diagnostics: list[Diagnostic] = []
    for vectors in found:
        module = vectors.with_name(vectors.name.removesuffix(VECTORS) + ".py")
        if not module.is_file():
            stop(f"`{vectors.name}` has no assembler `{module.name}` beside it", help="run `promptc build`")
        differing = verify_module(module, vectors)
        diagnostics.extend(differing)
        if not differing:
            say(f"verified: {module.name}")
    show(diagnostics, SourceSet(), format, are_product=True)
    raise typer.Exit(exit_code(diagnostics))
