"""`promptc simulate`: what a conversation reads from the cache, turn by turn."""

from pathlib import Path
from typing import Annotated

import typer

from promptc.cli.assembling import choose
from promptc.cli.console import product, say, stop
from promptc.cli.options import Prompt, Tokenizer
from promptc.cli.simulating import Script, simulated
from promptc.cli.tokenizing import counter
from promptc.report.simulation_html import simulation_html
from promptc.report.simulation_json import simulation_json
from promptc.report.simulation_text import counted, simulation_text
from promptc.traffic.scenario import MAX_TURNS, duration

WRITERS = {"text": simulation_text, "json": simulation_json, "html": simulation_html}


def simulate(
    spec: Annotated[Path, typer.Argument(help="A spec file or a folder of specs.")],
    prompt: Prompt = None,
    scenario: Annotated[
        Path | None, typer.Option("--scenario", "-c", help="YAML file with turns and events; see docs/simulate.md.")
    ] = None,
    turns: Annotated[
        int | None,
        typer.Option("--turns", min=1, max=MAX_TURNS, help="Turns of a scenario without events; 8 by default."),
    ] = None,
    gap: Annotated[
        str | None, typer.Option("--gap", help="Time between its turns, such as 10m; 90s by default.")
    ] = None,
    target: Annotated[
        str | None, typer.Option("--target", help="Provider whose cache is played; the prompt's own by default.")
    ] = None,
    against: Annotated[Path | None, typer.Option("--against", help="Another spec, played beside it.")] = None,
    against_prompt: Annotated[
        str | None, typer.Option("--against-prompt", help="The prompt of the other spec, or another one of this spec.")
    ] = None,
    tokenizer: Tokenizer = None,
    against_target: Annotated[
        str | None, typer.Option("--against-target", help="Another provider's cache, played beside it.")
    ] = None,
    format: Annotated[str, typer.Option("--format", "-f", help="text, json or html.")] = "text",
) -> None:
    """Play a conversation through a prompt and a provider's cache: what each turn writes, reads and costs, and why.

    Exit codes: 0 played, 1 the spec has errors, 2 wrong arguments, unreadable files or a scenario that does not fit.
    """
    if format not in WRITERS:
        stop(f"`{format}` is no format", help="`--format text`, `--format json` or `--format html`")
    if scenario is not None and (turns is not None or gap is not None):
        stop("a scenario file says itself how many turns there are and when", help="drop `--turns` and `--gap`")
    try:
        seconds = duration(gap if gap is not None else "90s")
    except ValueError as fault:
        stop(f"`{gap}` is no gap: {fault}")
    script = Script(scenario, turns if turns is not None else 8, seconds)
    count = counter(tokenizer)
    found = [simulated(choose([spec], prompt), script, target, count)]
    if against is not None or against_prompt is not None or against_target is not None:
        # What is not named for the other side is as on this one.
        named = against_prompt if against is not None or against_prompt is not None else prompt
        other = choose([against if against is not None else spec], named)
        found.append(simulated(other, script, against_target or target, count))
    product(WRITERS[format](found))
    if format != "text":
        say(counted(found))
