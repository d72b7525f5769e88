"""Which earlier request a request continues: the one whose cached prefix it should have read."""

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Protocol, TypeAlias

from promptc.streams.json_value import encode, member
from promptc.streams.model import Element, PrefixStream

Digest: TypeAlias = bytes
DIGEST_BYTES = 16
_INSTRUCTIONS = ("system", "developer")
# Conversations that begin alike; more are told apart no better.
_ALIKE = 16
# Earlier requests of a conversation that another way may begin at.
_ENDINGS = 32


@dataclass(frozen=True, slots=True)
class Trail:
    """What a request is known by.

    Attributes:
        key: The session that it names; None where it names none.
        model: Its model; None where it names none.
        parts: A digest of each part of the conversation. Instructions are no part.
        roles: A letter for the role of each part.
        front: A digest of everything else that decides what is cached; empty where it is not asked for.
        size: Bytes of its prefix; 0 where they are not asked for.
    """

    key: str | None
    model: str | None
    parts: tuple[Digest, ...]
    roles: str
    front: Digest = b""
    size: int = 0


@dataclass(frozen=True, slots=True)
class Ending:
    """A request that has ended a conversation at some length.

    Attributes:
        number: Its number.
        front: Digest of everything but its conversation.
        size: Bytes of its prefix.
    """

    number: int
    front: Digest
    size: int


@dataclass(frozen=True, slots=True)
class Continued:
    """The earlier request that a request continues.

    Attributes:
        ending: The earlier request.
        whole: Whether its whole conversation is the beginning of the later one, or the other way round.
        shrunk: Whether the earlier conversation is the longer one.
        grown: Whether the later one has parts that are not shared.
    """

    ending: Ending
    whole: bool
    shrunk: bool
    grown: bool


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
    return digest_and_size(element)[0]


def digest_and_size(element: Element) -> tuple[Digest, int]:
    """The digest of an element and its bytes; each needs the text, which is made once."""
    value = element.value
    text = element.text
    if text is None:
        form, text = "", encode(value)
    elif isinstance(value, tuple):
        # The text stands in a block, whose other members and their order are part of what is sent.
        form = repr([pair if pair[0] != "text" else "text" for pair in value])
    else:
        form = "text"
    data = text.encode("utf-8", "surrogatepass")
    found = blake2b(f"{element.kind} {element.role} {form} ".encode("utf-8", "surrogatepass"), digest_size=DIGEST_BYTES)
    found.update(data)
    return found.digest(), len(data)


@dataclass(slots=True)
class Conversation:
    """A line of requests, each of which continues the one before.

    Attributes:
        trail: Of the latest request.
        number: Its number.
        endings: Requests whose conversation a beginning of the latest one is, by how many parts they have.
    """

    trail: Trail
    number: int
    endings: dict[int, Ending]


class Spill(Protocol):
    """Where conversations wait that memory has no room for. What is taken is there no more."""

    def put(self, name: int, conversation: Conversation) -> None:
        """Store one."""

    def alike(self, key: str | None, first: Digest, most: int) -> list[tuple[int, Conversation]]:
        """Take the latest that begin with a part, the latest first."""

    def second(self, key: str | None, second: Digest, third: Digest) -> tuple[int, Conversation] | None:
        """Take the latest with a second and a third part."""

    def latest(self, key: str, model: str | None) -> tuple[int, Conversation] | None:
        """Take the latest of a session and model."""


@dataclass
class Lineage:
    """Finds for each request the earlier one that it continues.

    Of the conversations that begin with the same part, it is the latest that is continued whole, else the one that
    shares most; where none begins alike, the one whose second and third part are the same; of a named session, the
    latest of the same model that is not longer. Requests of different sessions never continue each other, and those
    without a session are told apart by their parts.

    Where a request parts from the latest one of its conversation, it either rewrites what was sent, which is compared
    with that latest one, or goes another way from an earlier request, which is then what it continues. It rewrites where
    some later part comes again, or where it is longer and the two parts at the fork have one role.

    Attributes:
        held: Conversations in memory; the least recently continued one is spilled first, or forgotten.
        spill: Where they go; None to forget them.
    """

    held: int = 4096
    spill: Spill | None = None
    _conversations: OrderedDict[int, Conversation] = field(default_factory=OrderedDict)
    _by_first: dict[tuple[str | None, Digest], list[int]] = field(default_factory=dict)
    _by_second: dict[tuple[str | None, Digest, Digest], int] = field(default_factory=dict)
    _by_key: dict[tuple[str, str | None], int] = field(default_factory=dict)

    def follow(self, trail: Trail, number: int) -> Continued | None:
        """The request that this one continues, None where it begins a conversation; it is remembered.

        Args:
            trail: What the request is known by.
            number: Its own number, higher than all before.
        """
        own = Ending(number, trail.front, trail.size)
        name = self._conversation(trail)
        if name is None:
            self._begin(trail, own, {})
            return None
        known = self._conversations[name]
        shared = common_length(known.trail.parts, trail.parts)
        elsewhere = known.endings.get(shared)
        if shared < len(known.trail.parts):
            kept = {size: old for size, old in known.endings.items() if size <= shared}
            if elsewhere is not None and not _rewrites(known.trail, trail, shared):
                self._begin(trail, own, kept)
                return Continued(elsewhere, True, False, shared < len(trail.parts))
            known.endings = kept
        before = Ending(known.number, known.trail.front, known.trail.size)
        whole = shared in (len(known.trail.parts), len(trail.parts))
        found = Continued(before, whole, shared < len(known.trail.parts), shared < len(trail.parts))
        self._forget_places(name, known)
        known.trail, known.number = trail, number
        _add_ending(known.endings, len(trail.parts), own)
        self._remember_places(name, known)
        return found

    def spill_all(self) -> None:
        """Put every conversation where it waits, so that the work can go on another time."""
        if self.spill is not None:
            for name, known in self._conversations.items():
                self.spill.put(name, known)
        self._conversations.clear()
        self._by_first.clear()
        self._by_second.clear()
        self._by_key.clear()

    def _conversation(self, trail: Trail) -> int | None:
        key, parts = trail.key, trail.parts
        if parts:
            names = self._by_first.get((key, parts[0]), [])
            whole = self._continued(names, parts)
            if whole is None and self.spill is not None and len(names) < _ALIKE:
                self._take_back(self.spill.alike(key, parts[0], _ALIKE - len(names)))
                names = self._by_first.get((key, parts[0]), [])
                whole = self._continued(names, parts)
            if whole is not None:
                return whole
            if names:
                return max(names, key=lambda n: common_length(self._conversations[n].trail.parts, parts))
        return self._by_other_parts(trail)

    def _by_other_parts(self, trail: Trail) -> int | None:
        key, parts = trail.key, trail.parts
        if len(parts) >= 3:
            second = (key, parts[1], parts[2])
            if second not in self._by_second and self.spill is not None:
                self._take_back([found] if (found := self.spill.second(*second)) else [])
            if second in self._by_second:
                return self._by_second[second]
        if key is None or len(parts) < 2:
            return None
        if (key, trail.model) not in self._by_key and self.spill is not None:
            self._take_back([found] if (found := self.spill.latest(key, trail.model)) else [])
        name = self._by_key.get((key, trail.model))
        return name if name is not None and len(self._conversations[name].trail.parts) <= len(parts) else None

    def _continued(self, names: list[int], parts: tuple[Digest, ...]) -> int | None:
        """The latest that a request continues whole."""
        for name in reversed(names):
            old = self._conversations[name].trail.parts
            if parts[: len(old)] == old:
                return name
        return None

    def _begin(self, trail: Trail, own: Ending, endings: dict[int, Ending]) -> None:
        # A conversation is called by the number of its first request, which is the same however the work is cut up.
        known = Conversation(trail, own.number, endings)
        _add_ending(known.endings, len(trail.parts), own)
        self._conversations[own.number] = known
        self._remember_places(own.number, known)
        self._make_room()

    def _make_room(self) -> None:
        while len(self._conversations) > self.held:
            name, oldest = self._conversations.popitem(last=False)
            self._forget_places(name, oldest)
            if self.spill is not None:
                self.spill.put(name, oldest)

    def _take_back(self, found: list[tuple[int, Conversation]]) -> None:
        """Hold conversations again, as older than all that are held."""
        for name, known in found:
            self._conversations[name] = known
            trail = known.trail
            if trail.parts:
                self._by_first.setdefault((trail.key, trail.parts[0]), []).insert(0, name)
            if len(trail.parts) >= 3:
                self._by_second.setdefault((trail.key, trail.parts[1], trail.parts[2]), name)
            if trail.key is not None:
                self._by_key.setdefault((trail.key, trail.model), name)

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


def _add_ending(endings: dict[int, Ending], size: int, own: Ending) -> None:
    endings.pop(size, None)
    endings[size] = own
    if len(endings) > _ENDINGS:
        del endings[next(iter(endings))]


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
