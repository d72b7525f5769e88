"""What the second request can read of what the first one wrote, by structure alone: markers, endings, lookback."""

from promptc.providers.cache_model.positions import positions
from promptc.streams.json_value import member
from promptc.streams.model import Breakpoint, Element, PrefixStream
from promptc.streams.rules import CacheRules


def breakpoints_of(stream: PrefixStream, rules: CacheRules) -> tuple[Breakpoint, ...]:
    """The markers of a request, and the end that the provider marks by itself."""
    endings = message_endings(stream) if rules.implicit else []
    if not endings or any(point.index == endings[-1] for point in stream.breakpoints):
        return stream.breakpoints
    index = endings[-1]
    implied = Breakpoint(index, stream.elements[index].pointer, implied=True)
    return tuple(sorted((*stream.breakpoints, implied), key=lambda point: point.index))


def read_through(
    a: PrefixStream, b: PrefixStream, usable: int, written: tuple[Breakpoint, ...], rules: CacheRules
) -> Breakpoint | None:
    """The longest entry of the first request that the second one finds.

    Args:
        a: The request that wrote.
        b: The request that reads.
        usable: Number of leading elements whose entries still fit.
        written: Breakpoints of `a`.
        rules: The provider's structural rules.
    """
    alive = [point for point in written if point.index < usable]
    if not rules.reads_only_at_breakpoints:
        if not rules.certain or usable == 0:
            return None
        return Breakpoint(usable - 1, a.elements[usable - 1].pointer)
    if rules.lookback is None:
        looked_up = _looked_up(b, rules)
        return next((point for point in reversed(alive) if point.index in looked_up), None)
    at = positions((_block_type(element) for element in b.elements), rules.collapse_tool_runs)
    for point in reversed(alive):
        for mark in b.breakpoints:
            if point.index <= mark.index and at[mark.index] - at[point.index] < rules.lookback:
                return point
    return None


def message_endings(stream: PrefixStream) -> list[int]:
    """Elements that end a message of the user's side, or the leading group of instructions."""
    endings: list[int] = []
    elements = stream.elements
    for index, element in enumerate(elements):
        following = elements[index + 1] if index + 1 < len(elements) else None
        if element.kind != "content" or (following is not None and _one_message(element, following)):
            continue
        kind = member(element.value, "type")
        result = element.role == "tool" or (isinstance(kind, str) and kind.endswith("_output"))
        if element.role == "user" or (result and not _is_result(following)):
            endings.append(index)
    return endings


def _one_message(a: Element, b: Element) -> bool:
    """Whether two elements are parts of one message; only messages of several parts have a container of their own."""
    return a.container == b.container and a.container not in ("/messages", "/input")


def _is_result(element: Element | None) -> bool:
    if element is None:
        return False
    kind = member(element.value, "type")
    return element.role == "tool" or (isinstance(kind, str) and kind.endswith("_output"))


def _looked_up(b: PrefixStream, rules: CacheRules) -> set[int]:
    marks = [point.index for point in b.breakpoints]
    if rules.first_markers is not None or rules.last_markers is not None:
        first, last = rules.first_markers or 0, rules.last_markers or 0
        marks = marks[:first] + marks[max(len(marks) - last, 0) :]
    endings = message_endings(b) if rules.implicit else []
    # The newest ending is the breakpoint itself; the rule counts those before it.
    return {*marks, *endings[-(rules.endings + 1) :]}


def _block_type(element: Element) -> str:
    """The type of a block of the conversation, empty for anything else."""
    kind = member(element.value, "type") if element.kind == "content" else None
    return kind if isinstance(kind, str) else ""
