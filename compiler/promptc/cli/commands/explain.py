"""`promptc explain`: the page of a diagnostic code."""

from typing import Annotated

import typer

from promptc.cli.console import product, stop
from promptc.diagnostics.explain import page
from promptc.diagnostics.registry import ALL_CODES
from promptc.diagnostics.suggest import suggest


def explain(code: Annotated[str, typer.Argument(help="A code (PC401) or its name (volatile-before-stable).")]) -> None:
    """Explain a diagnostic code: what it means, an example, and how to fix it."""
    text = page(code)
    if text is None:
        near = suggest(code, [name for c in ALL_CODES for name in (c.code, c.slug)])
        stop(f"there is no code `{code}`", help=f"did you mean `{near}`?" if near else "`promptc codes` lists them all")
    product(text)
