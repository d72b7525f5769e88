"""What is carried from one request of a conversation to the next, as the reference interpreter sees it."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from promptc.ir.dump import program_digest
from promptc.ir.model import Program, Section
from promptc.runtime.errors import InputError

FORMAT = "promptc.state/1"


class Decision(NamedTuple):
    """Something that was done differently from what the spec asks.

    Attributes:
        kind: `state-of-other-program`, `log-dropped`, `marker-removed`, `preamble-withheld`, `tail-withheld` or
            `marker-withheld`.
        section: The section that it concerns; empty for none in particular.
        detail: Why.
    """

    kind: str
    section: str
    detail: str


class Logged(NamedTuple):
    """A block that was appended to the conversation.

    Attributes:
        anchor: Number of messages in the conversation when it was written; it stands in the last one of them.
        sections: Names of the sections in it.
        text: The whole block.
    """

    anchor: int
    sections: tuple[str, ...]
    text: str


@dataclass(slots=True)
class StateView:
    """The state while a request is being built.

    Attributes:
        sent: Last `first` text of every delta section that the model knows to be present.
        frozen: Text of every frozen section by section and key, in the order of first use.
        log: Blocks appended so far, oldest first.
    """

    program: str
    sent: dict[str, str] = field(default_factory=dict)
    frozen: dict[tuple[str, str | None], str] = field(default_factory=dict)
    log: list[Logged] = field(default_factory=list)
    decisions: list[Decision] = field(default_factory=list)

    def to_value(self) -> dict[str, object]:
        """The JSON form."""
        return {
            "format": FORMAT,
            "program": self.program,
            "sent": [[name, text] for name, text in sorted(self.sent.items())],
            "frozen": [[name, key, text] for (name, key), text in self.frozen.items()],
            "log": [[anchor, list(sections), text] for anchor, sections, text in self.log],
        }


def placed_sections(program: Program) -> tuple[Section, ...]:
    """Every section of a program, in the order of the request."""
    lanes = [*(block.sections for block in program.system)]
    lanes += [lane.sections for lane in (program.preamble, program.tail) if lane is not None]
    return tuple(section for sections in lanes for section in sections)


def read_state(program: Program, state: Mapping[str, Any] | None) -> StateView:
    """The state of a conversation; sections that the program no longer has are forgotten, sent blocks are not.

    Raises:
        InputError: It has not the form of a state.
    """
    view = StateView(program_digest(program))
    if state is None:
        return view
    try:
        return _read(program, state, view)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        if isinstance(error, InputError):
            raise
        raise InputError("state", "has not the form of a state") from None


def _read(program: Program, state: Mapping[str, Any], view: StateView) -> StateView:
    if state["format"] != FORMAT:
        raise InputError("state", f"is not of the format {FORMAT}")
    if state["program"] not in ("", view.program):
        view.decisions.append(Decision("state-of-other-program", "", "the program changed within the conversation"))
    delivery = {section.name: section.deliver for section in placed_sections(program)}
    view.sent = {name: text for name, text in state["sent"] if delivery.get(name) == "delta"}
    view.frozen = {(name, key): text for name, key, text in state["frozen"] if delivery.get(name) == "frozen"}
    view.log = [Logged(anchor, tuple(sections), text) for anchor, sections, text in state["log"]]
    if any(type(entry.anchor) is not int or entry.anchor < 1 for entry in view.log):
        raise InputError("state", "has not the form of a state")
    json.dumps(view.to_value(), ensure_ascii=False).encode()
    return view
