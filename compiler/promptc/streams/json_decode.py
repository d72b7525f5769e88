"""Bytes to a JSON value, with every fault of the bytes as a diagnostic and never as an exception."""

import json
import re
from collections.abc import Iterator
from json import JSONDecodeError, JSONDecoder

from promptc.diagnostics.model import Diagnostic, Label, Severity
from promptc.source import Span
from promptc.streams.json_value import JsonValue, escape

# Far above what schemas and tool inputs nest, far below where recursive code of Python would give up.
MAX_DEPTH = 200


class _NotJson(ValueError):
    """`NaN` and the infinities: Python reads them, JSON has no such numbers."""


def _refuse_constant(name: str) -> JsonValue:
    raise _NotJson(name)


# `str.encode` and `tuple` run in C: a number becomes the bytes of its spelling, an object the tuple of its pairs.
_DECODER = JSONDecoder(
    object_pairs_hook=tuple, parse_int=str.encode, parse_float=str.encode, parse_constant=_refuse_constant
)
_LONE_SURROGATE = re.compile("[\ud800-\udfff]")


def decode_json(data: bytes, path: str) -> tuple[JsonValue, tuple[Diagnostic, ...]]:
    """The value of a JSON text.

    Args:
        data: The bytes; a UTF-8 byte order mark is dropped.
        path: Name of the text in diagnostics.

    Returns:
        The value and what was found. The value is None where an error was found (and for the text `null`).

    Diagnostics:
        PC801 (not JSON), PC802 (nested too deeply), PC803 (not UTF-8), PC804 (duplicate key), PC674 (half a surrogate pair).
    """
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as fault:
        return None, (not_utf8(data, fault, path),)
    try:
        value: JsonValue = _DECODER.decode(text)
    except JSONDecodeError as fault:
        return None, (_not_json(fault, text, path),)
    except _NotJson as fault:
        message = f"`{path}` is not JSON: `{fault}` is not a number of JSON"
        return None, (Diagnostic("PC801", message, Label(Span(path, 0, 0))),)
    except RecursionError:
        return None, (_too_deep(path),)
    return inspected(value, data, path)


def not_utf8(data: bytes, fault: UnicodeDecodeError, path: str) -> Diagnostic:
    """The diagnostic for bytes that are not UTF-8, at the first such byte."""
    before = len(data[: fault.start].decode("utf-8", "replace"))
    return Diagnostic(
        "PC803",
        f"`{path}` is not UTF-8: byte {fault.start} is 0x{data[fault.start]:02X}",
        Label(Span(path, before, before), "the first byte that fits no character"),
        notes=("a provider reads UTF-8, so bytes in another encoding cannot be compared with what it caches",),
        help="convert the file to UTF-8",
    )


def _not_json(fault: JSONDecodeError, text: str, path: str) -> Diagnostic:
    reason = fault.msg[:1].lower() + fault.msg[1:]
    truncated = fault.pos >= len(text.rstrip()) or fault.msg.startswith("Unterminated")
    notes = ("the text ends before its value does, as a cut-off capture would",) if truncated else ()
    where = f"line {fault.lineno}, column {fault.colno}"
    return Diagnostic(
        "PC801",
        f"`{path}` is not JSON: {reason} at {where}",
        Label(Span(path, fault.pos, fault.pos), "decoding stops here"),
        notes=notes,
    )


def _too_deep(path: str) -> Diagnostic:
    return Diagnostic(
        "PC802",
        f"`{path}` is nested deeper than {MAX_DEPTH} levels",
        Label(Span(path, 0, 0)),
        notes=("no provider takes a request nested like that",),
    )


def scan_value(text: str, at: int) -> tuple[JsonValue, int]:
    """The value that begins at a place of a text, and where it ends.

    Raises:
        StopIteration, ValueError, RecursionError: No value of JSON begins there.
    """
    # The scanner is the decoder's own, in C; the type stubs do not know it.
    value, end = _DECODER.scan_once(text, at)  # type: ignore[attr-defined]
    return value, end


def inspected(value: JsonValue, data: bytes, path: str) -> tuple[JsonValue, tuple[Diagnostic, ...]]:
    """A decoded value with what is to be said of it; None where it is nested too deeply.

    Args:
        data: The bytes that it stands in.
    """
    depth, duplicates = _measure(value)
    if depth > MAX_DEPTH:
        return None, (_too_deep(path),)
    found: list[Diagnostic] = []
    if duplicates:
        found.extend(_duplicates(value, path))
    # An escape is the only way that half a pair gets through a UTF-8 decoder; most bodies have none at all.
    if b"\\u" in data and (b"\\ud" in data or b"\\uD" in data):
        found.extend(_half_pairs(value, path))
    return value, tuple(found)


def _measure(value: JsonValue) -> tuple[int, bool]:
    """Depth of nesting, and whether any object has a key twice."""
    level: list[JsonValue] = [value]
    depth, duplicates = 0, False
    while level and depth <= MAX_DEPTH:
        below: list[JsonValue] = []
        for item in level:
            if isinstance(item, tuple):
                if len(dict(item)) != len(item):
                    duplicates = True
                below += [child for _, child in item if isinstance(child, (tuple, list))]
            elif isinstance(item, list):
                below += [child for child in item if isinstance(child, (tuple, list))]
        level = below
        depth += 1
    return depth, duplicates


def _nodes(value: JsonValue, at: str = "") -> Iterator[tuple[str, JsonValue]]:
    yield at, value
    if isinstance(value, tuple):
        for key, item in value:
            yield from _nodes(item, f"{at}/{escape(key)}")
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from _nodes(item, f"{at}/{index}")


def _duplicates(value: JsonValue, path: str) -> Iterator[Diagnostic]:
    for at, item in _nodes(value):
        if not isinstance(item, tuple):
            continue
        seen: set[str] = set()
        for key, _ in item:
            if key in seen:
                yield Diagnostic(
                    "PC804",
                    f"the object at `{at or '/'}` of `{path}` has the key {json.dumps(key)} twice",
                    None,
                    notes=("decoders differ in which one they keep; here the last counts",),
                    pointer=f"{at}/{escape(key)}",
                )
                break
            seen.add(key)


def _half_pairs(value: JsonValue, path: str) -> Iterator[Diagnostic]:
    for at, item in _nodes(value):
        if isinstance(item, str) and (match := _LONE_SURROGATE.search(item)):
            yield Diagnostic(
                "PC674",
                f"the text at `{at}` of `{path}` holds half a surrogate pair, U+{ord(match[0]):04X}",
                None,
                notes=("it has no form in UTF-8; a provider refuses or replaces it",),
                severity=Severity.WARNING,  # it can still be compared
                pointer=at,
            )
