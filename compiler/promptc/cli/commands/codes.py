"""`promptc codes`: every diagnostic code."""

import json
from typing import Annotated

import typer

from promptc.cli.console import product
from promptc.diagnostics.registry import ALL_CODES


def codes(as_json: Annotated[bool, typer.Option("--json", help="As JSON.")] = False) -> None:
    """List every diagnostic code with its severity and meaning."""
    table = sorted(ALL_CODES, key=lambda c: c.code)
    if as_json:
        rows = [
            {"code": c.code, "slug": c.slug, "severity": str(c.severity), "summary": c.summary, "since": c.since}
            for c in table
        ]
        product(json.dumps({"format": "promptc.codes/1", "codes": rows}, indent=2))
        return
    width = max(len(c.slug) for c in table)
    product("\n".join(f"{c.code}  {c.severity:<7}  {c.slug:<{width}}  {c.summary}" for c in table))
