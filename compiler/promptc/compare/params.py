"""Attributes that key the cache: which of them differ, and which lanes that loses."""

from promptc.streams.json_value import JsonValue, encode, member, pointer
from promptc.streams.model import LANE_OF, Lane, PrefixStream
from promptc.streams.result import ParamChange
from promptc.streams.rules import CacheRules, ParamRule


def param_changes(a: PrefixStream, b: PrefixStream, rules: CacheRules) -> list[ParamChange]:
    """Differences in attributes that key the cache, in the order of the rules."""
    changes: list[ParamChange] = []
    for rule in rules.params:
        for path in rule.paths:
            was, now = _value(a, path), _value(b, path)
            if _meaning(was, rule) != _meaning(now, rule):
                changes.append(
                    ParamChange(
                        pointer=pointer(*path.split(".")),
                        name=rule.name,
                        was=None if was is None else encode(was),
                        now=None if now is None else encode(now),
                        loses=rule.loses,
                        certainty=rule.certainty,
                    )
                )
    return changes


def changed_members(changes: list[ParamChange]) -> tuple[str, ...]:
    """Pointers of the members of the request that the changes are in, each once."""
    return tuple(dict.fromkeys("/" + change.pointer.split("/")[1] for change in changes))


def first_lost(stream: PrefixStream, changes: list[ParamChange]) -> int:
    """Index of the first element whose cached prefix the changes lose; the number of elements when none is.

    A lane that is lost takes all behind it with it, whether or not the rule names them.
    """
    lost: set[str] = {lane for change in changes for lane in change.loses}
    from_lane = next((place for place, lane in enumerate(stream.order) if lane in lost), len(stream.order))
    places: dict[Lane, int] = {lane: place for place, lane in enumerate(stream.order)}
    for index, element in enumerate(stream.elements):
        if places.get(LANE_OF[element.kind], len(stream.order)) >= from_lane and lost:
            return index
    return len(stream.elements)


def _value(stream: PrefixStream, path: str) -> JsonValue:
    value: JsonValue = stream.attributes
    for key in path.split("."):
        value = member(value, key)
    return value


def _meaning(value: JsonValue, rule: ParamRule) -> str | None:
    if value is None:
        return rule.default
    return value if isinstance(value, str) else encode(value)
