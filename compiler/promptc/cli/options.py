"""Options that several commands share."""

from pathlib import Path
from typing import Annotated

import typer

from promptc.breaking.rules import CATEGORIES
from promptc.diagnostics.render.dispatch import FORMATS
from promptc.project import Category


def _known_format(value: str) -> str:
    if value not in FORMATS:
        raise typer.BadParameter(f"one of {', '.join(FORMATS)}")
    return value


Paths = Annotated[list[Path] | None, typer.Argument(help="Spec files or folders; all specs of the project for none.")]
Format = Annotated[
    str, typer.Option("--format", "-f", callback=_known_format, help=f"How findings are shown: {', '.join(FORMATS)}.")
]
Prompt = Annotated[str | None, typer.Option("--prompt", "-p", help="Which prompt, where there are several.")]
Tokenizer = Annotated[
    Path | None,
    typer.Option("--tokenizer", help="The `tokenizer.json` of a model, for exact counts; an estimate without it."),
]
FailOn = Annotated[
    str | None,
    typer.Option("--fail-on", help=f"Least category that fails: {', '.join(CATEGORIES)}; `fail_on` of promptc.toml."),
]


def category(value: str | None) -> Category | None:
    """The category of an option; None where it is not given."""
    found = next((name for name in CATEGORIES if name == value), None)
    if value is not None and found is None:
        raise typer.BadParameter(f"one of {', '.join(CATEGORIES)}", param_hint="--fail-on")
    return found
