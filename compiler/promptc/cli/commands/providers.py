"""`promptc providers`: the facts that promptc knows, and how old they are."""

import json
from datetime import date
from typing import Annotated

import typer

from promptc.cli.console import product, stop
from promptc.providers.model import Provider
from promptc.providers.registry import provider, provider_ids


def providers(
    name: Annotated[str | None, typer.Argument(help="One provider, with every fact, its source and date.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="As JSON.")] = False,
) -> None:
    """List the providers and platforms that promptc has facts about."""
    if name is None:
        rows = [_row(provider(i)) for i in provider_ids()]
        if as_json:
            keys = ("id", "title", "format", "facts", "oldest", "newest")
            product(
                json.dumps(
                    {"format": "promptc.providers/1", "providers": [dict(zip(keys, r, strict=True)) for r in rows]},
                    indent=2,
                )
            )
            return
        widths = [max(len(str(r[c])) for r in rows) for c in range(6)]
        product("\n".join("  ".join(f"{v!s:<{w}}" for v, w in zip(r, widths, strict=True)).rstrip() for r in rows))
        return
    try:
        found = provider(name)
    except KeyError:
        stop(f"there are no facts about `{name}`", help="known: " + ", ".join(provider_ids()))
    if as_json:
        product(found.model_dump_json(indent=2))
        return
    lines = [f"{found.id}: {found.title} ({found.platform}), request format {found.format}"]
    for path, fact in found.facts():
        lines.append(f"  {path} = {fact.value!r}")
        lines.append(
            f"      {fact.certainty}, {fact.date.isoformat()}, {fact.source}" + (f" ({fact.note})" if fact.note else "")
        )
    product("\n".join(lines))


def _row(found: Provider) -> tuple[str, str, str, int, str, str]:
    dates: list[date] = [fact.date for _, fact in found.facts()]
    return found.id, found.title, found.format, len(dates), min(dates).isoformat(), max(dates).isoformat()
