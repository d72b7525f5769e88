"""Compares each request of a recording with the earlier one that it continues."""

from collections import OrderedDict
from dataclasses import dataclass, field

from promptc.compare.diff import compare_streams
from promptc.compare.lineage import Lineage, trail_of
from promptc.streams.model import PrefixStream
from promptc.streams.result import Comparison
from promptc.streams.rules import CacheRules

# Earlier requests kept whole. One that is continued only after so many others were is not found any more.
_HELD = 256


@dataclass(frozen=True, slots=True)
class Step:
    """A request and the earlier one that it continues.

    Attributes:
        a: Number of the earlier request.
        b: Number of the later one.
        session: The session that the later one names; None where it names none.
        old: Stream of the earlier one.
        new: Stream of the later one.
        comparison: How they compare.
    """

    a: int
    b: int
    session: str | None
    old: PrefixStream
    new: PrefixStream
    comparison: Comparison

    @property
    def breaks(self) -> bool:
        """Whether something that was cached is lost, or the two part at all."""
        return self.comparison.verdict == "break" or self.comparison.relation == "diverges"


@dataclass
class Comparer:
    """Takes the requests of a recording one by one.

    Attributes:
        begun: Requests that continue no earlier one.
    """

    begun: int = 0
    _lineage: Lineage = field(default_factory=lambda: Lineage(_HELD))
    _streams: OrderedDict[int, PrefixStream] = field(default_factory=OrderedDict)

    def take(self, number: int, session: str | None, stream: PrefixStream, rules: CacheRules) -> Step | None:
        """The comparison of a request with the one that it continues; None where it continues none.

        Args:
            number: Its number, higher than those before.
            session: The session that it names.
            stream: Its stream.
            rules: Cache rules of its target.
        """
        continued = self._lineage.follow(trail_of(stream, session), number)
        parent = continued.ending.number if continued is not None else None
        old = self._streams.get(parent) if parent is not None else None
        self._streams[number] = stream
        if len(self._streams) > _HELD:
            self._streams.popitem(last=False)
        if parent is None or old is None:
            self.begun += 1
            return None
        return Step(parent, number, session, old, stream, compare_streams(old, stream, rules))
