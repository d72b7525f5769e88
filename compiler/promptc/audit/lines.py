"""Facts of a line of a log without decoding what was seen before.

A line is decoded down to the parts of its conversation, which stay bytes. A part whose bytes are those of the part at
the same place of the request before has the same digest, so only new parts are decoded; a decoded part is read by the
reader of its shape, as part of a body that holds nothing else. Whatever does not fit this (another shape, a body as
text, a marker rule that looks at the whole) gives None, and the line is decoded as a whole.
"""

import re
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from operator import attrgetter
from typing import Any

from promptc.audit.captured import Knowledge, front_digest, param_text
from promptc.audit.facts import Facts
from promptc.audit.histories import MARK, Found, Histories, History, opening, stops_of
from promptc.audit.line_schema import SESSION, line_decoder
from promptc.audit.quick_parts import quick_reader
from promptc.compare.lineage import Digest, Trail, digest_and_size, is_conversation
from promptc.streams.assembly import Assembly
from promptc.streams.detect import detect_format
from promptc.streams.json_decode import decode_json
from promptc.streams.json_value import JsonValue, member
from promptc.streams.model import PrefixStream
from promptc.streams.read import SHAPES, stream_of_body
from promptc.streams.sources.secrets import without_secrets
from promptc.streams.sources.sessions import session_in_body

# Member of a body that holds its conversation, by shape.
_LISTS = {
    "anthropic-messages": "messages",
    "openai-chat": "messages",
    "openai-responses": "input",
    "gemini-generate": "contents",
}
_FRONT = (
    "model", "modelId", "system", "tools", "functions", "instructions", "systemInstruction", "system_instruction",
    "cache_control", "anthropic_version", "toolConfig", "inferenceConfig", "guardrailConfig", "cachedContent",
    "cached_content", "max_tokens",
)  # fmt: skip
# Bytes of raw parts that are held with what they weigh, and what holding one costs besides.
_HELD_BYTES = 16 * 1024 * 1024
_ENTRY_BYTES = 600
_HELD_FRONTS = 128
_HELDSESSIONS = 10_000
_INSTRUCTION = "!"
# A marker as the last member of an object. Inside a text its quotes would be escaped.
_MARKER = re.compile(
    rb',\s*"cache_control"\s*:\s*\{\s*"type"\s*:\s*"[a-z_]*"\s*(?:,\s*"ttl"\s*:\s*"[0-9a-z]*"\s*)?\}(?=\s*\})'
)
_NO_PROMPTS = (b"embed", b"Embed", b"moderations", b"rerank")


@dataclass(frozen=True, slots=True)
class _Part:
    """One message or item: what its elements are known by.

    Attributes:
        own: A digest for each element.
        roles: A letter for the role of each; `!` for an instruction.
        size: Bytes of them all.
    """

    own: tuple[Digest, ...]
    roles: str
    size: int


@dataclass(frozen=True, slots=True)
class _Front:
    """Everything of a body but its conversation.

    Attributes:
        stream: The stream of a body without a conversation.
        own: A digest for each of its elements.
        params: Parameters that may key a cache, as text.
        sure: Whether it alone tells the shape.
    """

    stream: PrefixStream
    own: tuple[Digest, ...]
    params: bytes
    sure: bool
    model: str | None
    digest: Digest
    size: int

    @property
    def format(self) -> str:
        return self.stream.format

    @property
    def target(self) -> str | None:
        return self.stream.target


class _Odd(Exception):
    """The line is not one of those that are read in parts."""


class LineReader:
    """Reads lines of one format; what it remembers of earlier lines only saves work.

    Attributes:
        format: Name of the format of the log.
    """

    def __init__(self, format: str, known: Knowledge) -> None:
        import msgspec

        self._msgspec = msgspec
        self._known = known
        self.format = format
        self._front_names = tuple(dict.fromkeys((*_FRONT, *sorted(known.params))))
        self._decode: Callable[[bytes], Any] = line_decoder(format, (*self._front_names, *SESSION))
        self._front_of = attrgetter(*self._front_names)
        self._session_of = attrgetter(*SESSION)
        self._fronts: OrderedDict[tuple[str, tuple[bytes | None, ...]], _Front] = OrderedDict()
        self._sessions: OrderedDict[tuple[Any, ...], str | None] = OrderedDict()
        self._parts: OrderedDict[tuple[str, bytes], _Part] = OrderedDict()
        self._part_bytes = 0
        self._histories = Histories()
        self._quick = quick_reader()

    def facts(self, line: bytes) -> Facts | None:
        """The facts of a line; None where it has to be decoded as a whole."""
        try:
            found = self._histories.find(line)
            facts = self._repeated(line, found) if found is not None else None
            return facts if facts is not None else self._new(line)
        except (self._msgspec.DecodeError, _Odd, UnicodeDecodeError, RecursionError):
            return None

    def _repeated(self, line: bytes, found: Found) -> Facts | None:
        """The facts of a line that begins with a known history; None where that stands elsewhere in it."""
        history = found.history
        short = b"".join((line[: found.start], MARK, line[found.stop :]))
        body, at, usage, session = self._envelope(self._decoded(short))
        name, raws = self._list(body)
        if bytes(raws[0]) != MARK:
            return None
        front_raws = self._front_of(body)
        same = history.front_raws == front_raws
        front: _Front = history.front if same else self._front(front_raws, name)
        fits = _LISTS.get(front.format) == name and history.front.format == front.format
        stops = stops_of(line, found.stop, raws[1:])
        if not fits or stops is None or not (front.sure or history.neutral):
            return None
        fresh = self._fresh(front, raws[1:])
        history.cut(found.items)
        base = history.stops[-1]
        history.stops += [base + stop for stop in stops]
        history.region += line[found.stop : found.stop + (stops[-1] if stops else 0)]
        if not same:
            history.front, history.front_raws = front, front_raws
        history.neutral = history.neutral and not front.sure
        _grow(history, fresh)
        self._histories.keep(history, len(short))
        return self._facts(history, session, at, usage)

    def _new(self, line: bytes) -> Facts:
        body, at, usage, session = self._envelope(self._decoded(line))
        name, raws = self._list(body)
        front_raws = self._front_of(body)
        front = self._front(front_raws, name)
        if _LISTS.get(front.format) != name:
            raise _Odd
        fresh = self._fresh(front, raws)
        place = opening(line)
        start = place[1] if place is not None else None
        stops = stops_of(line, start, raws) if start is not None else None
        region = bytearray(line[start : start + stops[-1]]) if start is not None and stops else bytearray()
        history = History(region, stops or [], (), "", [], [], front, front_raws, not front.sure)
        _grow(history, fresh)
        if stops:
            self._histories.keep(history, len(line) - len(region))
        return self._facts(history, session, at, usage)

    def _decoded(self, data: bytes) -> Any:
        if not data.isascii():
            data.decode("utf-8")
        return self._decode(data)

    def _fresh(self, front: _Front, raws: list[Any]) -> list[_Part]:
        """Parts that were not taken over."""
        new = [bytes(raw) for raw in raws]
        if not front.sure and not all(map(self._is_neutral, new)):
            raise _Odd
        return [self._part(front.format, raw) for raw in new]

    def _facts(self, history: History, session: str | None, at: str | None, usage: Any) -> Facts:
        front: _Front = history.front
        own, roles, digest = history.own, history.roles, front.digest
        if _INSTRUCTION in roles:
            own, roles, digest = _without_instructions(front, history)
        trail = Trail(session, front.model, own, roles, digest, front.size + history.sums[-1])
        counts = self._known.counts(usage, front.target, front.model)
        return Facts(trail, at, front.target, front.format, counts)

    def _envelope(self, record: Any) -> tuple[Any, str | None, Any, str | None]:
        """Body, time, usage and session of a record; as the readers of the formats have them."""
        unset = self._msgspec.UNSET
        if self.format == "claude-tap":
            body = record.request.body
            self._must_be_prompt(record.request.path)
            answer = record.response.body if record.response is not unset else unset
            usage = self._first(answer.usage, answer.usageMetadata) if answer is not unset else None
            return body, self._name(self._first(record.timestamp)), usage, self._session(body)
        if record.requests is not unset:
            raise _Odd
        if record.body is unset:
            return record, None, None, self._session(record)
        if any(getattr(record, name) is not unset for name in ("messages", "contents", "input", "instructions")):
            raise _Odd
        self._must_be_prompt(record.endpoint, record.path, record.url)
        at = self._name(self._first(record.at, record.timestamp))
        named = self._name(self._first(record.session, record.session_id))
        usage = self._first(record.usage, record.response_usage)
        return record.body, at, usage, named or self._session(record.body)

    def _list(self, body: Any) -> tuple[str, list[Any]]:
        unset = self._msgspec.UNSET
        if body.requests is not unset:
            raise _Odd
        found = [
            (name, raws) for name in ("messages", "contents", "input") if (raws := getattr(body, name)) is not unset
        ]
        if len(found) != 1 or not found[0][1]:
            raise _Odd
        return found[0]

    def _first(self, *raws: Any) -> Any:
        """The first that is there and not null, decoded; a number as its spelling."""
        for raw in raws:
            if raw is not self._msgspec.UNSET and (data := bytes(raw)) != b"null":
                return data if data[:1] in b"-0123456789" else self._msgspec.json.decode(data)
        return None

    @staticmethod
    def _name(value: Any) -> str | None:
        if isinstance(value, bytes):
            return value.decode("ascii")
        return value if isinstance(value, str) and value else None

    def _must_be_prompt(self, *addresses: Any) -> None:
        for raw in addresses:
            if raw is not self._msgspec.UNSET and any(name in bytes(raw) for name in _NO_PROMPTS):
                raise _Odd

    def _session(self, body: Any) -> str | None:
        raws = tuple(None if raw is self._msgspec.UNSET else bytes(raw) for raw in self._session_of(body))
        if raws not in self._sessions:
            pairs = [(name, self._value(raw)) for name, raw in zip(SESSION, raws, strict=True) if raw is not None]
            self._sessions[raws] = session_in_body(tuple(pairs))
            if len(self._sessions) > _HELDSESSIONS:
                self._sessions.popitem(last=False)
        return self._sessions[raws]

    def _front(self, raws: tuple[Any, ...], name: str) -> _Front:
        data = tuple(None if raw is self._msgspec.UNSET else bytes(raw) for raw in raws)
        key = (name, data)
        found = self._fronts.pop(key, None)
        if found is None:
            found = self._read_front(data, name)
        self._fronts[key] = found
        if len(self._fronts) > _HELD_FRONTS:
            self._fronts.popitem(last=False)
        return found

    def _read_front(self, raws: tuple[bytes | None, ...], name: str) -> _Front:
        members = zip(self._front_names, raws, strict=True)
        pairs: list[tuple[str, JsonValue]] = [(key, self._value(raw)) for key, raw in members if raw is not None]
        body = without_secrets((*pairs, (name, [])))
        detected = detect_format(body)
        stream, _ = stream_of_body(body, "front", self._known.target, registry=self._known.registry)
        if stream is None or detected is None or stream.order[-1:] != ("messages",):
            raise _Odd
        weighed = [digest_and_size(element) for element in stream.elements]
        own = tuple(digest for digest, _ in weighed)
        params = param_text(stream.attributes, self._known.params)
        named = member(stream.attributes, "model") or member(stream.attributes, "modelId")
        return _Front(
            stream=stream,
            own=own,
            params=params,
            sure=detected.sure,
            model=named if isinstance(named, str) else None,
            digest=front_digest(stream, own, (), params),
            size=sum(size for _, size in weighed),
        )

    def _part(self, format: str, raw: bytes) -> _Part:
        if b"cache_control" in raw and b'"input"' not in raw:
            # A marker moves on with every turn, and is no part of what is compared; in a call it could be an argument.
            raw = _unmarked(raw)
        key = (format, raw)
        found = self._parts.pop(key, None)
        if found is None:
            found = self._read_part(format, raw)
            self._part_bytes += len(raw) + _ENTRY_BYTES
        self._parts[key] = found
        while self._part_bytes > _HELD_BYTES and len(self._parts) > 1:
            (_, oldest), _ = self._parts.popitem(last=False)
            self._part_bytes -= len(oldest) + _ENTRY_BYTES
        return found

    def _read_part(self, format: str, raw: bytes) -> _Part:
        quick = self._quick(raw) if format == "anthropic-messages" else None
        if quick is not None:
            return _Part(*quick)
        value = self._value(raw)
        shape = SHAPES[format]
        into = Assembly("part")
        shape.read(((_LISTS[format], [value]),), into, shape.order)
        elements = into.elements("messages")
        weighed = [digest_and_size(element) for element in elements]
        return _Part(
            own=tuple(digest for digest, _ in weighed),
            roles="".join((e.role or "?")[:1] if is_conversation(e) else _INSTRUCTION for e in elements),
            size=sum(size for _, size in weighed),
        )

    def _is_neutral(self, raw: bytes) -> bool:
        """Whether a part says nothing about the shape of the body."""
        alone = detect_format((("messages", [self._value(raw)]),))
        return alone is not None and not alone.sure

    def _value(self, raw: bytes) -> JsonValue:
        value, found = decode_json(raw, "part")
        if found:
            # Doubtful JSON is counted, which only a look at the whole line can do.
            raise _Odd
        return value


def _grow(history: History, fresh: list[_Part]) -> None:
    end, size = (history.ends[-1], history.sums[-1]) if history.ends else (0, 0)
    for part in fresh:
        history.own += part.own
        history.roles += part.roles
        end, size = end + len(part.own), size + part.size
        history.ends.append(end)
        history.sums.append(size)


def _without_instructions(front: _Front, now: History) -> tuple[tuple[Digest, ...], str, Digest]:
    """Digests and roles of the conversation, and the digest of everything else, instructions among the parts included."""
    said = [index for index, role in enumerate(now.roles) if role != _INSTRUCTION]
    first = said[0] if said else len(now.roles)
    others = [index for index, role in enumerate(now.roles) if role == _INSTRUCTION]
    own = (*front.own, *(now.own[index] for index in others))
    places = [index - first for index in others if index > first]
    digest = front_digest(front.stream, own, places, front.params)
    return tuple(now.own[index] for index in said), "".join(now.roles[index] for index in said), digest


def _unmarked(raw: bytes) -> bytes:
    """A message without the last marker in it, where that is the last member of its block."""
    comma = raw.rfind(b",", 0, raw.rfind(b'"cache_control"'))
    found = _MARKER.match(raw, comma) if comma >= 0 else None
    return raw if found is None else raw[:comma] + raw[found.end() :]
