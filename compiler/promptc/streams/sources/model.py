"""A captured request, whatever recorded it, and what a format of recordings is."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TypeAlias

from promptc.streams.json_value import JsonObject, JsonValue


@dataclass(frozen=True, slots=True)
class Where:
    """A place in a recording.

    Attributes:
        line: Line of a file of lines, from 1; None in a file that is one JSON value.
        pointer: JSON pointer in that line or file.
    """

    line: int | None
    pointer: str = ""

    def __str__(self) -> str:
        parts = [] if self.line is None else [f"line {self.line}"]
        return " ".join([*parts, self.pointer] if self.pointer or not parts else parts) or "/"


@dataclass(frozen=True, slots=True)
class Record:
    """One value of a recording, before anything is made of it."""

    value: JsonValue
    where: Where


@dataclass(frozen=True, slots=True)
class Part:
    """A request that a format found in a record.

    Attributes:
        body: As sent; text that holds JSON is decoded later.
        where: Its place.
        at: When it was sent, as the recording spells it.
        endpoint: Where it went; the query is taken away later, for it may hold a key.
        usage: What the provider counted.
        session: Key of the session, where the recording has one.
    """

    body: JsonValue
    where: Where
    at: JsonValue = None
    endpoint: JsonValue = None
    usage: JsonValue = None
    session: JsonValue = None


@dataclass(frozen=True, slots=True)
class Capture:
    """One request of a recording. Headers are never part of it, nor members of the body that hold keys.

    Attributes:
        index: Its number in the recording, from 1.
        at: When it was sent, as the recording spells it.
        endpoint: Where it went, without user, query and fragment.
        body: The body as sent.
        usage: What the provider counted, as recorded.
        session: Key of its session; None where the recording has none.
        where: Its place in the recording.
    """

    index: int
    at: str | None
    endpoint: str | None
    body: JsonObject
    usage: JsonValue
    session: str | None
    where: Where


@dataclass(frozen=True, slots=True)
class SourceFormat:
    """One way of recording requests.

    Attributes:
        name: Stable name, for programs.
        title: What people call it.
        matches: Whether a record is one of this format.
        read: The requests of a series of records.
        loses: What such a recording does not have of a request; None where it has all of it.
    """

    name: str
    title: str
    matches: Callable[[JsonValue], bool]
    read: Callable[[Iterator[Record]], Iterator[Part]]
    loses: str | None = None


Members: TypeAlias = Callable[[JsonValue, Where], Iterator[Part]]


def each(read: Members) -> Callable[[Iterator[Record]], Iterator[Part]]:
    """The reader of a format whose records have nothing to do with each other; one without a request gives no body."""

    def read_all(records: Iterator[Record]) -> Iterator[Part]:
        for record in records:
            found = False
            for part in read(record.value, record.where):
                found = True
                yield part
            if not found:
                yield Part(None, record.where)

    return read_all


def below(where: Where, pointer: str) -> Where:
    """A place inside another one."""
    return Where(where.line, where.pointer + pointer)
