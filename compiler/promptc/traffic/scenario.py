"""The model of a scenario: what a user, the tools and the world do to one conversation, and when."""

import re
from datetime import datetime
from typing import Annotated, Literal, TypeAlias

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, model_validator

FORMAT: Literal["promptc.scenario/1"] = "promptc.scenario/1"
# Every request carries the whole conversation, so the work grows with the square of these.
MAX_TURNS = 500
MAX_REQUESTS = 1_000
MAX_WORDS = 50_000
_MAX_GAP = 366 * 86_400

_UNITS = {"s": 1, "m": 60, "h": 3_600, "d": 86_400}
_DURATION = re.compile(r"([0-9]{1,8})(s|m|h|d)")


class _Closed(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


class Words(_Closed):
    """A text that is made up: so many words, the same ones every time and others at every place.

    Attributes:
        words: How many.
    """

    words: int


def duration(value: object) -> int:
    """Seconds of `90s`, `4m`, `2h`, `1d` or a whole number of seconds.

    Raises:
        ValueError: It is none of these.
    """
    seconds = -1
    if isinstance(value, int) and not isinstance(value, bool):
        seconds = value
    elif isinstance(value, str) and (found := _DURATION.fullmatch(value)):
        seconds = int(found[1]) * _UNITS[found[2]]
    if not 0 <= seconds <= _MAX_GAP:
        raise ValueError("expected a time of at most a year, such as `90s`, `4m` or `2h`")
    return seconds


def _text(value: object) -> object:
    if isinstance(value, str):
        if not value.strip():
            raise ValueError("the text is empty")
        return value
    if isinstance(value, Words):
        return value
    words = value.get("words") if isinstance(value, dict) and len(value) == 1 else None
    if isinstance(words, int) and not isinstance(words, bool):
        if not 1 <= words <= MAX_WORDS:
            raise ValueError(f"a text is made up of 1 to {MAX_WORDS:,} words")
        return Words(words=words)
    raise ValueError("expected a text, or `words` and a number")


def _moment(value: object) -> object:
    if isinstance(value, str):
        try:
            moment = datetime.fromisoformat(value)
        except ValueError:
            moment = None
        if moment is not None and moment.tzinfo is None and moment.year < 9_000:
            return moment
    raise ValueError('expected a date and a time such as "2026-03-01T23:50"')


Text: TypeAlias = Annotated[str | Words, BeforeValidator(_text)]
Duration: TypeAlias = Annotated[int, BeforeValidator(duration)]


class ToolRound(_Closed):
    """The model calls tools, and the results go back in one more request.

    Attributes:
        calls: Calls in this round.
        result: What each of them gives.
        wait: From the start of the request before to the start of the one with the results.
    """

    calls: int = Field(default=1, ge=1, le=100)
    result: Text = Words(words=60)
    wait: Duration = 5


class Connect(_Closed):
    """A server connects: its tools are added at the end of a list input."""

    input: str
    items: tuple[dict[str, object], ...] = Field(min_length=1, strict=False)


class Disconnect(_Closed):
    """A server is gone: the items of a list input that have all of these values are removed."""

    input: str
    where: dict[str, object] = Field(min_length=1)


class Compact(_Closed):
    """The conversation so far is replaced by a summary."""

    summary: Text = Words(words=200)


class Fork(_Closed):
    """A side request with the conversation so far and one more message; it leaves no trace in the conversation."""

    user: Text = Words(words=40)


class Event(_Closed):
    """Something that happens between two turns; exactly one of these.

    Attributes:
        set: New values of inputs.
        toggle: A bool input that changes over.
        connect, disconnect: Items of a list input come and go.
        midnight: The turn waits until the clock has passed midnight.
        compact: The conversation is replaced by a summary.
        resume: The state is written as JSON and read back, as when a process ends.
        fork: A side request from the same prefix.
        model: Another model, for a prompt that does not name one itself.
    """

    set: dict[str, object] | None = None
    toggle: str | None = None
    connect: Connect | None = None
    disconnect: Disconnect | None = None
    midnight: Literal[True] | None = None
    compact: Compact | None = None
    resume: Literal[True] | None = None
    fork: Fork | None = None
    model: str | None = None

    @model_validator(mode="after")
    def _one(self) -> "Event":
        if len(self.model_fields_set) != 1:
            raise ValueError(f"an event is exactly one of {', '.join(type(self).model_fields)}")
        if getattr(self, self.kind) is None:
            raise ValueError(f"`{self.kind}` has no value")
        return self

    @property
    def kind(self) -> str:
        """Which of the events it is."""
        return next(iter(self.model_fields_set))


class Turn(_Closed):
    """One message from the user and everything until the model has answered it.

    Attributes:
        gap: From the start of the last request to the start of this turn's first; None for the scenario's own.
        before: Events in the gap, in order.
        user: What the user says.
        tools: Rounds of tool calls before the answer.
        answer: What the model answers.
        repeat: How many turns like this one there are; the events happen in the gap of the first.
    """

    gap: Duration | None = None
    before: tuple[Event, ...] = Field(default=(), strict=False)
    user: Text = Words(words=40)
    tools: tuple[ToolRound, ...] = Field(default=(), strict=False)
    answer: Text = Words(words=120)
    repeat: int = Field(default=1, ge=1, le=MAX_TURNS)


class Clock(_Closed):
    """What time it is, for inputs that hold the date or the time.

    Attributes:
        start: When the first request starts; local, without a time zone.
        date: Text input that holds the date, as `2026-03-01`.
        time: Text input that holds the time, as `23:50:00`.
    """

    start: Annotated[datetime, BeforeValidator(_moment)]
    date: str | None = None
    time: str | None = None


class Scenario(_Closed):
    """A conversation to play.

    Attributes:
        format: `promptc.scenario/1`.
        sample: The sample of the spec that it starts from; None for the first.
        inputs: Inputs over those of the sample.
        model: Model, for a prompt that does not name one.
        gap: Time from a turn's last request to the next turn's first, where the turn does not say.
        clock: What time it is.
        vary: Inputs that have another value in every turn.
        turns: In order.
    """

    format: Literal["promptc.scenario/1"] = FORMAT
    sample: str | None = None
    inputs: dict[str, object] = Field(default_factory=dict)
    model: str | None = None
    gap: Duration = 90
    clock: Clock | None = None
    vary: tuple[str, ...] = Field(default=(), strict=False)
    turns: tuple[Turn, ...] = Field(min_length=1, max_length=MAX_TURNS, strict=False)

    @model_validator(mode="after")
    def _bounded(self) -> "Scenario":
        requests = sum(
            turn.repeat * (1 + len(turn.tools)) + sum(event.kind == "fork" for event in turn.before)
            for turn in self.turns
        )
        if requests > MAX_REQUESTS:
            raise ValueError(f"the scenario has {requests:,} requests, at most {MAX_REQUESTS:,} are played")
        return self


def plain_scenario(turns: int = 8, gap: int = 90, vary: tuple[str, ...] = ()) -> Scenario:
    """A scenario without events: questions and answers at an even pace."""
    return Scenario(gap=gap, vary=vary, turns=(Turn(repeat=turns),))
