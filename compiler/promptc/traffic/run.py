"""Play a scenario: every request through the real assembler, and what it sends through the provider's cache model."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache, partial
from typing import Protocol

from promptc.ir.model import Program
from promptc.providers.cache_model import simulate
from promptc.providers.cache_model.lowered import request_of
from promptc.providers.cache_model.values import EMPTY, CacheRequest, CacheState
from promptc.providers.model import Provider
from promptc.providers.tokens import TokenCount, estimate_tokens
from promptc.report.simulation import Played
from promptc.runtime.errors import InputError
from promptc.runtime.request import Request
from promptc.runtime.state import State
from promptc.syntax.yaml_plain import Loc
from promptc.traffic.generated import text_of
from promptc.traffic.happen import Misfit, changed, midnight_after, told_time, varied
from promptc.traffic.losses import Sent, left_by, loss_of
from promptc.traffic.parting import unmarked
from promptc.traffic.scenario import Event, Scenario, ToolRound, Turn

Message = Mapping[str, object]

# The model of prompts that do not name one, where the scenario does not either and the provider has no usual one.
UNNAMED = "unnamed"


class Assembler(Protocol):
    """The emitted assembler of a prompt."""

    def __call__(
        self, inputs: Mapping[str, object], messages: Sequence[Message], state: State, model: str
    ) -> Request: ...


@dataclass(frozen=True, slots=True)
class Layout:
    """What a scenario is played with.

    Attributes:
        program: The prompt.
        assemble: Its assembler. Raises `InputError` for inputs that do not fit.
        inputs: Inputs of the sample that it starts from.
        written_for: Facts for a model about the provider whose request shape the assembler writes.
        rules: Facts for a model about the provider whose cache is played; may be another.
        count: Counts the tokens of a text; None for an estimate by model.
    """

    program: Program
    assemble: Assembler
    inputs: Mapping[str, object]
    written_for: Callable[[str], Provider]
    rules: Callable[[str], Provider]
    count: Callable[[str], TokenCount] | None = None


def play(scenario: Scenario, layout: Layout, told: Callable[[int], None] | None = None) -> tuple[Played, ...]:
    """Every request of a scenario, in order.

    Args:
        told: Told the number of every turn that begins.

    Raises:
        Misfit: The scenario asks for something that the prompt cannot take.
    """
    for name in scenario.inputs:
        if name not in {declared.name for declared in layout.program.inputs}:
            raise Misfit(f"`{name}` is no input that `{layout.program.name}` reads", ("inputs", name))
    run = _Run(scenario, layout, {**layout.inputs, **scenario.inputs})
    run.model = scenario.model or str(layout.rules(UNNAMED).feature("usual_model") or UNNAMED)
    if scenario.model is not None:
        run.refuse_model(("model",))
    number = 0
    for index, turn in enumerate(scenario.turns):
        for again in range(turn.repeat):
            number += 1
            if told is not None:
                told(number)
            run.turn(number, turn, turn.before if again == 0 else (), ("turns", index))
    return tuple(run.played)


@dataclass
class _Run:
    """A conversation under way."""

    scenario: Scenario
    layout: Layout
    inputs: Mapping[str, object]
    messages: list[Message] = field(default_factory=list)
    state: State = field(default_factory=State)
    model: str = UNNAMED
    at: int = 0
    cache: CacheState = EMPTY
    before: Sent | None = None
    events: list[str] = field(default_factory=list)
    now: Mapping[str, object] = field(default_factory=dict)
    played: list[Played] = field(default_factory=list)

    def turn(self, number: int, turn: Turn, before: tuple[Event, ...], loc: Loc) -> None:
        """One turn, with the events before it."""
        if number > 1:
            started = self.at
            self.at += self.scenario.gap if turn.gap is None else turn.gap
            for index, event in enumerate(before):
                if event.midnight:
                    self._midnight(started, (*loc, "before", index))
        self._tell(number)
        where: Loc = loc
        for index, event in enumerate(before):
            where = (*loc, "before", index)
            self._event(number, event, where)
            self._tell(number)
        self.messages.append(_said("user", text_of(turn.user, number, "user")))
        self._request(number, 0, where)
        for step, tools in enumerate(turn.tools, start=1):
            self.at += tools.wait
            self._tell(number)
            self.messages.extend(_tool_round(tools, number, step))
            self._request(number, step, (*loc, "tools", step - 1))
        self.messages.append(_said("assistant", text_of(turn.answer, number, "assistant")))

    def refuse_model(self, loc: Loc) -> None:
        """Raise where the prompt names its model itself."""
        if self.layout.program.model is not None:
            name = self.layout.program.name
            raise Misfit(f"`{name}` names its model itself; set the input that it takes the model from", loc)

    def _midnight(self, started: int, loc: Loc) -> None:
        clock = self.scenario.clock
        if clock is None:
            raise Misfit("there is no midnight without a `clock`", loc)
        self.at = max(self.at, midnight_after(clock.start, started))

    def _tell(self, number: int) -> None:
        """What the assembler is given now: the inputs, what varies, and what time it is."""
        program = self.layout.program
        self.now = varied(self.inputs, self.scenario.vary, number, program)
        if self.scenario.clock is not None:
            self.now = told_time(self.now, self.scenario.clock, self.at, program)

    def _event(self, number: int, event: Event, loc: Loc) -> None:
        if event.midnight:
            self.events.append("midnight")
        elif event.resume:
            self.state = State.from_json(self.state.to_json())
            self.events.append("resumed")
        elif event.model is not None:
            self.refuse_model(loc)
            self.model = event.model
            self.events.append(f"model `{event.model}`")
        elif event.compact is not None:
            summary = text_of(event.compact.summary, number, "summary")
            self.messages = [_said("user", summary), _said("assistant", "Understood.")]
            self.state = self.state.compacted()
            self.events.append("compacted")
        elif event.fork is not None:
            self._fork(number, text_of(event.fork.user, number, "fork"), loc)
        else:
            self.inputs, said = changed(self.inputs, event, loc, self.layout.program)
            self.events.append(said)

    def _fork(self, number: int, text: str, loc: Loc) -> None:
        if not self.played:
            raise Misfit("there is nothing to fork from before the first request", loc)
        kept = list(self.messages), self.state, self.before
        self.messages.append(_said("user", text))
        self.events.append("side request")
        self._request(number, 0, loc, fork=True)
        self.messages, self.state, self.before = kept

    def _request(self, number: int, step: int, loc: Loc, fork: bool = False) -> None:
        """Assemble a request and send it."""
        try:
            request = self.layout.assemble(self.now, self.messages, self.state, self.model)
        except InputError as fault:
            raise Misfit(f"the inputs do not fit: {fault}", loc) from None
        seen, writer, rules = self._seen(request)
        outcome = simulate.step(seen, self.cache, rules)
        field = writer.marker.field if writer.marker is not None else ""
        sent = Sent(seen, outcome, unmarked(request, field))
        self.played.append(
            Played(
                number,
                step,
                fork,
                self.at,
                seen.model,
                tuple(self.events),
                outcome.best,
                outcome.certain,
                simulate.cost(outcome.best, rules, seen.model),
                simulate.cost(outcome.certain, rules, seen.model),
                left_by(self.before, rules) if self.before is not None else 0,
                loss_of(self.before, sent, self.cache, rules),
            )
        )
        self.events = []
        self.cache, self.state, self.before = outcome.state, request.state, sent

    def _seen(self, request: Request) -> tuple[CacheRequest, Provider, Provider]:
        """A request as the cache sees it, and the facts of the two providers."""
        body = json.loads(request.body)
        model = str(body.get("model") or request.model or self.model)
        writer, rules = self.layout.written_for(model), self.layout.rules(model)
        count = self.layout.count or partial(_count, model=model)
        # Where the address names the model, the body does not, and entries are kept apart by it all the same.
        if writer.format == rules.format:
            return replace(request_of(body, rules, count, self.at), model=model), writer, rules
        seen = request_of(body, writer, count, self.at, rules)
        return replace(translated(seen, rules), model=model), writer, rules


def translated(request: CacheRequest, rules: Provider) -> CacheRequest:
    """A request in the shape of one provider as another one would see it: its order of lanes, and its markers if any.

    Parameters keep their neutral names, so those that the other provider does not know do not count there.
    """
    order = rules.prefix_order.value
    blocks = [block for lane in order for block in request.blocks if block.lane == lane]
    if rules.marker is None:
        blocks = [replace(block, marked=False, ttl=None) for block in blocks]
    else:
        known = {entry.name for entry in rules.lifetimes}
        blocks = [block if block.ttl in known else replace(block, ttl=None) for block in blocks]
    return replace(request, blocks=tuple(blocks))


@lru_cache(maxsize=20_000)
def _count(text: str, model: str) -> TokenCount:
    """Most texts of a request were in the one before it."""
    return estimate_tokens(text, model)


def _said(role: str, text: str) -> Message:
    return {"role": role, "content": text}


def _tool_round(tools: ToolRound, number: int, step: int) -> tuple[Message, Message]:
    """Calls of the model, and the results that go back."""
    calls, results = [], []
    for call in range(1, tools.calls + 1):
        name = f"call_{number}_{step}_{call}"
        calls.append({"type": "tool_use", "id": name, "name": "look_up", "input": {"what": name}})
        text = text_of(tools.result, number, step, call, "result")
        results.append({"type": "tool_result", "tool_use_id": name, "content": text})
    return {"role": "assistant", "content": calls}, {"role": "user", "content": results}
