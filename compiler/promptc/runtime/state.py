"""What a conversation carries from one request to the next: a plain value that can be stored and read back."""

import json
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

from promptc.runtime.errors import InputError
from promptc.runtime.json_text import as_given

STATE_FORMAT = "promptc.state/1"


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
        anchor: Number of messages when it was written; it stands at the end of the last one of them.
        sections: Names of the sections in it.
        text: The whole block.
    """

    anchor: int
    sections: tuple[str, ...]
    text: str


@dataclass(frozen=True, slots=True)
class State:
    """The state of one conversation; the default is that of a conversation that has not begun.

    Attributes:
        program: Digest of the program that wrote it.
        sent: Section and last sent text of every section that is delivered as differences and present.
        frozen: Section, key and text of every frozen section, in the order of first use.
        log: Every block that was appended, oldest first; replayed at the same places in every later request.
    """

    program: str = ""
    sent: tuple[tuple[str, str], ...] = ()
    frozen: tuple[tuple[str, str | None, str], ...] = ()
    log: tuple[Logged, ...] = ()

    def to_json(self) -> str:
        """The state as one line of JSON."""
        return as_given(
            {
                "format": STATE_FORMAT,
                "program": self.program,
                "sent": self.sent,
                "frozen": self.frozen,
                "log": self.log,
            }
        )

    @staticmethod
    def from_json(text: str | bytes) -> "State":
        """Read what `to_json` wrote.

        Raises:
            InputError: It is not the text of a state, or of one in another format.
        """
        try:
            value: Any = json.loads(text)
            if value["format"] != STATE_FORMAT:
                raise InputError("state", f"is not of the format {STATE_FORMAT}")
            return State(
                value["program"],
                tuple((_text(name), _text(sent)) for name, sent in value["sent"]),
                tuple((_text(name), None if key is None else _text(key), _text(x)) for name, key, x in value["frozen"]),
                tuple(Logged(_count(a), tuple(_text(s) for s in names), _text(x)) for a, names, x in value["log"]),
            )
        except (ValueError, KeyError, TypeError, RecursionError) as error:
            if isinstance(error, InputError):
                raise
            raise InputError("state", "has not the form of a state") from None

    def compacted(self) -> "State":
        """The state after the conversation was replaced by a summary: what was appended is gone with its messages.

        Sections that are delivered as differences are written in full again; frozen texts stay.
        """
        return State(self.program, (), self.frozen, ())


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError
    value.encode()  # JSON can spell a lone surrogate; UTF-8 cannot
    return value


def _count(value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or value < 1:
        raise TypeError
    return value


class Work:
    """The state while one request is built, and the decisions taken on the way."""

    __slots__ = ("decisions", "frozen", "log", "program", "sent")

    def __init__(self, state: State, program: str, deltas: Collection[str], frozen: Collection[str]) -> None:
        self.program = program
        self.decisions: list[Decision] = []
        if state.program not in ("", program):
            self.decisions.append(Decision("state-of-other-program", "", "the program changed within the conversation"))
        self.sent = {name: text for name, text in state.sent if name in deltas}
        self.frozen = {(name, key): text for name, key, text in state.frozen if name in frozen}
        self.log = list(state.log)

    def freeze(self, name: str, key: str | None, text: str) -> str:
        """Record the first rendering of a frozen section and return it."""
        self.frozen[name, key] = text
        return text

    def change(self, name: str, first: str | None) -> Literal["first", "changed", "gone", "same"]:
        """What happened to a section that is delivered as differences; None: it is not there now."""
        known = self.sent.get(name)
        if first is None:
            if known is None:
                return "same"
            del self.sent[name]
            return "gone"
        self.sent[name] = first
        if known is None:
            return "first"
        return "same" if known == first else "changed"

    def state(self) -> State:
        """The state for the next request."""
        return State(
            self.program,
            tuple(sorted(self.sent.items())),
            tuple([(name, key, text) for (name, key), text in self.frozen.items()]),
            tuple(self.log),
        )
