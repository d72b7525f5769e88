"""Choose a prompt and a request to render, and run the emitted assembler in this process."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import typer

from promptc.cli import exits
from promptc.cli.console import exit_code, say, show, stop
from promptc.cli.files import read_file
from promptc.cli.loading import load
from promptc.diagnostics.suggest import suggest
from promptc.emit.inputs import read_inputs
from promptc.emit.target import emit
from promptc.ir.model import Program
from promptc.ir.wires.dialect import names_model
from promptc.lowering.samples import samples_of
from promptc.pipeline import Compilation
from promptc.runtime.errors import InputError


@dataclass(frozen=True)
class Chosen:
    """One prompt of one compilation."""

    compilation: Compilation
    program: Program

    def assembler(self) -> dict[str, Any]:
        """The names of the emitted assembler, executed once; ends the command where there can be none."""
        code, found = emit("python", self.program, self.compilation.sources)
        if code is None:
            show(found, self.compilation.sources, "text")
            raise typer.Exit(exits.FINDINGS)
        # Dataclasses look up the module of a class by its name.
        module: dict[str, Any] = {"__name__": __name__}
        exec(compile(code.data, code.path, "exec"), module)
        return module


def choose(paths: Sequence[Path], prompt: str | None) -> Chosen:
    """Compile, and choose the prompt that a command is about; ends the command after an error."""
    workspace = load(paths)
    show(workspace.diagnostics, workspace.sources, "text")
    code = exit_code(workspace.diagnostics)
    if code:
        raise typer.Exit(code)
    found = {n: Chosen(c, p) for c in workspace.compilations for n, p in c.programs.items()}
    if not found:
        stop("there is no prompt here", help="a prompt is declared by `prompt NAME { ... }`")
    if prompt is None:
        if len({chosen.compilation.root for chosen in found.values()}) > 1:
            stop("there are several prompts here: " + ", ".join(found), help="choose one with `--prompt NAME`")
        # The first prompt of one spec is what the others of that spec extend or stand beside.
        first, *others = found
        if others:
            say(f"prompt: {first} (`--prompt` names another: {', '.join(others)})")
        return found[first]
    if prompt not in found:
        near = suggest(prompt, list(found))
        stop(
            f"there is no prompt `{prompt}`",
            help=f"did you mean `{near}`?" if near else "there are: " + ", ".join(found),
        )
    return found[prompt]


@dataclass(frozen=True)
class Given:
    """What a request is rendered from: JSON-like values, and the text of a state as `State.to_json` wrote it."""

    inputs: Mapping[str, object]
    messages: Sequence[Mapping[str, object]]
    state: bytes | None


def given(chosen: Chosen, sample: str | None, inputs: Path | None, messages: Path | None, state: Path | None) -> Given:
    """Inputs, conversation and state from files, or from a sample of the spec (its first one by default)."""
    samples = {s.name: s for s in samples_of(chosen.compilation.facts, chosen.program)}
    base = None
    if sample is not None:
        base = samples.get(sample)
        if base is None:
            stop(
                f"`{chosen.program.name}` has no sample `{sample}`", help="there are: " + (", ".join(samples) or "none")
            )
    elif inputs is None:
        base = next(iter(samples.values()), None)
        if base is None:
            stop(
                f"`{chosen.program.name}` has no sample",
                help="pass inputs: `--inputs inputs.json`, or declare a sample",
            )
        say(f"sample: {base.name}")
    values: dict[str, object] = dict(base.inputs) if base is not None else {}
    if inputs is not None:
        values.update(_object(inputs))
    if messages is not None:
        talk: Sequence[Mapping[str, object]] = _messages(messages)
    else:
        talk = (base.messages if base is not None else ()) or ({"role": "user", "content": "Hello."},)
    return Given(values, talk, read_file(state) if state is not None else None)


def _json(path: Path) -> Any:
    try:
        return json.loads(read_file(path))
    except (ValueError, RecursionError) as fault:
        stop(f"`{path.as_posix()}` is not JSON: {fault}", finding="PC012")


def _object(path: Path) -> dict[str, object]:
    value = _json(path)
    if not isinstance(value, dict):
        stop(f"`{path.as_posix()}` does not hold a JSON object", finding="PC012")
    return value


def _messages(path: Path) -> list[Mapping[str, object]]:
    value = _json(path)
    if isinstance(value, dict) and isinstance(value.get("messages"), list):
        value = value["messages"]
    if not isinstance(value, list) or not all(isinstance(m, dict) for m in value):
        stop(f"`{path.as_posix()}` does not hold a list of messages", finding="PC012")
    return value


def assemble(chosen: Chosen, what: Given, model: str | None = None) -> Any:
    """The request that the emitted assembler gives; its `body`, `state`, `decisions` and `prefix_map()`."""
    _, unfit = read_inputs(chosen.program, dict(what.inputs))
    if unfit:
        show(unfit, chosen.compilation.sources, "text")
        raise typer.Exit(exits.USAGE)
    module = chosen.assembler()
    try:
        state = module["State"].from_json(what.state) if what.state is not None else module["State"]()
        inputs = module["inputs_from_json"](dict(what.inputs))
        extra = {"model": model or "unnamed"} if names_model(chosen.program) else {}
        return module["assemble"](inputs, list(what.messages), state, **extra)
    except InputError as fault:
        stop(f"the inputs do not fit: {fault}", code=exits.USAGE)
