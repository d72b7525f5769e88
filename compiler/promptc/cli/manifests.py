"""The manifests of the prompts that a command names."""

from collections.abc import Callable, Sequence
from pathlib import Path

import typer

from promptc.cli.console import exit_code, show, stop
from promptc.cli.loading import load
from promptc.diagnostics.suggest import suggest
from promptc.lowering.manifest import build_manifest
from promptc.providers.registry import Registry
from promptc.providers.tokens import TokenCount
from promptc.streams.manifest_model import Manifest


def manifests(
    paths: Sequence[Path], prompt: str | None, count: Callable[[str], TokenCount] | None = None
) -> tuple[list[Manifest], Registry]:
    """The manifests of all prompts of some specs, or of one, and what their project knows about providers.

    Ends the command after an error.

    Args:
        count: Counts the tokens of a text; None for the estimate, which is what a built manifest has.
    """
    workspace = load(paths)
    show(workspace.diagnostics, workspace.sources, "text")
    if code := exit_code(workspace.diagnostics):
        raise typer.Exit(code)
    found = {
        name: build_manifest(c.facts, c.plans[name], program, c.sources, count)
        for c in workspace.compilations
        for name, program in c.programs.items()
    }
    if not found:
        stop("there is no prompt here", help="a prompt is declared by `prompt NAME { ... }`")
    if prompt is None:
        return list(found.values()), workspace.registry
    if prompt not in found:
        near = suggest(prompt, list(found))
        stop(
            f"there is no prompt `{prompt}`",
            help=f"did you mean `{near}`?" if near else "there are: " + ", ".join(found),
        )
    return [found[prompt]], workspace.registry
