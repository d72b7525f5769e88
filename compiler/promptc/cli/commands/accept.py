"""`promptc accept`: record a break that is meant, with its reason."""

from pathlib import Path
from typing import Annotated

import typer

from promptc.artifact import Artifact
from promptc.breaking.as_diagnostics import failing
from promptc.building import FORMATS
from promptc.cli.comparing import compare_with, lock_path
from promptc.cli.console import say, stop
from promptc.cli.options import FailOn, Paths, category
from promptc.emit.lock import AcceptedBreak, make_lock, with_break, write_lock
from promptc.output import WriteError, write_all


def accept(
    paths: Paths = None,
    against: Annotated[str, typer.Option("--against", help="The baseline, as for `promptc breaking`.")] = "",
    prompt: Annotated[str, typer.Option("--prompt", "-p", help="The prompt that breaks.")] = "",
    reason: Annotated[str, typer.Option("--reason", "-m", help="Why the break is meant.")] = "",
    scope: Annotated[
        str | None, typer.Option("--scope", help="Only the break of this scope; of all when left out.")
    ] = None,
    fail_on: FailOn = None,
    out: Annotated[
        Path | None, typer.Option("--out", "-o", help="Folder of promptc.lock; `out` of promptc.toml by default.")
    ] = None,
) -> None:
    """Record the breaks of one prompt in promptc.lock: exactly the step from the baseline to what is there now.

    Exit codes: 0 recorded, 2 there is nothing to accept, or nothing could be compared.
    """
    for name, value in (("--against", against), ("--prompt", prompt), ("--reason", reason.strip())):
        if not value:
            stop(f"`{name}` is missing", help="a break is accepted for one prompt, against one baseline, for a reason")
    compared = compare_with(against, paths or [], category(fail_on), out, "text")
    chosen = [b for b in failing(compared.report) if b.prompt == prompt and scope in (None, b.scope)]
    if not chosen:
        known = sorted({f"`{b.prompt}`" + (f" `{b.scope}`" if b.scope else "") for b in failing(compared.report)})
        where = f" in scope `{scope}`" if scope is not None else ""
        stop(
            f"prompt `{prompt}` has no break{where} against `{against}`",
            help=f"there are breaks of {', '.join(known)}" if known else "nothing fails, so nothing needs a record",
        )
    lock = compared.lock or make_lock({}, (), FORMATS)
    for found in chosen:
        lock = with_break(
            lock,
            AcceptedBreak(prompt=found.prompt, scope=found.scope, was=found.was, now=found.now, reason=reason.strip()),
        )
    path = lock_path(compared.workspace.project, out)
    try:
        write_all(path.parent, [Artifact(path.name, write_lock(lock))])
    except WriteError as fault:
        stop(str(fault), help="nothing was changed", finding="PC008")
    for found in chosen:
        say(f"accepted: {found.rule.id}: {found.message}")
