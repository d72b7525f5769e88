"""What `promptc simulate` plays: the emitted assembler of a prompt, in this process, and the rules of a provider."""

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

import typer

from promptc.cli import exits
from promptc.cli.assembling import Chosen
from promptc.cli.console import say, show, stop
from promptc.cli.files import read_file
from promptc.diagnostics.model import Diagnostic, Label
from promptc.diagnostics.sink import Sink
from promptc.diagnostics.suggest import suggest
from promptc.ir.wires.dialect import names_model
from promptc.lowering.samples import samples_of
from promptc.providers.model import Provider
from promptc.providers.registry import Registry
from promptc.providers.tokens import TokenCount, estimate_tokens
from promptc.report.simulation import Simulation
from promptc.runtime.request import Request
from promptc.runtime.state import State
from promptc.source import Source, SourceSet
from promptc.syntax.yaml_plain import Spans, place_of
from promptc.traffic.happen import Misfit, varying
from promptc.traffic.losses import LEAVES_NOTHING
from promptc.traffic.read_scenario import read_scenario
from promptc.traffic.run import Assembler, Layout, Message, play
from promptc.traffic.scenario import Scenario, plain_scenario
from promptc.traffic.summarise import summarised

# A scenario is written by hand.
_MAX_SCENARIO_BYTES = 4 * 1024 * 1024
_LONG = 100


class Script:
    """A scenario, and where each of its values stands; without a file it is made for each prompt.

    Args:
        path: The file; None for a plain scenario.
        turns, gap: Of a plain one.
    """

    def __init__(self, path: Path | None, turns: int, gap: int) -> None:
        self.sources = SourceSet()
        self.spans: Spans = {}
        self._turns, self._gap = turns, gap
        self._read: Scenario | None = None
        if path is not None:
            self._read = self._from_file(path)

    def _from_file(self, path: Path) -> Scenario:
        data = read_file(path)
        name = path.as_posix()
        if len(data) > _MAX_SCENARIO_BYTES:
            stop(f"`{name}` is larger than a scenario can be")
        try:
            text = data.decode("utf-8")
        except UnicodeDecodeError as fault:
            stop(f"byte {fault.start} of `{name}` is not UTF-8")
        source = Source(name, text.removeprefix("\ufeff").replace("\r\n", "\n"))
        self.sources.by_path[name] = source
        sink = Sink()
        scenario, self.spans = read_scenario(source, sink)
        show(sink.sorted(), self.sources, "text")
        if scenario is None:
            raise typer.Exit(exits.USAGE)
        return scenario

    def of(self, chosen: Chosen) -> tuple[Scenario, Mapping[str, object]]:
        """The scenario for a prompt, and the inputs that it starts from."""
        samples = {s.name: s for s in samples_of(chosen.compilation.facts, chosen.program)}
        wanted = self._read.sample if self._read is not None else None
        if wanted is not None and wanted not in samples:
            near = suggest(wanted, list(samples))
            reason = f"`{chosen.program.name}` has no sample `{wanted}`"
            help = f"did you mean `{near}`?" if near else "there are: " + (", ".join(samples) or "none")
            self.refuse(Misfit(reason, ("sample",)), help)
        base = samples[wanted] if wanted is not None else next(iter(samples.values()), None)
        inputs: Mapping[str, object] = base.inputs if base is not None else {}
        if base is not None and wanted is None:
            say(f"sample: {base.name}")
        if self._read is not None:
            return self._read, inputs
        return plain_scenario(self._turns, self._gap, varying(chosen.program, inputs)), inputs

    def refuse(self, fault: Misfit, help: str | None = None) -> None:
        """Show what a prompt cannot take, and end the command."""
        span = place_of(fault.loc, self.spans)
        found = Diagnostic("PC841", fault.reason, Label(span) if span is not None else None, help=help)
        show([found], self.sources, "text")
        raise typer.Exit(exits.USAGE)


def simulated(
    chosen: Chosen, script: Script, target: str | None, count: Callable[[str], TokenCount] | None = None
) -> Simulation:
    """Play a scenario with one prompt.

    Args:
        target: Provider whose cache is played; None for the prompt's own.
        count: Counts the tokens of a text; None for an estimate.
    """
    program = chosen.program
    scenario, inputs = script.of(chosen)
    registry = chosen.compilation.registry
    rules = _facts(registry, target or program.target)
    writer = _facts(registry, program.target)
    try:
        with _progress(sum(turn.repeat for turn in scenario.turns)) as told:
            played = play(scenario, Layout(program, _assembler(chosen), inputs, writer, rules, count), told)
    except Misfit as fault:
        script.refuse(fault)
        raise
    model = played[0].model
    facts = rules(model)
    counted = count("") if count is not None else estimate_tokens("", model)
    notes = []
    if facts.format != writer(model).format:
        notes.append(
            f"the request has the shape of {writer(model).title}; its blocks are played through the cache of "
            f"{facts.title} in that provider's order"
        )
    if facts.cache.kind in LEAVES_NOTHING:
        notes.append("a request puts nothing into this cache by itself, and nothing else is played")
    if program.model is None and scenario.model is None:
        notes.append(f"the prompt names no model: played as `{model}`")
    if scenario.vary:
        notes.append("another value in every turn: " + ", ".join(scenario.vary))
    name = f"{chosen.compilation.root} {program.name}"
    promised = bool(facts.cache.certain.value)
    return summarised(played, name, facts.title, counted, promised, notes)


@contextmanager
def _progress(turns: int) -> Iterator[Callable[[int], None] | None]:
    """Says on a terminal how far a long conversation is; a short one is over before anybody asks."""
    if turns < _LONG or not sys.stderr.isatty():
        yield None
        return

    def told(number: int) -> None:
        sys.stderr.write(f"\rturn {number} of {turns}")
        sys.stderr.flush()

    try:
        yield told
    finally:
        sys.stderr.write("\r\x1b[K")
        sys.stderr.flush()


def _facts(registry: Registry, target: str) -> Callable[[str], Provider]:
    def of(model: str) -> Provider:
        try:
            return registry.resolve(target, model)
        except KeyError:
            stop(f"there are no facts about `{target}`", help="known: " + ", ".join(registry.ids()))

    of("")
    return of


def _assembler(chosen: Chosen) -> Assembler:
    """The emitted assembler, executed once."""
    module = chosen.assembler()
    asks = names_model(chosen.program)

    def assemble(inputs: Mapping[str, object], messages: Sequence[Message], state: State, model: str) -> Request:
        extra = {"model": model} if asks else {}
        request: Request = module["assemble"](module["inputs_from_json"](dict(inputs)), list(messages), state, **extra)
        return request

    return assemble
