"""OpenTelemetry spans and events with `gen_ai` attributes: OTLP as JSON, or an exporter's own objects."""

from collections.abc import Iterator

from promptc.streams.json_value import JsonObject, JsonValue, has_member, member
from promptc.streams.sources.members import first_of, made, unpacked
from promptc.streams.sources.model import Part, SourceFormat, Where, below, each
from promptc.streams.sources.otel_messages import body_of

_PREFIX = "gen_ai."
_LEVELS = {"resourceSpans": ("scopeSpans", "spans"), "resourceLogs": ("scopeLogs", "logRecords")}
_COUNTS = ("input_tokens", "output_tokens", "cache_read.input_tokens", "cache_creation.input_tokens")


def _matches(value: JsonValue) -> bool:
    return any(has_member(value, name) for name in _LEVELS) or any(
        key.startswith(_PREFIX) for key, _ in _attributes(member(value, "attributes"))
    )


def _read(value: JsonValue, where: Where) -> Iterator[Part]:
    for span, pointer in _spans(value):
        own = _attributes(member(span, "attributes"))
        yield from _part(span, own, below(where, pointer))
        events = member(span, "events")
        for index, event in enumerate(events if isinstance(events, list) else []):
            # Content may be on an event; the model is on the span then.
            on_event = _attributes(member(event, "attributes"))
            yield from _part(span, (*_bare(own), *on_event), below(where, f"{pointer}/events/{index}"))


def _spans(value: JsonValue) -> Iterator[tuple[JsonValue, str]]:
    for name, (scopes, leaves) in _LEVELS.items():
        for i, resource in enumerate(_items(member(value, name))):
            for j, scope in enumerate(_items(member(resource, scopes))):
                for k, leaf in enumerate(_items(member(scope, leaves))):
                    yield leaf, f"/{name}/{i}/{scopes}/{j}/{leaves}/{k}"
    if has_member(value, "attributes"):
        yield value, ""


def _items(value: JsonValue) -> list[JsonValue]:
    return value if isinstance(value, list) else []


def _bare(attributes: JsonObject) -> JsonObject:
    content = ("gen_ai.input.messages", "gen_ai.system_instructions", "gen_ai.tool.definitions")
    return tuple(pair for pair in attributes if pair[0] not in content)


def _attributes(value: JsonValue) -> JsonObject:
    """Attributes as one object, out of OTLP's list of keys and typed values."""
    if isinstance(value, tuple):
        return value
    pairs: list[tuple[str, JsonValue]] = []
    for item in _items(value):
        key = member(item, "key")
        if isinstance(key, str):
            pairs.append((key, _any_value(member(item, "value"))))
    return tuple(pairs)


def _any_value(value: JsonValue) -> JsonValue:
    if not isinstance(value, tuple) or len(value) != 1:
        return value
    kind, inner = value[0]
    if kind == "arrayValue":
        return [_any_value(item) for item in _items(member(inner, "values"))]
    if kind == "kvlistValue":
        return _attributes(member(inner, "values"))
    return inner.encode() if kind == "intValue" and isinstance(inner, str) and inner.isdecimal() else inner


def _part(span: JsonValue, attributes: JsonObject, where: Where) -> Iterator[Part]:
    messages = unpacked(member(attributes, "gen_ai.input.messages"))
    if not isinstance(messages, list):
        return
    usage = made(*((name, member(attributes, f"gen_ai.usage.{name}")) for name in _COUNTS))
    yield Part(
        body=body_of(
            messages,
            unpacked(member(attributes, "gen_ai.system_instructions")),
            unpacked(member(attributes, "gen_ai.tool.definitions")),
            first_of(attributes, "gen_ai.request.model", "gen_ai.response.model"),
            first_of(attributes, "gen_ai.provider.name", "gen_ai.system"),
        ),
        where=where,
        at=first_of(span, "startTimeUnixNano", "start_time", "startTime", "timeUnixNano"),
        usage=usage or None,
        session=first_of(attributes, "gen_ai.conversation.id", "session.id"),
    )


FORMAT = SourceFormat(
    "otel-gen-ai",
    "OpenTelemetry GenAI spans",
    _matches,
    each(_read),
    "spans keep messages in a form of their own: where one block ends and the next begins, cache markers, "
    "the order of keys and most parameters of the request are lost",
)
