"""Helicone exports: a line for each request with `request_body`, `response_body` and properties."""

from collections.abc import Iterator

from promptc.streams.json_value import JsonValue, has_member, member
from promptc.streams.sources.members import first_of, unpacked, usage_of
from promptc.streams.sources.model import Part, SourceFormat, Where, below, each

_SESSION = "helicone-session-id"


def _matches(value: JsonValue) -> bool:
    return has_member(value, "request_body")


def _read(value: JsonValue, where: Where) -> Iterator[Part]:
    if member(value, "request_body") is None:
        return
    yield Part(
        body=member(value, "request_body"),
        where=below(where, "/request_body"),
        at=first_of(value, "request_created_at", "created_at"),
        endpoint=first_of(value, "request_path", "target_url"),
        usage=usage_of(member(value, "response_body")),
        session=_session(value),
    )


def _session(value: JsonValue) -> JsonValue:
    for name in ("request_properties", "properties"):
        properties = unpacked(member(value, name))
        for key, item in properties if isinstance(properties, tuple) else ():
            if key.lower() == _SESSION:
                return item
    return None


FORMAT = SourceFormat("helicone", "Helicone export", _matches, each(_read))
