"""Bodies with little around them: one, a list, an envelope with `requests`, a line for each."""

from collections.abc import Iterator

from promptc.streams.detect import detect_format
from promptc.streams.json_value import JsonValue, has_member, member
from promptc.streams.sources.members import first_of, is_messages, is_object
from promptc.streams.sources.model import Part, SourceFormat, Where, below, each

# `params` is what batches of one vendor call the body.
_WRAPPERS = ("body", "params")


def is_body(value: JsonValue) -> bool:
    """Whether a value is a request of a known shape, or the messages of one."""
    return is_messages(value) or (isinstance(value, tuple) and detect_format(value) is not None)


def is_bare(value: JsonValue) -> bool:
    """Whether a value is a request, or an envelope of requests, with no record around any of them."""
    requests = member(value, "requests")
    if isinstance(requests, list):
        return not any(_wrapper(item) for item in requests)
    return is_body(value)


def _wrapper(value: JsonValue) -> str | None:
    """The member that holds the body of a record; None for what is no record."""
    if not is_object(value) or is_body(value):
        return None
    return next((name for name in _WRAPPERS if is_body(member(value, name))), None)


def _matches(value: JsonValue) -> bool:
    requests = member(value, "requests")
    if isinstance(requests, list):
        return any(is_body(item) or _wrapper(item) is not None for item in requests)
    return is_body(value) or _wrapper(value) is not None


def _read(value: JsonValue, where: Where) -> Iterator[Part]:
    requests = member(value, "requests")
    if not isinstance(requests, list):
        yield _part(value, where, value)
        return
    for index, item in enumerate(requests):
        yield _part(item, below(where, f"/requests/{index}"), value)


def _part(item: JsonValue, where: Where, around: JsonValue) -> Part:
    wrapper = _wrapper(item) or next((name for name in _WRAPPERS if has_member(item, name)), None)
    if wrapper is None or is_body(item):
        return Part(body=item, where=where, endpoint=member(around, "endpoint") if around is not item else None)
    return Part(
        body=member(item, wrapper),
        where=below(where, f"/{wrapper}"),
        at=first_of(item, "at", "timestamp"),
        endpoint=first_of(item, "endpoint", "path", "url") or member(around, "endpoint"),
        usage=first_of(item, "usage", "response_usage"),
        session=first_of(item, "session", "session_id") or first_of(around, "session", "session_id"),
    )


FORMAT = SourceFormat("bodies", "request bodies", _matches, each(_read))
