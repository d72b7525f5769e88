"""HAR, as mitmproxy, browsers and proxies write it: `log.entries`, with bodies as text."""

import binascii
from base64 import b64decode
from collections.abc import Iterator

from promptc.streams.json_value import JsonValue, has_member, member
from promptc.streams.sources.content import decoded
from promptc.streams.sources.members import at, first_of, is_object, usage_of
from promptc.streams.sources.model import Part, SourceFormat, Where, below, each


def _matches(value: JsonValue) -> bool:
    return isinstance(at(value, "log", "entries"), list) or _is_entry(value)


def _is_entry(value: JsonValue) -> bool:
    """Whether a value is one entry by itself, as a file of entries or a large log gives them."""
    named = has_member(value, "startedDateTime") or has_member(value, "response")
    return named and is_object(member(value, "request")) and has_member(member(value, "request"), "url")


def _read(value: JsonValue, where: Where) -> Iterator[Part]:
    if _is_entry(value):
        yield from _entry(value, where)
        return
    entries = at(value, "log", "entries")
    for index, entry in enumerate(entries if isinstance(entries, list) else []):
        yield from _entry(entry, below(where, f"/log/entries/{index}"))


def _entry(entry: JsonValue, where: Where) -> Iterator[Part]:
    posted = at(entry, "request", "postData")
    if not isinstance(member(posted, "text"), str):
        return
    yield Part(
        body=_text(posted, _encoding(member(entry, "request"))),
        where=below(where, "/request/postData/text"),
        at=member(entry, "startedDateTime"),
        endpoint=at(entry, "request", "url"),
        usage=usage_of(_text(at(entry, "response", "content"), None)),
    )


def _text(content: JsonValue, encoding: str | None) -> str | None:
    """The text of a body, out of base64 and its content encoding; None where there is none or it is damaged."""
    text = member(content, "text")
    if not isinstance(text, str):
        return None
    if first_of(content, "encoding", "_encoding") != "base64":
        return text
    try:
        return decoded(b64decode(text, validate=True), encoding)
    except (binascii.Error, ValueError):
        return None


def _encoding(request: JsonValue) -> str | None:
    headers = member(request, "headers")
    for header in headers if isinstance(headers, list) else []:
        name, value = member(header, "name"), member(header, "value")
        if isinstance(name, str) and name.lower() == "content-encoding" and isinstance(value, str):
            return value
    return None


FORMAT = SourceFormat("har", "HAR", _matches, each(_read))
