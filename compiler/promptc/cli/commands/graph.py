"""`promptc graph`: a picture of lanes, sections, classes, scopes and breakpoints."""

from pathlib import Path
from typing import Annotated

import typer

from promptc.cli.console import deliver, say, stop
from promptc.cli.manifests import manifests
from promptc.cli.options import Paths, Prompt
from promptc.report.graph_dot import graph_dot
from promptc.report.graph_mermaid import graph_mermaid
from promptc.report.graph_svg import graph_svg

WRITERS = {"svg": graph_svg, "dot": graph_dot, "mermaid": graph_mermaid}


def graph(
    paths: Paths = None,
    prompt: Prompt = None,
    format: Annotated[str, typer.Option("--format", "-f", help="svg, dot or mermaid.")] = "svg",
    output: Annotated[Path | None, typer.Option("--output", "-o", help="File to write; stdout by default.")] = None,
) -> None:
    """Draw a prompt: lanes as rows, sections coloured by class, scopes as brackets, breakpoints and gates.

    Exit codes: 0 drawn, 1 the spec has errors, 2 wrong arguments or unreadable files.
    """
    if format not in WRITERS:
        stop(f"`{format}` is no format", help="`--format svg`, `dot` or `mermaid`")
    found, _ = manifests(paths or [], prompt)
    if len(found) > 1:
        first, *others = (m.prompt for m in found)
        say(f"prompt: {first} (`--prompt` names another: {', '.join(others)})")
    text = WRITERS[format](found[0])
    deliver(text, output)
