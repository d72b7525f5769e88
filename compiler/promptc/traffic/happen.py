"""What events do to the inputs of a conversation."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from math import ceil

from promptc.ir.model import Program
from promptc.syntax.yaml_plain import Loc
from promptc.traffic.scenario import Clock, Connect, Disconnect, Event
from promptc.types import Bool, Enum, Int, Optional, Text, Type

Inputs = Mapping[str, object]


class Misfit(Exception):
    """A scenario asks for something that the prompt cannot take.

    Args:
        reason: A message of a diagnostic.
        loc: The place in the scenario.
    """

    def __init__(self, reason: str, loc: Loc) -> None:
        super().__init__(reason)
        self.reason = reason
        self.loc = loc


def changed(inputs: Inputs, event: Event, loc: Loc, program: Program) -> tuple[Inputs, str]:
    """The inputs after an event that changes inputs, and what happened in words.

    Raises:
        Misfit: The prompt has no such input, or one of another kind.
    """
    if event.set is not None:
        for name in event.set:
            _type_of(program, name, (*loc, "set", name))
        return {**inputs, **event.set}, "set " + ", ".join(f"`{name}`" for name in event.set)
    if event.toggle is not None:
        name = event.toggle
        if not isinstance(_type_of(program, name, (*loc, "toggle")), Bool):
            raise Misfit(f"`{name}` is no bool, and cannot be toggled", (*loc, "toggle"))
        now = not value_of(inputs, name, program)
        return {**inputs, name: now}, f"`{name}` is {'on' if now else 'off'}"
    if event.connect is not None:
        return _connect(inputs, event.connect, (*loc, "connect"), program)
    if event.disconnect is not None:
        return _disconnect(inputs, event.disconnect, (*loc, "disconnect"), program)
    raise AssertionError(event.kind)


def _connect(inputs: Inputs, event: Connect, loc: Loc, program: Program) -> tuple[Inputs, str]:
    items = _list_of(inputs, event.input, loc, program)
    return {**inputs, event.input: [*items, *event.items]}, f"{len(event.items)} more in `{event.input}`"


def _disconnect(inputs: Inputs, event: Disconnect, loc: Loc, program: Program) -> tuple[Inputs, str]:
    items = _list_of(inputs, event.input, loc, program)
    kept = [
        item
        for item in items
        if not (isinstance(item, Mapping) and all(item.get(k) == v for k, v in event.where.items()))
    ]
    if len(kept) == len(items):
        raise Misfit(f"nothing in `{event.input}` is like that, so nothing can go", (*loc, "where"))
    return {**inputs, event.input: kept}, f"{len(items) - len(kept)} less in `{event.input}`"


def _list_of(inputs: Inputs, name: str, loc: Loc, program: Program) -> list[object]:
    _type_of(program, name, (*loc, "input"))
    value = value_of(inputs, name, program)
    if value is None:
        return []
    if not isinstance(value, list | tuple):
        raise Misfit(f"`{name}` is no list", (*loc, "input"))
    return list(value)


def told_time(inputs: Inputs, clock: Clock, at: int, program: Program) -> Inputs:
    """The inputs with the date and the time that it is.

    Args:
        at: Seconds since the start of the clock.
    """
    now = clock.start + timedelta(seconds=at)
    out = dict(inputs)
    for key, name, text in (("date", clock.date, now.date()), ("time", clock.time, now.time())):
        if name is not None:
            if not isinstance(_type_of(program, name, ("clock", key)), Text):
                raise Misfit(f"`{name}` is no text, and cannot hold a {key}", ("clock", key))
            out[name] = text.isoformat() if key == "date" else now.strftime("%H:%M:%S")
    return out


def midnight_after(start: datetime, at: int) -> int:
    """Seconds since the start of a clock at which the day after a moment begins."""
    now = start + timedelta(seconds=at)
    day = datetime(now.year, now.month, now.day) + timedelta(days=1)
    return ceil((day - start).total_seconds())


def varied(inputs: Inputs, names: tuple[str, ...], turn: int, program: Program) -> Inputs:
    """The inputs with another value for each of some names in every turn; the first turn has those it was given."""
    out = dict(inputs)
    for index, name in enumerate(names):
        loc = ("vary", index)
        kind = _type_of(program, name, loc)
        value = value_of(inputs, name, program)
        if turn == 1 or value is None:
            continue
        match kind:
            case Bool():
                out[name] = bool(value) != (turn % 2 == 0)
            case Enum():
                out[name] = kind.members[(kind.members.index(str(value)) + turn - 1) % len(kind.members)]
            case Int() if isinstance(value, int):
                out[name] = value + turn - 1
            case Text():
                out[name] = f"{value} ({turn})"
            case _:
                raise Misfit(f"`{name}` is no text, number, bool or choice, and promptc cannot vary it", loc)
    return out


def varying(program: Program, inputs: Inputs) -> tuple[str, ...]:
    """The texts and numbers that may change in every turn by the spec's own word, where the sample has a value."""
    return tuple(
        declared.name
        for declared in program.inputs
        if declared.cls == program.classes[-1]
        and isinstance(_bare(declared.type), Text)
        and value_of(inputs, declared.name, program) is not None
    )


def value_of(inputs: Inputs, name: str, program: Program) -> object:
    """The value of an input, its default where none is given."""
    if name in inputs:
        return inputs[name]
    return next(declared.default for declared in program.inputs if declared.name == name)


def _type_of(program: Program, name: str, loc: Loc) -> Type:
    found = next((declared.type for declared in program.inputs if declared.name == name), None)
    if found is None:
        known = ", ".join(f"`{declared.name}`" for declared in program.inputs) or "none"
        raise Misfit(f"`{name}` is no input that `{program.name}` reads; those are {known}", loc)
    return _bare(found)


def _bare(kind: Type) -> Type:
    return kind.item if isinstance(kind, Optional) else kind
