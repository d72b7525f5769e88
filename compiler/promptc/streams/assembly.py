"""Collects the elements and markers of one request lane by lane, and lays them out in cache order."""

from dataclasses import dataclass, field

from promptc.diagnostics.model import Diagnostic
from promptc.streams.json_value import JsonObject, JsonValue, member
from promptc.streams.model import LANE_OF, LANES, Breakpoint, Element, Kind, Lane, PrefixStream


@dataclass(frozen=True, slots=True)
class Mark:
    """A marker as sent: the lifetime it asks for, None where it leaves that to the provider."""

    ttl: str | None = None


def mark_of(value: JsonValue) -> Mark | None:
    """The marker that a field holds; null is no marker."""
    if value is None:
        return None
    ttl = member(value, "ttl")
    return Mark(ttl if isinstance(ttl, str) else None)


@dataclass
class Assembly:
    """What a reader of one request shape fills in.

    Attributes:
        path: Name of the request in diagnostics.
        diagnostics: Faults found; the parts concerned are kept as they are, or left out where they are nothing.
        deferred: Pointers of tools that are loaded on demand, outside the prefix.
    """

    path: str
    diagnostics: list[Diagnostic] = field(default_factory=list)
    deferred: list[str] = field(default_factory=list)
    _lanes: dict[Lane, list[tuple[Element, Mark | None]]] = field(default_factory=dict)

    def add(self, element: Element, mark: Mark | None = None) -> None:
        """Append an element to its lane."""
        self._lanes.setdefault(LANE_OF[element.kind], []).append((element, mark))

    def mark_last(self, kind: Kind, mark: Mark) -> bool:
        """Mark the newest element of a lane; False when there is none."""
        lane = self._lanes.get(LANE_OF[kind])
        if not lane:
            return False
        lane[-1] = (lane[-1][0], mark)
        return True

    def elements(self, lane: Lane) -> list[Element]:
        """Elements of one lane so far."""
        return [element for element, _ in self._lanes.get(lane, [])]

    def newest_first(self, order: tuple[Lane, ...]) -> list[tuple[Element, Mark | None]]:
        """Elements so far from the end of the prefix to its start."""
        return [entry for lane in reversed(order) for entry in reversed(self._lanes.get(lane, []))]

    def mark(self, element: Element, mark: Mark) -> None:
        """Mark an element that was added before."""
        lane = self._lanes[LANE_OF[element.kind]]
        index = next(i for i, entry in enumerate(lane) if entry[0] is element)
        lane[index] = (element, mark)

    def malformed(self, pointer: str, expected: str) -> None:
        """Report a part that is not what its place asks for (PC805)."""
        self.diagnostics.append(
            Diagnostic(
                "PC805",
                f"`{pointer or '/'}` of `{self.path}` is not {expected}",
                None,
                notes=("a provider refuses the request; it is compared as far as it can be read",),
                pointer=pointer,
            )
        )

    def finish(
        self, name: str, format: str, target: str | None, order: tuple[Lane, ...], attributes: JsonObject
    ) -> PrefixStream:
        """The stream; lanes that the order does not name are outside the prefix."""
        entries = [entry for lane in order for entry in self._lanes.get(lane, [])]
        outside = [element.pointer for lane in LANES if lane not in order for element, _ in self._lanes.get(lane, [])]
        return PrefixStream(
            name=name,
            format=format,
            target=target,
            order=order,
            elements=tuple(element for element, _ in entries),
            breakpoints=tuple(
                Breakpoint(index, element.pointer, mark.ttl)
                for index, (element, mark) in enumerate(entries)
                if mark is not None
            ),
            attributes=attributes,
            outside=(*outside, *self.deferred),
        )
