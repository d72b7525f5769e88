"""`promptc preview`: every byte of one request, section by section."""

import json
from typing import Annotated

import typer

from promptc.cli.assembling import assemble, choose, given
from promptc.cli.commands.render import Inputs, Messages, Sample, StateFile
from promptc.cli.console import product
from promptc.cli.options import Paths, Prompt
from promptc.report.preview import preview_json, preview_text


def preview(
    paths: Paths = None,
    prompt: Prompt = None,
    sample: Sample = None,
    inputs: Inputs = None,
    messages: Messages = None,
    state: StateFile = None,
    model: Annotated[str | None, typer.Option("--model", help="Model, for a prompt that does not name one.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="As JSON.")] = False,
) -> None:
    """Show which section wrote which byte of a request, with seams and invisible characters.

    Exit codes: 0 shown, 1 the spec has errors, 2 inputs that do not fit or unreadable files.
    """
    chosen = choose(paths or [], prompt)
    request = assemble(chosen, given(chosen, sample, inputs, messages, state), model)
    body, ranges = request.body, request.prefix_map()
    if as_json:
        product(json.dumps(preview_json(body, ranges), ensure_ascii=False, indent=2))
    else:
        product(preview_text(body, ranges, model))
