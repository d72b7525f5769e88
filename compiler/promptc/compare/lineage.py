"""Which earlier request a request continues: the one whose cached prefix it should have read."""

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import TypeAlias

from promptc.streams.json_value import member
from promptc.streams.model import Element, PrefixStream

Digest: TypeAlias = bytes
DIGEST_BYTES = 16
_INSTRUCTIONS = ("system", "developer")
# Conversations that begin alike; more are told apart no better.
_ALIKE = 16


@dataclass(frozen=True, slots=True)
class Trail:
    """What a request is known by.

    Attributes:
        key: The session that it names; None where it names none.
        model: Its model; None where it names none.
        parts: A digest of each part of the conversation. Instructions are no part.
        roles: A letter for the role of each part.
    """

    key: str | None
    model: str | None
    parts: tuple[Digest, ...]
    roles: str


def trail_of(stream: PrefixStream, key: str | None) -> Trail:
    """The trail of a request.

    Args:
        stream: Its prefix stream.
        key: The session that it names.
    """
    said = [element for element in stream.elements if is_conversation(element)]
    model = member(stream.attributes, "model")
    roles = "".join((element.role or "?")[:1] for element in said)
    return Trail(key, model if isinstance(model, str) else None, tuple(map(digest_of, said)), roles)


def is_conversation(element: Element) -> bool:
    """Whether an element is a part of the conversation rather than an instruction."""
    return element.kind == "content" and element.role not in _INSTRUCTIONS


def digest_of(element: Element) -> Digest:
    """A digest that two elements share exactly when they are the same."""
    return blake2b(element.key.encode("utf-8", "surrogatepass"), digest_size=DIGEST_BYTES).digest()


@dataclass(slots=True)
class Conversation:
    """A line of requests, each of which continues the one before.

    Attributes:
        trail: Of the latest request.
        number: Its number.
        endings: Numbers of requests that a beginning of the latest one is, by how many parts they have.
    """

    trail: Trail
    number: int
    endings: dict[int, int]


@dataclass
class Lineage:
    """Finds for each request the earlier one that it continues.

    Of the conversations that begin with the same part, it is the one that shares most; where none begins alike, the one
    whose second and third part are the same; of a named session, the latest of the same model that is not longer.
    Requests of different sessions never continue each other, and those without a session are told apart by their parts.

    Where a request parts from the latest one of its conversation, it either rewrites what was sent, which is compared
    with that latest one, or goes another way from an earlier request, which is then what it continues. It rewrites where
    some later part comes again, or where it is longer and the two parts at the fork have one role.

    Attributes:
        held: Conversations remembered; the least recently continued is forgotten first.
    """

    held: int = 4096
    _conversations: OrderedDict[int, Conversation] = field(default_factory=OrderedDict)
    _by_first: dict[tuple[str | None, Digest], list[int]] = field(default_factory=dict)
    _by_second: dict[tuple[str | None, Digest, Digest], int] = field(default_factory=dict)
    _by_key: dict[tuple[str, str | None], int] = field(default_factory=dict)
    _next: int = 0

    def follow(self, trail: Trail, number: int) -> int | None:
        """The number of the request that this one continues, None where it begins a conversation; it is remembered.

        Args:
            trail: What the request is known by.
            number: Its own number, higher than all before.
        """
        name = self._conversation(trail)
        if name is None:
            self._begin(trail, number, {})
            return None
        known = self._conversations[name]
        shared = common_length(known.trail.parts, trail.parts)
        elsewhere = known.endings.get(shared)
        if shared < len(known.trail.parts) and elsewhere is not None and not _rewrites(known.trail, trail, shared):
            self._begin(trail, number, {size: old for size, old in known.endings.items() if size <= shared})
            return elsewhere
        parent = known.number
        self._forget_places(name, known)
        known.trail, known.number = trail, number
        known.endings = {size: old for size, old in known.endings.items() if size <= shared}
        known.endings[len(trail.parts)] = number
        self._remember_places(name, known)
        return parent

    def _conversation(self, trail: Trail) -> int | None:
        key, parts = trail.key, trail.parts
        if parts:
            names = self._by_first.get((key, parts[0]), ())
            if names:
                return max(names, key=lambda n: (common_length(self._conversations[n].trail.parts, parts), n))
        if len(parts) >= 3:
            name = self._by_second.get((key, parts[1], parts[2]))
            if name is not None:
                return name
        name = self._by_key.get((key, trail.model)) if key is not None else None
        if name is None or not len(self._conversations[name].trail.parts) <= len(parts) > 1:
            return None
        return name

    def _begin(self, trail: Trail, number: int, endings: dict[int, int]) -> None:
        name = self._next
        self._next += 1
        self._conversations[name] = Conversation(trail, number, {**endings, len(trail.parts): number})
        self._remember_places(name, self._conversations[name])
        if len(self._conversations) > self.held:
            oldest, forgotten = self._conversations.popitem(last=False)
            self._forget_places(oldest, forgotten)

    def _remember_places(self, name: int, known: Conversation) -> None:
        trail = known.trail
        self._conversations.move_to_end(name)
        if trail.parts:
            names = self._by_first.setdefault((trail.key, trail.parts[0]), [])
            names.append(name)
            del names[:-_ALIKE]
        if len(trail.parts) >= 3:
            self._by_second[trail.key, trail.parts[1], trail.parts[2]] = name
        if trail.key is not None:
            self._by_key[trail.key, trail.model] = name

    def _forget_places(self, name: int, known: Conversation) -> None:
        trail = known.trail
        if trail.parts:
            place = (trail.key, trail.parts[0])
            left = [other for other in self._by_first.get(place, ()) if other != name]
            if left:
                self._by_first[place] = left
            else:
                self._by_first.pop(place, None)
        if len(trail.parts) >= 3:
            second = (trail.key, trail.parts[1], trail.parts[2])
            if self._by_second.get(second) == name:
                del self._by_second[second]
        if trail.key is not None and self._by_key.get((trail.key, trail.model)) == name:
            del self._by_key[trail.key, trail.model]


def common_length(a: Sequence[Digest], b: Sequence[Digest]) -> int:
    """How many leading parts are the same."""
    shorter = min(len(a), len(b))
    if a[:shorter] == b[:shorter]:
        return shorter
    return next(index for index, (x, y) in enumerate(zip(a, b, strict=False)) if x != y)


def _rewrites(old: Trail, new: Trail, shared: int) -> bool:
    if not set(old.parts[shared:]).isdisjoint(new.parts[shared:]):
        return True
    return len(new.parts) > len(old.parts) and old.roles[shared] == new.roles[shared]
