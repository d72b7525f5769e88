"""`promptc render`: the bytes of one request."""

import json
from pathlib import Path
from typing import Annotated

import typer

from promptc.artifact import Artifact
from promptc.cli.assembling import assemble, choose, given
from promptc.cli.console import raw, say, stop
from promptc.cli.options import Paths, Prompt
from promptc.output import WriteError, write_all

Sample = Annotated[str | None, typer.Option("--sample", "-s", help="A sample of the spec; the first one by default.")]
Inputs = Annotated[
    Path | None, typer.Option("--inputs", "-i", help="JSON object with inputs; over the sample's, if one is named.")
]
Messages = Annotated[Path | None, typer.Option("--messages", "-m", help="JSON list of messages, or a request body.")]
StateFile = Annotated[Path | None, typer.Option("--state", help="JSON state after the request before.")]


def render(
    paths: Paths = None,
    prompt: Prompt = None,
    sample: Sample = None,
    inputs: Inputs = None,
    messages: Messages = None,
    state: StateFile = None,
    model: Annotated[str | None, typer.Option("--model", help="Model, for a prompt that does not name one.")] = None,
    pretty: Annotated[
        bool, typer.Option("--pretty", help="Indent the JSON for reading; these are not the bytes that are sent.")
    ] = False,
    state_out: Annotated[
        Path | None, typer.Option("--state-out", help="Write the state for the next request here.")
    ] = None,
) -> None:
    """Render one request with the emitted assembler and print its exact bytes.

    Exit codes: 0 rendered, 1 the spec has errors, 2 inputs that do not fit or unreadable files.
    """
    chosen = choose(paths or [], prompt)
    request = assemble(chosen, given(chosen, sample, inputs, messages, state), model)
    for decision in request.decisions:
        where = f" `{decision.section}`" if decision.section else ""
        say(f"decision: {decision.kind}{where}: {decision.detail}")
    if pretty:
        raw(json.dumps(json.loads(request.body), ensure_ascii=False, indent=2).encode() + b"\n")
    else:
        raw(request.body)
    if state_out is not None:
        try:
            write_all(state_out.parent, [Artifact(state_out.name, f"{request.state.to_json()}\n".encode())])
        except WriteError as fault:
            stop(str(fault))
