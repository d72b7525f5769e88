"""Judges each request of a log by the earlier one that it continues; what is found becomes rows of the database."""

from concurrent.futures import Future
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from hashlib import blake2b

from promptc.audit.compared import Beside, Comparer, Pair, Verdict
from promptc.audit.facts import Facts, Place
from promptc.audit.store import Store
from promptc.compare.lineage import Continued, Lineage
from promptc.streams.model import PrefixStream

_BATCH = 2000


@dataclass(slots=True)
class _Waiting:
    """A request whose row is not written yet."""

    number: int
    facts: Facts
    place: Place
    parent: int | None
    found: "Verdict | Future[Verdict]"


_BEGUN = Verdict(None, None, None)


@dataclass
class Judge:
    """Takes the requests of an audit in their order.

    Attributes:
        salt: What keys of sessions are hashed with; None to keep them as they are.
        number: Number of the latest request.
        beside: Compares in another process; None to compare here. Only logs that can be read again are compared there.
    """

    store: Store
    lineage: Lineage
    comparer: Comparer
    salt: bytes | None = None
    number: int = 0
    beside: Beside | None = None
    _waiting: list[_Waiting] = field(default_factory=list)

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
            self.comparer.bodies.remember(number, stream, facts.trail.size)
        continued = self.lineage.follow(facts.trail, number)
        parent = continued.ending.number if continued is not None else None
        found = self._compared(facts, place, continued) if continued is not None else _BEGUN
        self._waiting.append(_Waiting(number, facts, place, parent, found))
        if len(self._waiting) >= 2 * _BATCH:
            # The newer half may still be compared in the other process.
            self._write(_BATCH)

    def flush(self) -> None:
        """Write the rows that wait."""
        self._write(len(self._waiting))

    def _write(self, count: int) -> None:
        requests: list[tuple[object, ...]] = []
        breaks: list[tuple[object, ...]] = []
        for waiting in self._waiting[:count]:
            found = waiting.found.result() if isinstance(waiting.found, Future) else waiting.found
            requests.append(_row(waiting, found))
            if found.broken is not None:
                breaks.append(found.broken)
        del self._waiting[:count]
        self.store.add_requests(requests)
        self.store.add_breaks(breaks)

    def _compared(self, facts: Facts, place: Place, continued: Continued) -> "Verdict | Future[Verdict]":
        before = continued.ending
        if continued.whole and before.front == facts.trail.front:
            # Nothing in front of the conversation differs, and one conversation is the beginning of the other.
            if continued.shrunk:
                return Verdict("truncates", "same", min(facts.trail.size, before.size))
            return Verdict("extends" if continued.grown else "identical", "same", before.size)
        old = self._place(before.number)
        pair = Pair(before.number, self.number, old, place)
        if self.beside is not None and place.offset is not None and old is not None and old.offset is not None:
            # The other process needs no digests of the conversation.
            bare = replace(facts, trail=replace(facts.trail, parts=(), roles=""))
            return self.beside.compare(pair, bare)
        return self.comparer.compare(pair, facts)

    def _place(self, number: int) -> Place | None:
        first = self.number - len(self._waiting)
        return self.store.place(number) if number < first else self._waiting[number - first].place


def _row(waiting: _Waiting, found: Verdict) -> tuple[object, ...]:
    facts, place = waiting.facts, waiting.place
    counts, trail = facts.counts, facts.trail
    moment = time_of(facts.at)
    return (
        waiting.number, place.input, place.line, place.offset, place.length, place.part, facts.at,
        moment[:10] if moment is not None else None, trail.key, trail.model, facts.target, waiting.parent,
        found.relation, found.verdict, trail.size, found.kept, counts.read if counts is not None else None,
        sum(counts.written.values()) if counts is not None else None, counts.input if counts is not None else None,
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
