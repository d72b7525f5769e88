"""Find cache markers in one block, and markers of other formats anywhere in a body."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from promptc.providers.model import Lane, Marker
from promptc.providers.wire.view import Block, Json, Mark, Turn, View, escaped

# What a model or a schema wrote is data of the application: a key of that name inside is no marker.
OPAQUE = frozenset({"input", "arguments", "input_schema", "parameters", "json", "args", "response", "inputSchema"})


def marks_of(raw: Json, pointer: str, lane: Lane, kind: str, marker: Marker | None) -> Iterator[Mark]:
    """The marker on a block itself, then those on parts inside it, in order of appearance."""
    if marker is None or not isinstance(raw, Mapping):
        return
    nested = list(_nested(raw, pointer, lane, marker.field, last=True))
    yield from nested
    if marker.field in raw and raw[marker.field] is not None:
        yield Mark(pointer, f"{pointer}/{escaped(marker.field)}", raw[marker.field], lane, kind)


def _nested(raw: Mapping[str, Json], pointer: str, lane: Lane, field: str, last: bool) -> Iterator[Mark]:
    for key, value in raw.items():
        if key in OPAQUE or key == field:
            continue
        # Only the content of a block hands its last marker on to the block; every other part just holds one.
        carries = last and key in ("content", "source", "output")
        here = f"{pointer}/{escaped(key)}"
        items = enumerate(value) if isinstance(value, list) else ()
        if isinstance(value, Mapping):
            yield from _within(value, here, lane, field, carries)
        for index, item in items:
            if isinstance(item, Mapping):
                yield from _within(item, f"{here}/{index}", lane, field, carries and index == len(value) - 1)


def _within(raw: Mapping[str, Json], pointer: str, lane: Lane, field: str, last: bool) -> Iterator[Mark]:
    yield from _nested(raw, pointer, lane, field, last)
    if raw.get(field) is not None:
        kind = raw.get("type")
        yield Mark(
            pointer, f"{pointer}/{field}", raw[field], lane, kind if isinstance(kind, str) else "part", True, last
        )


def foreign_marks(body: Mapping[str, Json], own: str | None, fields: frozenset[str]) -> Iterator[tuple[str, str]]:
    """Pointers of marker fields that are not this format's, with their names, in order of appearance."""
    yield from _foreign(body, "", fields - {own} if own else fields)


def _foreign(value: Json, pointer: str, fields: frozenset[str]) -> Iterator[tuple[str, str]]:
    if isinstance(value, Mapping):
        for key, item in value.items():
            here = f"{pointer}/{escaped(key)}"
            if key in fields:
                yield here, key
            elif key not in OPAQUE:
                yield from _foreign(item, here, fields)
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from _foreign(item, f"{pointer}/{index}", fields)


class Collector:
    """Makes blocks and keeps the markers met on the way, in cache order of the reading."""

    def __init__(self, marker: Marker | None) -> None:
        self.marker = marker
        self.marks: list[Mark] = []

    def block(
        self, raw: Json, pointer: str, lane: Lane, role: str, kind: str, text: str | None = None, text_at: str = ""
    ) -> Block:
        """One block with its marker."""
        found = tuple(marks_of(raw, pointer, lane, kind, self.marker))
        self.marks.extend(found)
        own = next((mark for mark in found if not mark.nested), None)
        return Block(pointer, lane, kind, role, raw, text, text_at if text is not None else "", own)

    def separate(self, raw: Json, pointer: str, lane: Lane, kind: str) -> None:
        """A marker that is a block of its own; `kind` is the type of the block before it."""
        self.marks.append(Mark(pointer, pointer, raw, lane, kind))

    def view(self, body: Mapping[str, Json], model: str, parts: "Parts", fields: frozenset[str]) -> View:
        """The finished view."""
        own = self.marker.field if self.marker else None
        request_mark = None
        if own is not None and body.get(own) is not None:
            request_mark = Mark(f"/{own}", f"/{own}", body[own], "messages", "request")
        foreign = tuple(foreign_marks(body, own, fields))
        return View(body, model, parts.tools, parts.system, parts.turns, tuple(self.marks), request_mark, foreign)


@dataclass(frozen=True, slots=True)
class Parts:
    """The three sources of blocks in a body."""

    tools: tuple[Block, ...]
    system: tuple[Block, ...]
    turns: tuple[Turn, ...]
