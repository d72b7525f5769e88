"""Options that several commands share."""

from pathlib import Path
from typing import Annotated

import typer

from promptc.diagnostics.render.dispatch import FORMATS


def _known_format(value: str) -> str:
    if value not in FORMATS:
        raise typer.BadParameter(f"one of {', '.join(FORMATS)}")
    return value


Paths = Annotated[list[Path] | None, typer.Argument(help="Spec files or folders; all specs of the project for none.")]
Format = Annotated[
    str, typer.Option("--format", "-f", callback=_known_format, help=f"How findings are shown: {', '.join(FORMATS)}.")
]
Prompt = Annotated[str | None, typer.Option("--prompt", "-p", help="Which prompt, where there are several.")]
