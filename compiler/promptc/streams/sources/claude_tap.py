"""Traces of claude-tap: a line for each exchange, `request` and `response` with method, path, headers and body."""

from collections.abc import Iterator

from promptc.streams.json_value import JsonValue, has_member, member
from promptc.streams.sources.members import at, is_object, usage_of
from promptc.streams.sources.model import Part, SourceFormat, Where, below, each


def _matches(value: JsonValue) -> bool:
    request = member(value, "request")
    return has_member(request, "body") and (has_member(request, "path") or is_object(member(value, "response")))


def _read(value: JsonValue, where: Where) -> Iterator[Part]:
    if not has_member(member(value, "request"), "body"):
        return
    yield Part(
        body=at(value, "request", "body"),
        where=below(where, "/request/body"),
        at=member(value, "timestamp"),
        endpoint=at(value, "request", "path"),
        usage=usage_of(at(value, "response", "body")),
    )


FORMAT = SourceFormat("claude-tap", "claude-tap trace", _matches, each(_read))
