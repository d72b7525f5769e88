"""`promptc providers`: the facts that promptc knows, and how old they are."""

import json
from datetime import date
from typing import Annotated, Any

import typer

from promptc.cli import exits
from promptc.cli.console import product, say, stop
from promptc.cli.loading import registry_here
from promptc.diagnostics.suggest import suggest
from promptc.providers.ages import ages
from promptc.report.providers import provider_json, provider_text, providers_json, providers_text

_OLD = 180


def providers(
    name: Annotated[str | None, typer.Argument(help="One provider, with every fact, its source and date.")] = None,
    as_of: Annotated[
        str | None, typer.Option("--as-of", help="Day that ages are counted to, such as 2026-12-01; today by default.")
    ] = None,
    older_than: Annotated[
        int, typer.Option("--older-than", min=0, help="Days after which a fact is marked with `!`.")
    ] = _OLD,
    fail_older_than: Annotated[
        int | None, typer.Option("--fail-older-than", min=0, help="Exit 1 where a fact is older than so many days.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="As JSON.")] = False,
) -> None:
    """List the providers and platforms that promptc has facts about, and how old those are.

    The facts of the project in the working directory count, if its promptc.toml names some.

    Exit codes: 0 listed, 1 a fact is older than --fail-older-than, 2 wrong arguments or unreadable files.
    """
    registry = registry_here()
    today = _day(as_of)
    limit = older_than if fail_older_than is None else min(older_than, fail_older_than)
    if name is None:
        found = [registry.provider(id) for id in registry.ids()]
        report: Any = providers_json(found, today, limit) if as_json else providers_text(found, today, limit)
    else:
        try:
            found = [registry.provider(name)]
        except KeyError:
            near = suggest(name, list(registry.ids()))
            known = "known: " + ", ".join(registry.ids())
            stop(f"there are no facts about `{name}`", help=f"did you mean `{near}`?" if near else known)
        report = provider_json(found[0], today, limit) if as_json else provider_text(found[0], today, limit)
    product(json.dumps(report, ensure_ascii=False, indent=2) if as_json else report)
    if fail_older_than is not None:
        old = {p.id: ages(p, today, fail_older_than).old for p in found}
        if total := sum(old.values()):
            say(
                f"{total:,} facts of {sum(n > 0 for n in old.values())} providers are older than {fail_older_than} days"
            )
            raise typer.Exit(exits.FINDINGS)


def _day(given: str | None) -> date:
    if given is None:
        # The one place that asks for the day: what is printed here is read by a person now, and no build depends on it.
        return date.today()
    try:
        return date.fromisoformat(given)
    except ValueError:
        stop(f"`{given}` is no day", help="write it as 2026-12-01")
