"""Members of records: nested ones, ones that go by several names, JSON kept as text, usage of a response."""

from collections.abc import Iterator

from promptc.streams.json_decode import decode_json
from promptc.streams.json_value import JsonObject, JsonValue, has_member, member


def at(value: JsonValue, *keys: str) -> JsonValue:
    """The member at the end of a way of keys; None where the way ends early."""
    for key in keys:
        value = member(value, key)
    return value


def first_of(value: JsonValue, *keys: str) -> JsonValue:
    """The first of some members that is there and not null: exports spell one name in several ways."""
    return next((found for key in keys if (found := member(value, key)) is not None), None)


def unpacked(value: JsonValue) -> JsonValue:
    """The value of a text that holds a JSON object or array; anything else as it is."""
    if isinstance(value, str) and value.lstrip()[:1] in ("{", "["):
        inner, _ = decode_json(value.encode("utf-8", "surrogatepass"), "")
        return value if inner is None else inner
    return value


def usage_of(response: JsonValue) -> JsonValue:
    """The usage of a response body, by the names that providers give it; of a stream of events, what they add up to."""
    if isinstance(response, str) and response.lstrip()[:6] in ("event:", "data: ", "data:{"):
        return _usage_of_events(unpacked(line[5:].strip()) for line in response.splitlines() if _may_count(line))
    if isinstance(response, list):
        return _usage_of_events(iter(response))
    return first_of(unpacked(response), "usage", "usageMetadata")


def _may_count(line: str) -> bool:
    return line.startswith("data:") and ('"usage"' in line or '"usageMetadata"' in line)


def _usage_of_events(events: Iterator[JsonValue]) -> JsonValue:
    """The counts of all events: the first one has the input, a later one the output."""
    counts: dict[str, JsonValue] = {}
    for event in events:
        for place in (event, member(event, "message"), member(event, "response"), member(event, "data")):
            found = first_of(place, "usage", "usageMetadata")
            counts.update(found if isinstance(found, tuple) else ())
    return tuple(counts.items()) or None


def is_object(value: JsonValue) -> bool:
    """Whether a value is an object, the empty one included."""
    return isinstance(value, tuple)


def is_messages(value: JsonValue) -> bool:
    """Whether a value is a list of messages and nothing around it."""
    return isinstance(value, list) and bool(value) and all(has_member(item, "role") for item in value)


def made(*pairs: tuple[str, JsonValue]) -> JsonObject:
    """An object of the pairs that have a value."""
    return tuple((key, value) for key, value in pairs if value is not None)
