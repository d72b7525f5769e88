"""One log of an audit: its lines as fast as they can be read, any other recording by way of its reader."""

import io
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from hashlib import blake2b
from importlib.util import find_spec
from pathlib import Path
from typing import BinaryIO

from promptc.audit.bodies import Reader, body_reader
from promptc.audit.captured import Knowledge, facts_of
from promptc.audit.facts import Facts, Place
from promptc.audit.judge import Judge, redacted_key, time_of
from promptc.audit.lines import LineReader
from promptc.audit.store import StateProblem, Store
from promptc.diagnostics.model import Diagnostic
from promptc.streams.json_decode import decode_json
from promptc.streams.json_value import JsonObject, encode
from promptc.streams.model import PrefixStream
from promptc.streams.sources.formats import FORMATS
from promptc.streams.sources.model import Capture, SourceFormat, Where
from promptc.streams.sources.opened import Opened, joined, open_bytes
from promptc.streams.sources.read import LineCaptures, Recording, open_recording, without_requests
from promptc.streams.sources.records import Limits
from promptc.streams.sources.tally import Tally

# Formats whose records are lines that stand for themselves, so that a line can be read again at its place.
_BY_LINES = ("bodies", "claude-tap", "helicone", "litellm", "openpipe", "langfuse", "otel-gen-ai")
_IN_PARTS = ("bodies", "claude-tap")
_BLANK = b" \t\r\n"
_BUFFER = 8 * 1024 * 1024
_HEAD = 32 * 1024 * 1024
_SAMPLE = 64 * 1024
# So much is read between two points that the work can go on from.
_COMMIT_BYTES = 1024 * 1024 * 1024
_TOLD_BYTES = 16 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Work:
    """What every log of an audit is read with; see `audit.run`."""

    store: Store
    judge: Judge
    known: Knowledge
    fast: bool
    since: str | None
    until: str | None
    told: Callable[[str, int, int | None], None]
    stopping: Callable[[], bool]

    def counts(self, at: str | None) -> bool:
        """Whether a request of a time is asked for."""
        if self.since is None and self.until is None:
            return True
        moment = time_of(at)
        if moment is None:
            return False
        early = self.since is not None and moment[: len(self.since)] < self.since
        return not early and (self.until is None or moment[: len(self.until)] < self.until)


class Log:
    """One log.

    Attributes:
        problems: What there is to say about it.
    """

    def __init__(self, work: Work, input: int, path: Path) -> None:
        self.problems: tuple[Diagnostic, ...] = ()
        self._work = work
        self._input = input
        self._path = path
        self._piped = str(path) == "-"
        self._name = "stdin" if self._piped else path.name
        self._tally = Tally()
        self._lines = 0
        self._offset = 0
        self._saved = (0, 0, 0, 0)

    def by_lines(self) -> tuple[int, Path, str] | None:
        """Number, path and format of a log whose lines can be read again at their places; None for any other."""
        if self._piped:
            return None
        known = self._work.store.input(self._input)
        if known is not None:
            return (self._input, self._path, known[0]) if known[0] in _BY_LINES and known[2] >= 0 else None
        with self._path.open("rb") as raw:
            opened, _ = open_bytes(raw, self._name)
            if opened is None or opened.packing:
                return None
            recording, _ = open_recording(io.BytesIO(opened.stream.read(_HEAD)), self._name)
            if recording is None or recording.format.name not in _BY_LINES:
                return None
            first = next(iter(recording), None)
        return (self._input, self._path, recording.format.name) if first is not None and first.where.line else None

    def read(self) -> bool:
        """Read what is not read yet; False where the user stopped it."""
        known = self._work.store.input(self._input)
        if known is not None and not self._piped:
            return self._go_on(*known)
        with sys.stdin.buffer if self._piped else self._path.open("rb") as raw:
            opened, self.problems = open_bytes(raw, self._name)
            if opened is None:
                return True
            head = opened.stream.read(_HEAD)
            recording, found = open_recording(io.BytesIO(head), self._name)
            if recording is not None:
                first = next(iter(recording), None)
                if recording.format.name in _BY_LINES and first is not None and first.where.line is not None:
                    return self._read_by_lines(recording.format, opened, head)
            elif len(head) < _HEAD:
                self.problems = found
                return True
            return self._read_recording(joined(head, opened.stream), opened.packing)

    def _read_by_lines(self, format: SourceFormat, opened: Opened, head: bytes) -> bool:
        if self._piped or opened.packing:
            ended = self._read_lines(joined(head, opened.stream), format, None)
            self._tally.cut = self._tally.cut or opened.cut
            return self._finish(format, ended, None)
        return self._go_on_lines(format, 0)

    def _go_on(self, format: str, identity: str, offset: int, lines: int, requests: int) -> bool:
        """Go on with a log that the state knows."""
        if identity != self._identity(offset):
            raise StateProblem(f"`{self._name}` is not the log that it is of, or was changed in what was read of it")
        self._lines, self._tally.requests = lines, requests
        chosen = next(known for known in FORMATS if known.name == format)
        if chosen.name not in _BY_LINES or offset < 0:
            return True
        return self._go_on_lines(chosen, offset)

    def _go_on_lines(self, format: SourceFormat, offset: int) -> bool:
        self._work.judge.comparer.bodies.open_log(self._input, self._path, body_reader(format.name))
        with self._path.open("rb", buffering=_BUFFER) as raw:
            raw.seek(offset)
            ended = self._read_lines(raw, format, offset)
        return self._finish(format, ended, self._offset)

    def _read_lines(self, stream: BinaryIO, format: SourceFormat, offset: int | None) -> bool:
        """Read lines to the end; False where the user stopped it."""
        work = self._work
        slow = LineCaptures(format, self._tally)
        fast = LineReader(format.name, work.known) if work.fast and format.name in _IN_PARTS and has_msgspec() else None
        size = self._path.stat().st_size if not self._piped else None
        read = body_reader(format.name)
        self._offset = offset or 0
        told = kept = self._offset
        for line, length in self._whole_lines(stream):
            place = Place(self._input, self._lines, None if offset is None else self._offset, length)
            facts = fast.facts(line) if fast is not None and length > 1 else None
            if facts is not None:
                self._tally.records += 1
                self._tally.requests += 1
                self._take(facts, place, None, line, read)
            elif stripped := line.strip(_BLANK):
                for part, capture in enumerate(slow.take(stripped, Where(self._lines))):
                    self._take_capture(capture, replace(place, part=part), line, read)
            self._offset += length
            if self._offset - told >= _TOLD_BYTES:
                told = self._offset
                work.told(self._name, told, size)
                if work.stopping():
                    return False
            if offset is not None and self._offset - kept >= _COMMIT_BYTES:
                kept = self._offset
                self._save(format, kept)
        return True

    def _whole_lines(self, stream: BinaryIO) -> Iterator[tuple[bytes, int]]:
        """Lines and how many bytes they are; one that is too long is empty, a last one that is not whole left for later."""
        limit = Limits().record
        while line := stream.readline(limit + 1):
            length = len(line)
            if line[-1:] != b"\n" and length > limit:
                self._tally.records += 1
                self._tally.unreadable.add(Where(self._lines + 1), f"it is longer than {limit:,} bytes")
                while rest := stream.readline(1 << 20):
                    length += len(rest)
                    if rest.endswith(b"\n"):
                        break
                line = b""
            elif line[-1:] != b"\n" and decode_json(line.strip(_BLANK), "record")[0] is None:
                self._tally.cut = "its last line is cut off, or still being written"
                return
            self._lines += 1
            yield line, length

    def _read_recording(self, stream: io.BufferedReader, packing: tuple[str, ...]) -> bool:
        """Read a recording that is no file of lines, or not as far as could be seen."""
        recording, found = open_recording(stream, self._name)
        self.problems = found
        if recording is None:
            return True
        self._tally = recording.tally
        ended = self._read_captures(recording)
        if ended and packing and self._tally.cut is None:
            self._tally.cut = recording.cut
        return self._finish(recording.format, ended, None)

    def _read_captures(self, recording: Recording) -> bool:
        for count, capture in enumerate(recording):
            data = encode(capture.body).encode("utf-8", "surrogatepass")
            number = capture.where.line or capture.index
            self._take_capture(capture, Place(self._input, number, None, len(data)), data, _encoded_body)
            if count % 256 == 0:
                self._work.told(self._name, self._tally.records, None)
                if self._work.stopping():
                    return False
        return True

    def _take_capture(self, capture: Capture, place: Place, data: bytes, read: Reader) -> None:
        found = facts_of(capture, place.part, self._work.known)
        if found is not None:
            self._take(found[0], place, found[1], data, read)

    def _take(self, facts: Facts, place: Place, stream: PrefixStream | None, data: bytes, read: Reader) -> None:
        work = self._work
        if not work.counts(facts.at):
            return
        if work.judge.salt is not None:
            facts = replace(facts, trail=replace(facts.trail, key=redacted_key(facts.trail.key, work.judge.salt)))
        if place.offset is None:
            work.judge.comparer.bodies.keep(work.judge.number + 1, data, place.part, read)
        work.judge.take(facts, place, stream)

    def _finish(self, format: SourceFormat, ended: bool, offset: int | None) -> bool:
        """Say what was found, and keep the state; of a log that cannot be gone on with, only once it is read whole."""
        if not ended and offset is None:
            self._work.store.roll_back()
            return False
        self._save(format, -1 if offset is None else offset)
        found = self._tally.diagnostics(self._name)
        if ended and not self._tally.requests:
            found = (*found, without_requests(self._name, format.title, self._tally))
        self.problems = found
        return ended

    def _save(self, format: SourceFormat, offset: int) -> None:
        judge, tally = self._work.judge, self._tally
        judge.flush()
        judge.lineage.spill_all()
        counts = (tally.unreadable.number, tally.unknown.number, tally.without, tally.doubtful.number)
        added = tuple(now - before for now, before in zip(counts, self._saved, strict=True))
        self._saved = counts
        identity = "" if self._piped else self._identity(offset)
        name = self._name if judge.salt is None else f"log {self._input + 1}"
        row = (self._input, name, format.name, identity, offset, self._lines, tally.requests, *added)
        self._work.store.save_input(row)
        self._work.store.commit()

    def _identity(self, offset: int) -> str:
        """A digest of the first and the last bytes of what was read; of the size too where all of it was."""
        size = self._path.stat().st_size
        end = size if offset < 0 else offset
        found = blake2b(str(end).encode(), digest_size=16)
        with self._path.open("rb") as raw:
            found.update(raw.read(min(_SAMPLE, end)))
            raw.seek(max(0, end - _SAMPLE))
            found.update(raw.read(min(_SAMPLE, end)))
        return found.hexdigest()


def _encoded_body(data: bytes, part: int) -> JsonObject | None:
    value, _ = decode_json(data, "body")
    return value if isinstance(value, tuple) else None


def has_msgspec() -> bool:
    """Whether lines can be read in parts here."""
    return find_spec("msgspec") is not None
