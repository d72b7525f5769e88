"""`promptc fmt`: the canonical form of DSL specs."""

import difflib
from pathlib import Path
from typing import Annotated

import typer

from promptc.artifact import Artifact
from promptc.cli import exits
from promptc.cli.console import exit_code, product, say, show, stop
from promptc.cli.options import Paths
from promptc.diagnostics.sink import Sink
from promptc.output import WriteError, write_all
from promptc.pipeline import parse_source
from promptc.project import Reader, find_project, find_specs
from promptc.source import SourceSet
from promptc.syntax.format import format_module


def fmt(
    paths: Paths = None,
    check: Annotated[
        bool, typer.Option("--check", help="Write nothing; exit 1 where a file is not formatted.")
    ] = False,
    diff: Annotated[bool, typer.Option("--diff", help="Write nothing; print what would change.")] = False,
) -> None:
    """Format DSL specs in place. Comments stay, meaning never changes; a file with a syntax error is left alone.

    Exit codes: 0 done, 1 a file is not formatted (--check, --diff) or has a syntax error, 2 unreadable files.
    """
    sink = Sink()
    places = paths or []
    project = find_project(places[0] if places else Path.cwd(), sink)
    reader = Reader(project)
    sources = SourceSet()
    changed: list[Artifact] = []
    for path in find_specs(project, places, sink):
        if not path.endswith(".promptc"):
            continue
        source = reader.read(path, None, sink)
        if source is None:
            continue
        sources.add(source)
        module = parse_source(source, sink)
        if module.broken:
            continue
        text = format_module(module, source)
        if text.encode() != reader.raw[path]:
            changed.append(Artifact(path, text.encode()))
            if diff:
                product(_unified(path, source.text, text))
    show(sink.sorted(), sources, "text")
    code = exit_code(sink.sorted())
    if check or diff:
        for artifact in changed:
            say(f"not formatted: {artifact.path}")
        raise typer.Exit(code or (exits.FINDINGS if changed else exits.CLEAN))
    try:
        for name in write_all(project.root, changed):
            say(f"formatted: {name}")
    except WriteError as fault:
        stop(str(fault))
    raise typer.Exit(code)


def _unified(path: str, before: str, after: str) -> str:
    lines = difflib.unified_diff(
        before.splitlines(keepends=True), after.splitlines(keepends=True), f"a/{path}", f"b/{path}"
    )
    return "".join(line if line.endswith("\n") else line + "\n\\ No newline at end of file\n" for line in lines)
