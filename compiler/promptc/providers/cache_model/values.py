"""The values that cache models work on: a lowered request, the state of a cache, and what one request does to it."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from promptc.providers.model import Lane


@dataclass(frozen=True, slots=True)
class CacheBlock:
    """One block of a lowered request, in cache order.

    Attributes:
        content: The bytes that are cached, markers left out.
        tokens: How many tokens they are.
        lane: Where it stands in the cache order.
        kind: Type as the format names it; runs of calls and of results are told by it.
        role: Role of its turn; part of the key.
        marked: Whether a marker ends the prefix here.
        ttl: Lifetime that the marker asks for; None for the default.
        deferred: Whether it is a tool outside the prefix.
        ending: Whether it ends a message that is looked up without a marker.
        token_ids: The tokens themselves where a tokenizer is at hand; `tokens` long.
    """

    content: bytes
    tokens: int
    lane: Lane = "messages"
    kind: str = "text"
    role: str = "user"
    marked: bool = False
    ttl: str | None = None
    deferred: bool = False
    ending: bool = False
    token_ids: tuple[int, ...] | None = None


@dataclass(frozen=True, slots=True)
class CachedObject:
    """A prefix that was stored under a name beforehand.

    Attributes:
        name: Its name.
        tokens: How many tokens it holds.
        created: Seconds, on the clock of the requests.
        expires: Seconds from which on it is gone.
    """

    name: str
    tokens: int
    created: float
    expires: float


@dataclass(frozen=True, slots=True)
class CacheRequest:
    """One request as the cache sees it.

    Attributes:
        blocks: In the provider's cache order.
        model: Model id.
        at: When it starts, in seconds.
        response_after: Seconds until its response begins; its entries can be read from then on.
        params: Parameters that key the cache, by neutral name, values spelled as text.
        namespace: Whatever keeps entries apart: workspace, salt, routing key.
        implicit: Whether the provider's own breakpoints are on, where it has them.
        ttl: Lifetime asked for the whole request; None for the default.
        output: What the model answered, for caches that keep it.
        object: The cached object that it names.
    """

    blocks: tuple[CacheBlock, ...]
    model: str = ""
    at: float = 0.0
    response_after: float = 0.0
    params: Mapping[str, str] = field(default_factory=dict)
    namespace: str = ""
    implicit: bool = True
    ttl: str | None = None
    output: tuple[CacheBlock, ...] = ()
    object: CachedObject | None = None


@dataclass(frozen=True, slots=True)
class Entry:
    """A prefix that is stored up to a breakpoint.

    Attributes:
        tokens: Its length.
        ttl: Its lifetime's name.
        seconds: Its lifetime.
        readable: From when on it can be read.
        expires: From when on it is gone.
    """

    tokens: int
    ttl: str
    seconds: int
    readable: float
    expires: float


@dataclass(frozen=True, slots=True)
class Record:
    """A prompt that a cache without breakpoints remembers.

    Attributes:
        scope: What it is kept apart by.
        blocks: The prompt, and the answer where the cache keeps it.
        ends: Token offsets at which a hit may end; empty where any will do.
        readable: From when on it can be read.
        expires: From when on it is gone.
        used: When it was last written or read.
    """

    scope: bytes
    blocks: tuple[CacheBlock, ...]
    ends: tuple[int, ...]
    readable: float
    expires: float
    used: float


@dataclass(frozen=True, slots=True)
class CacheState:
    """What is stored. A new value for every request; nothing is changed in place.

    Attributes:
        entries: Prefixes up to breakpoints, by key.
        records: Whole prompts, oldest first; of caches with slots, what the slots hold, in the order of their numbers.
        shelf: Prompts that lost their slot and are kept in memory beside them.
    """

    entries: Mapping[bytes, Entry] = field(default_factory=dict)
    records: tuple[Record, ...] = ()
    shelf: tuple[Record, ...] = ()


EMPTY = CacheState()


@dataclass(frozen=True, slots=True)
class Counts:
    """Tokens of one request by what is paid for them.

    Attributes:
        read: Read from the cache.
        written: Written, by lifetime.
        input: Neither; the three sum to the whole prompt.
    """

    read: int
    written: Mapping[str, int]
    input: int

    @property
    def total(self) -> int:
        """Tokens of the prompt."""
        return self.read + sum(self.written.values()) + self.input


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a request reads and writes.

    Attributes:
        certain: Counts with only those reads that the provider promises.
        best: Counts with every read that can happen.
        hit: Index of the last block that `best` reads whole; None when it reads none.
        state: The cache after the request, as `best` has it.
    """

    certain: Counts
    best: Counts
    hit: int | None
    state: CacheState
