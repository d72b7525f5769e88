"""Opens a recording: unpacks it, tells its format, and gives its requests one at a time in one neutral form."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import chain
from typing import BinaryIO

from promptc.diagnostics.model import Diagnostic
from promptc.streams.detect import detect_format
from promptc.streams.json_decode import decode_json
from promptc.streams.json_value import JsonObject, JsonValue
from promptc.streams.sources import mitmproxy
from promptc.streams.sources.bodies import is_bare
from promptc.streams.sources.formats import BODIES, DUMP, FORMATS, JSON_FORMATS
from promptc.streams.sources.members import is_messages
from promptc.streams.sources.model import Capture, Part, Record, SourceFormat, Where
from promptc.streams.sources.opened import Opened, open_bytes
from promptc.streams.sources.records import Limits, NotJson, decoded, reason_of, records
from promptc.streams.sources.secrets import address, without_secrets
from promptc.streams.sources.sessions import named, session_in_body
from promptc.streams.sources.tally import Tally

# Records looked at to tell the format; sessions of agents begin with records that say little.
_TRIED_RECORDS = 40
# Of the formats that record any traffic, what is no request to a model is no fault.
_OF_ANY_TRAFFIC = ("har", "mitmproxy", "otel-gen-ai")
# Requests of a known shape that no prompt cache serves.
_NOT_PROMPTS = ("/embeddings", "/moderations", "/rerank", ":embedContent", ":batchEmbedContents")


@dataclass
class Recording:
    """A recording that is open; its requests can be taken once.

    Attributes:
        name: Name of the recording, for reports.
        format: How it was recorded.
        packing: What it was packed in, outermost first.
        bare: Whether it is one JSON file of bodies with no record around them.
        tally: What became of its records; complete once all requests were taken.
    """

    name: str
    format: SourceFormat
    packing: tuple[str, ...]
    bare: bool
    tally: Tally
    _opened: Opened = field(repr=False)
    _parts: Iterator[Part] = field(repr=False)

    def __iter__(self) -> Iterator[Capture]:
        for part in self._parts:
            capture = capture_of(part, self.format, self.tally)
            if capture is not None:
                yield capture
        if self.tally.cut is None:
            self.tally.cut = self._opened.cut

    @property
    def cut(self) -> str | None:
        """Why what it was packed in ended before its end; None where it did not."""
        return self._opened.cut

    @property
    def title(self) -> str:
        """What it is, for people."""
        return ", ".join([self.format.title, *self.packing])

    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """What there is to say once all requests were taken; a recording without one is an error.

        Diagnostics:
            PC850, PC851, PC853, PC854, PC857.
        """
        found = self.tally.diagnostics(self.name)
        if self.tally.requests:
            return found
        return (*found, without_requests(self.name, self.title, self.tally))


class LineCaptures:
    """Reads the records of a log one line at a time, for formats whose records stand for themselves.

    Attributes:
        tally: What became of them.
    """

    def __init__(self, format: SourceFormat, tally: Tally) -> None:
        self._format = format
        self.tally = tally

    def take(self, line: bytes, where: Where) -> list[Capture]:
        """The requests of a line; what cannot be read is counted.

        Args:
            line: Its bytes, without blanks around them.
            where: Its place.
        """
        found = [
            capture_of(part, self._format, self.tally) for part in self._format.read(decoded(line, where, self.tally))
        ]
        return [capture for capture in found if capture is not None]


def capture_of(part: Part, format: SourceFormat, tally: Tally) -> Capture | None:
    """A part of a recording as a request in the neutral form; None for what is none, which is counted."""
    body, reason = _body(part)
    if body is None:
        if reason is None or format.name in _OF_ANY_TRAFFIC:
            tally.without += 1
        else:
            tally.unknown.add(part.where, reason)
        return None
    endpoint = address(part.endpoint)
    if endpoint is not None and endpoint.endswith(_NOT_PROMPTS):
        tally.without += 1
        return None
    tally.requests += 1
    return Capture(
        index=tally.requests,
        at=named(part.at),
        endpoint=endpoint,
        body=without_secrets(body),
        usage=part.usage,
        session=named(part.session) or session_in_body(body),
        where=part.where,
    )


def open_recording(
    raw: BinaryIO, name: str, format: str | None = None, limits: Limits | None = None
) -> tuple[Recording | None, tuple[Diagnostic, ...]]:
    """Open a recording and tell its format.

    Args:
        raw: The file at its start; it need not be seekable, and is read as its requests are taken.
        name: Its name, for reports.
        format: Name of the format to read it as; None to find out.
        limits: Bounds of memory.

    Returns:
        The recording, None where its format is not known; and what was found on the way.

    Diagnostics:
        PC852 unknown format, PC855 packed with zstd without its reader.
    """
    bounds = limits or Limits()
    opened, found = open_bytes(raw, name)
    if opened is None:
        return None, found
    tally = Tally()
    if mitmproxy.is_dump(opened.stream.peek(64)[:64]) if format is None else format == DUMP.name:
        parts = mitmproxy.parts(opened.stream, tally, bounds.record)
        return Recording(name, DUMP, opened.packing, False, tally, opened, parts), ()
    source = records(opened.stream, tally, bounds)
    try:
        first, chosen = _first_records(source, format)
    except NotJson as fault:
        return None, (_unknown(name, f"it is neither JSON nor lines of JSON: {fault.reason}"),)
    if chosen is None:
        cut = opened.cut or tally.cut
        why = f"it ends before its end: {cut}" if cut else _why(first)
        return None, (_unknown(name, why),)
    bare = chosen is BODIES and all(record.where.line is None and is_bare(record.value) for record in first)
    parts = chosen.read(chain(first, source))
    return Recording(name, chosen, opened.packing, bare, tally, opened, parts), ()


def _first_records(source: Iterator[Record], wanted: str | None) -> tuple[list[Record], SourceFormat | None]:
    """The first records, and the format that one of them fits: the earliest record decides."""
    first: list[Record] = []
    named_format = next((known for known in FORMATS if known.name == wanted), None)
    for record in source:
        first.append(record)
        found = named_format or next((known for known in JSON_FORMATS if known.matches(record.value)), None)
        if found is not None or len(first) == _TRIED_RECORDS:
            return first, found
    return first, None


def _body(part: Part) -> tuple[JsonObject | None, str | None]:
    """The body of a part, or why it is none; without a reason where there is simply nothing."""
    value: JsonValue = part.body
    if isinstance(value, str):
        if value.lstrip()[:1] not in ("{", "["):
            return None, "the body is no JSON" if value else None
        value, found = decode_json(value.encode("utf-8", "surrogatepass"), "record")
        if value is None:
            return None, f"the body is {reason_of(found)}"
    if is_messages(value):
        value = (("messages", value),)
    if not isinstance(value, tuple):
        return None, None if value is None else "the body is no object"
    return (
        (value, None)
        if detect_format(value) is not None
        else (None, "the body has no `messages`, `contents` or `input`")
    )


def _why(first: list[Record]) -> str:
    if not first:
        return "it holds no JSON object"
    value = first[0].value
    if not isinstance(value, tuple):
        return "its records are no objects"
    keys = ", ".join(f"`{key}`" for key, _ in value[:6])
    return f"the first record has the members {keys}" if keys else "the first record has no members"


def _unknown(name: str, why: str) -> Diagnostic:
    titles = ", ".join(known.title for known in FORMATS)
    return Diagnostic(
        "PC852",
        f"`{name}` is a recording of no format that promptc knows",
        None,
        notes=(why, f"known are {titles}"),
        help="see docs/captures.md for how each of them is recorded",
    )


def without_requests(name: str, title: str, tally: Tally) -> Diagnostic:
    """What to say of a recording without a request (PC853)."""
    return Diagnostic(
        "PC853",
        f"no request was found in `{name}`",
        None,
        notes=(f"it was read as {title}; records: {tally.records:,}", "a check that had nothing to look at fails"),
    )
