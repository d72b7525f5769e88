"""Judges each request of a log by the earlier one that it continues; what is found becomes rows of the database."""

from dataclasses import dataclass, field
from datetime import UTC, datetime
from hashlib import blake2b

from promptc.audit.bodies import Bodies
from promptc.audit.captured import Knowledge
from promptc.audit.facts import Facts, Place
from promptc.audit.store import Store
from promptc.audit.words import kind_of_cause, lane_of, place_of, redacted_pointer
from promptc.compare.amounts import BYTES_PER_TOKEN, Measures
from promptc.compare.diff import compare_streams
from promptc.compare.lineage import Continued, Lineage
from promptc.providers.model import Provider
from promptc.streams.attribution.index import AttributionIndex
from promptc.streams.json_value import member
from promptc.streams.model import PrefixStream
from promptc.streams.result import Comparison
from promptc.streams.rules import UNKNOWN_TARGET, cache_rules

_BATCH = 2000


@dataclass
class Judge:
    """Takes the requests of an audit in their order.

    Attributes:
        salt: What keys of sessions are hashed with; None to keep them, and excerpts, as they are.
        sections: Names the sections that wrote a request; None where no manifest is at hand.
        number: Number of the latest request.
    """

    store: Store
    known: Knowledge
    lineage: Lineage
    bodies: Bodies
    salt: bytes | None = None
    sections: AttributionIndex | None = None
    number: int = 0
    _requests: list[tuple[object, ...]] = field(default_factory=list)
    _places: list[Place] = field(default_factory=list)
    _breaks: list[tuple[object, ...]] = field(default_factory=list)

    def take(self, facts: Facts, place: Place, stream: PrefixStream | None = None) -> None:
        """Judge a request.

        Args:
            facts: What is known of it.
            place: Where it is.
            stream: Its stream, where it is at hand.
        """
        self.number += 1
        number = self.number
        if stream is not None:
            self.bodies.remember(number, stream, facts.trail.size)
        continued = self.lineage.follow(facts.trail, number)
        parent, relation, verdict, kept = None, None, None, None
        if continued is not None:
            parent = continued.ending.number
            relation, verdict, kept = self._compared(facts, place, continued)
        moment = time_of(facts.at)
        day = moment[:10] if moment is not None else None
        counts = facts.counts
        written = sum(counts.written.values()) if counts is not None else None
        trail = facts.trail
        self._places.append(place)
        self._requests.append(
            (
                number, place.input, place.line, place.offset, place.length, place.part, facts.at, day,
                trail.key, trail.model, facts.target, parent, relation, verdict, trail.size, kept,
                counts.read if counts is not None else None, written, counts.input if counts is not None else None,
            )
        )  # fmt: skip
        if len(self._requests) >= _BATCH:
            self.flush()

    def flush(self) -> None:
        """Write the rows that wait."""
        self.store.add_requests(self._requests)
        self.store.add_breaks(self._breaks)
        self._requests.clear()
        self._places.clear()
        self._breaks.clear()

    def _compared(self, facts: Facts, place: Place, continued: Continued) -> tuple[str | None, str | None, int | None]:
        """Relation, verdict, and bytes of the earlier prefix that are still there."""
        before = continued.ending
        if continued.whole and before.front == facts.trail.front:
            # Nothing in front of the conversation differs, and one conversation is the beginning of the other.
            if continued.shrunk:
                return "truncates", "same", min(facts.trail.size, before.size)
            return ("extends" if continued.grown else "identical"), "same", before.size
        old = self._stream(before.number)
        new = self.bodies.stream(self.number, place)
        if old is None or new is None:
            return None, None, None
        if self.sections is not None:
            old = self.sections.attribute(old).stream
            new = self.sections.attribute(new).stream
        provider = self.known.provider(facts.target, facts.trail.model)
        rules = cache_rules(provider, facts.trail.model) if provider is not None else UNKNOWN_TARGET
        comparison = compare_streams(old, new, rules, _weighed(old))
        if comparison.verdict == "break":
            self._breaks.append(self._break_row(before.number, facts, comparison, provider))
        return comparison.relation, comparison.verdict, comparison.prefix.bytes.kept

    def _stream(self, number: int) -> PrefixStream | None:
        waiting = number - (self.number - len(self._requests))
        place = self.store.place(number) if waiting < 0 else self._places[waiting]
        return self.bodies.stream(number, place)

    def _break_row(self, parent: int, facts: Facts, found: Comparison, provider: Provider | None) -> tuple[object, ...]:
        first = found.findings[0] if found.findings else None
        param = found.param_changes[0] if found.param_changes else None
        pointer, byte, change, text, was, now = None, None, None, None, None, None
        cause = "the prefix is another one"
        section, spec, line = None, None, None
        if first is not None:
            pointer, byte = first.pointer_a or first.pointer_b, first.byte_offset
            change, text, cause, was, now = (
                first.change_class,
                first.text_class,
                first.cause,
                first.rest_a,
                first.rest_b,
            )
            section = first.section
            spec, line = (first.span.path, first.span.line) if first.span is not None else (None, None)
        elif param is not None:
            pointer, was, now = param.pointer, param.was, param.now
            cause = f"the parameter `{param.name}` changed: {param.was} became {param.now}"
        lane = lane_of(pointer)
        kind = kind_of_cause(cause)
        if self.salt is not None:
            pointer, cause, was, now = redacted_pointer(pointer), kind, None, None
        lost = found.prefix.bytes.lost
        tokens, counted = _tokens(lost, facts)
        return (
            self.number, parent, lane, pointer, byte, place_of(pointer, first.line if first is not None else None), kind, change, text, cause, was, now,
            section, spec, line, len(found.findings) + found.findings_left_out + len(found.param_changes), lost, tokens,
            tokens * _price(provider, facts.trail.model), int(counted),
        )  # fmt: skip


def redacted_key(key: str | None, salt: bytes) -> str | None:
    """A name for a session that tells it from others and nothing else."""
    if key is None:
        return None
    return blake2b(key.encode("utf-8", "surrogatepass"), key=salt[:64], digest_size=8).hexdigest()


def time_of(at: str | None) -> str | None:
    """A time as ISO text: such text as it is written, seconds or finer since 1970 as UTC; None for anything else."""
    if at is None:
        return None
    if len(at) >= 10 and at[4:5] == at[7:8] == "-" and at[:4].isdigit():
        return at
    try:
        seconds = float(at)
        if not 0 < seconds < 1e20:
            return None
        while seconds > 1e11:
            seconds /= 1000
        return datetime.fromtimestamp(seconds, UTC).isoformat()
    except (ValueError, OverflowError, OSError):
        return None


def _weighed(stream: PrefixStream) -> Measures:
    """Bytes exactly; tokens by the rule of thumb, since usage tells them better where there is some."""
    sizes = tuple(element.size for element in stream.elements)
    named = member(stream.attributes, "model")
    tokens = tuple(-(-size // BYTES_PER_TOKEN) for size in sizes)
    return Measures(sizes, tokens, "bytes/4", named if isinstance(named, str) else None)


def _tokens(lost: int, facts: Facts) -> tuple[int, bool]:
    """Tokens of lost bytes, and whether the provider's own count of the request says how many tokens its bytes are."""
    counts, size = facts.counts, facts.trail.size
    total = counts.read + sum(counts.written.values()) + counts.input if counts is not None else 0
    if total and size:
        return round(lost * total / size), True
    return -(-lost // BYTES_PER_TOKEN), False


def _price(provider: Provider | None, model: str | None) -> float:
    """What a lost token costs more than one that is read, in input tokens; 1 where no prices are known."""
    if provider is None:
        return 1.0
    lifetime, read = provider.lifetime(None), provider.read_price(model)
    written = lifetime.write.value if lifetime is not None else 1.0
    return max(written, 1.0) - (read.value if read is not None else 0.0)
