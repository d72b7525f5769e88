"""Flow dumps of mitmproxy: one tnetstring behind the other, each a flow with request and response.

A tnetstring is the length of its payload in digits, a colon, the payload, and one byte that says its type.
"""

from collections.abc import Iterator, Mapping
from io import BufferedReader
from typing import TypeAlias

from promptc.streams.sources.content import decoded
from promptc.streams.sources.members import usage_of
from promptc.streams.sources.model import Part, SourceFormat, Where
from promptc.streams.sources.tally import Tally

Flow: TypeAlias = "bytes | str | int | float | bool | list[Flow] | dict[bytes | str, Flow] | None"
_MAX_DIGITS = 12
_MAX_DEPTH = 60


class _Damaged(ValueError):
    pass


def is_dump(head: bytes) -> bool:
    """Whether bytes begin like a dump: the length of a dictionary, whose first key is a string."""
    digits, colon, rest = head[:64].partition(b":")
    inner, second, _ = rest.partition(b":")
    return bool(colon and second) and digits.isdigit() and inner.isdigit() and len(digits) <= _MAX_DIGITS


def parts(stream: BufferedReader, tally: Tally, limit: int) -> Iterator[Part]:
    """The requests of a dump.

    Args:
        stream: The dump at its start.
        tally: Counts flows, and those that are too large or damaged.
        limit: Bytes of the largest flow.
    """
    number = 0
    while True:
        where = Where(None, f"/{number}")
        size = _size(stream, tally, where)
        if size is None:
            return
        tally.records += 1
        number += 1
        if size > limit:
            tally.unreadable.add(where, f"it is longer than {limit:,} bytes")
            if not _passed_over(stream, size + 1):
                tally.cut = f"a flow ends before its end, at `{where}`"
                return
            continue
        payload = stream.read(size + 1)
        if len(payload) <= size:
            tally.cut = f"a flow ends before its end, at `{where}`"
            return
        try:
            flow = _value(payload[:-1], payload[-1:], 0)
        except (ValueError, RecursionError) as fault:
            tally.unreadable.add(where, str(fault) or "it is no flow")
            continue
        yield _part(flow, where)


def _size(stream: BufferedReader, tally: Tally, where: Where) -> int | None:
    digits = b""
    while (byte := stream.read(1)) != b":":
        if not byte and not digits:
            return None
        digits += byte
        if not byte or not digits.isdigit() or len(digits) > _MAX_DIGITS:
            # Without its length nothing says where the next flow begins.
            tally.cut = f"no flow begins at `{where}`"
            return None
    return int(digits) if digits else 0


def _passed_over(stream: BufferedReader, size: int) -> bool:
    while size > 0:
        chunk = stream.read(min(size, 1 << 20))
        if not chunk:
            return False
        size -= len(chunk)
    return True


def _value(payload: bytes, kind: bytes, depth: int) -> Flow:
    if depth > _MAX_DEPTH:
        raise _Damaged(f"it is nested deeper than {_MAX_DEPTH} levels")
    match kind:
        case b",":
            return payload
        case b";":
            return payload.decode("utf-8", "replace")
        case b"#":
            return int(payload[: _MAX_DIGITS * 2])
        case b"^":
            return float(payload)
        case b"!":
            return payload == b"true"
        case b"~":
            return None
        case b"]":
            return list(_items(payload, depth))
        case b"}":
            found = list(_items(payload, depth))
            keys = (key for key in found[::2])
            return {key: item for key, item in zip(keys, found[1::2], strict=False) if isinstance(key, bytes | str)}
    raise _Damaged("a value is of no type of such dumps")


def _items(payload: bytes, depth: int) -> Iterator[Flow]:
    at = 0
    while at < len(payload):
        colon = payload.find(b":", at, at + _MAX_DIGITS + 1)
        digits = payload[at:colon] if colon >= 0 else b""
        if not digits.isdigit():
            raise _Damaged("a value has no length")
        end = colon + 1 + int(digits)
        if end >= len(payload):
            raise _Damaged("a value is longer than what holds it")
        yield _value(payload[colon + 1 : end], payload[end : end + 1], depth + 1)
        at = end + 1


def _part(flow: Flow, where: Where) -> Part:
    request = _get(flow, "request")
    content = _get(request, "content")
    if not isinstance(content, bytes) or not content:
        return Part(None, where)
    started = _get(request, "timestamp_start")
    return Part(
        body=decoded(content, _encoding(request)),
        where=Where(None, f"{where.pointer}/request/content"),
        at=str(started) if isinstance(started, int | float) else None,
        endpoint=_endpoint(request),
        usage=usage_of(_response(flow)),
    )


def _response(flow: Flow) -> str | None:
    response = _get(flow, "response")
    content = _get(response, "content")
    return decoded(content, _encoding(response)) if isinstance(content, bytes) else None


def _endpoint(request: Flow) -> str:
    host = _text(_get(request, "host")) or _text(_get(request, "authority"))
    return f"{_text(_get(request, 'scheme')) or 'https'}://{host}{_text(_get(request, 'path'))}"


def _encoding(message: Flow) -> str | None:
    headers = _get(message, "headers")
    for header in headers if isinstance(headers, list) else []:
        if isinstance(header, list) and len(header) == 2 and _text(header[0]).lower() == "content-encoding":
            return _text(header[1])
    return None


def _get(value: Flow, name: str) -> Flow:
    if not isinstance(value, Mapping):
        return None
    return value.get(name, value.get(name.encode()))


def _text(value: Flow) -> str:
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else value if isinstance(value, str) else ""


FORMAT = SourceFormat("mitmproxy", "mitmproxy flow dump", lambda value: False, lambda records: iter(()))
