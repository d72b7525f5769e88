"""OpenPipe exports: a line for each request with `input`, the chat request, `output` and `tags`."""

from collections.abc import Iterator

from promptc.streams.json_value import JsonValue, has_member, member
from promptc.streams.sources.members import unpacked
from promptc.streams.sources.model import Part, SourceFormat, Where, below, each


def _matches(value: JsonValue) -> bool:
    named = has_member(value, "output") or has_member(value, "tags")
    return named and has_member(unpacked(member(value, "input")), "messages")


def _read(value: JsonValue, where: Where) -> Iterator[Part]:
    if member(value, "input") is not None:
        yield Part(body=member(value, "input"), where=below(where, "/input"))


FORMAT = SourceFormat("openpipe", "OpenPipe export", _matches, each(_read))
