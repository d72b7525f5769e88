"""`promptc convert`: from one surface to the other."""

from pathlib import Path
from typing import Annotated

import typer

from promptc.cli import exits
from promptc.cli.console import deliver, exit_code, show, stop
from promptc.diagnostics.sink import Sink
from promptc.pipeline import parse_source
from promptc.project import Reader, find_project, find_specs
from promptc.source import SourceSet
from promptc.syntax.format import format_module
from promptc.syntax.yaml_models import surface_schema_text
from promptc.syntax.yaml_writer import write_yaml


def convert(
    path: Annotated[
        Path | None, typer.Argument(help="The spec to convert, `.promptc` or `.promptc.yaml`.", show_default=False)
    ] = None,
    to: Annotated[str | None, typer.Option("--to", help="`dsl` or `yaml`; the other surface by default.")] = None,
    output: Annotated[Path | None, typer.Option("--output", "-o", help="File to write; stdout by default.")] = None,
    schema: Annotated[
        bool, typer.Option("--schema", help="Convert nothing: print the JSON Schema of the YAML surface.")
    ] = False,
) -> None:
    """Convert a spec to the other surface: the same program in other words.

    Exit codes: 0 done, 1 syntax errors, 2 wrong arguments or unreadable files.
    """
    if schema:
        if path is not None or to is not None:
            stop("`--schema` takes no spec", help="the schema is the same for every spec")
        deliver(surface_schema_text(), output)
        return
    if path is None:
        stop("no spec to convert", help="name a file, or say `--schema`")
    sink = Sink()
    project = find_project(path, sink)
    reader = Reader(project)
    sources = SourceSet()
    found = find_specs(project, [path], sink)
    if len(found) > 1:
        stop("one file at a time", help="name a spec, not a folder")
    source = reader.read(found[0], None, sink) if found else None
    if source is None:
        show(sink.sorted(), sources, "text")
        raise typer.Exit(exit_code(sink.sorted()) or exits.USAGE)
    sources.add(source)
    module = parse_source(source, sink)
    if module.broken:
        show(sink.sorted(), sources, "text")
        raise typer.Exit(exits.FINDINGS)
    is_yaml = source.path.endswith((".yaml", ".yml"))
    goal = to or ("dsl" if is_yaml else "yaml")
    if goal not in ("dsl", "yaml"):
        stop(f"`{goal}` is no surface", help="`--to dsl` or `--to yaml`")
    if goal == "yaml":
        text = write_yaml(module, None if is_yaml else source)
    else:
        text = format_module(module, None if is_yaml else source)
    deliver(text, output)
