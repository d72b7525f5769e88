"""Bytes of a capture to a prefix stream: the format is detected, the target and the order are defaults of it."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TypeAlias, cast

from promptc.diagnostics.model import Diagnostic
from promptc.providers.model import Provider
from promptc.providers.registry import BUILTIN, Registry
from promptc.streams import (
    anthropic_messages,
    bedrock_converse,
    gemini_generate,
    openai_chat,
    openai_responses,
)
from promptc.streams.assembly import Assembly
from promptc.streams.detect import detect_format
from promptc.streams.json_decode import decode_json, not_utf8
from promptc.streams.json_pair import Decoded, decode_pair
from promptc.streams.json_value import JsonObject, JsonValue, has_member, without
from promptc.streams.model import LANES, Lane, PrefixStream
from promptc.streams.plain_text import text_stream

TEXT_SUFFIXES = (".md", ".txt")
Reading: TypeAlias = Callable[[str | None], tuple[PrefixStream | None, tuple[Diagnostic, ...]]]


@dataclass(frozen=True, slots=True)
class Shape:
    """How one request shape is read.

    Attributes:
        name: Name of the format.
        order: Lanes in cache order unless the caller says otherwise.
        target_of: The provider that a body is written for.
        read: Fills an assembly.
        attributes: The members that are not prefix.
    """

    name: str
    order: tuple[Lane, ...]
    target_of: Callable[[JsonObject], str]
    read: Callable[[JsonObject, Assembly, tuple[Lane, ...]], None]
    attributes: Callable[[JsonObject], JsonObject]


def _all_but(members: tuple[str, ...]) -> Callable[[JsonObject], JsonObject]:
    return lambda body: without(body, *members)


SHAPES: dict[str, Shape] = {
    shape.name: shape
    for shape in (
        Shape(m.FORMAT, m.ORDER, m.target_of, m.read, _all_but(m.MEMBERS))
        for m in (anthropic_messages, openai_chat, openai_responses, gemini_generate)
    )
} | {
    bedrock_converse.FORMAT: Shape(
        bedrock_converse.FORMAT,
        bedrock_converse.ORDER,
        bedrock_converse.target_of,
        bedrock_converse.read,
        bedrock_converse.attributes,
    )
}


def read_stream(
    data: bytes,
    path: str,
    target: str | None = None,
    order: tuple[str, ...] | None = None,
    format: str | None = None,
    registry: Registry = BUILTIN,
) -> tuple[PrefixStream | None, tuple[Diagnostic, ...]]:
    """The prefix stream of one file.

    Args:
        data: The bytes: a request body as JSON, or a plain text.
        path: Name of the file, for reports.
        target: Provider; None for the one that the shape is written for.
        order: Lanes in cache order (`tools`, `system`, `messages`); None for the target's.
        format: Shape to assume where the body could be several; None for the target's, or a guess.
        registry: What is known about providers.

    Returns:
        The stream, None when the bytes cannot be compared; and what was found.

    Diagnostics:
        PC674, PC801 to PC806; see their pages.
    """
    if path.endswith(TEXT_SUFFIXES) or not looks_like_json(data):
        return _text(data, path, target)
    return _decoded(decode_json(data, path), data, path, target, order, format, registry)


def _decoded(
    decoded: Decoded,
    data: bytes,
    path: str,
    target: str | None,
    order: tuple[str, ...] | None,
    format: str | None,
    registry: Registry,
) -> tuple[PrefixStream | None, tuple[Diagnostic, ...]]:
    body, found = decoded
    if body is None and found:
        return None, found
    stream, more = stream_of_body(body, path, target, order, format, registry)
    if stream is None:
        stream, more = text_stream(data.decode("utf-8"), path, target), (_no_request(path),)
    return stream, (*found, *more)


def read_pair(
    a: tuple[bytes, str],
    b: tuple[bytes, str],
    target: str | None = None,
    order: tuple[str, ...] | None = None,
    registry: Registry = BUILTIN,
) -> tuple[PrefixStream | None, PrefixStream | None, tuple[Diagnostic, ...]]:
    """The streams of two files that are to be compared; where one could be several shapes, the other one decides.

    Args:
        a: Bytes and name of the first file.
        b: Bytes and name of the second.
        target: As in `read_stream`.
        order: As in `read_stream`.
        registry: As in `read_stream`.
    """
    if all(looks_like_json(data) and not path.endswith(TEXT_SUFFIXES) for data, path in (a, b)):
        decoded_a, decoded_b = decode_pair(a, b)
        return agreed(
            lambda format: _decoded(decoded_a, *a, target, order, format, registry),
            lambda format: _decoded(decoded_b, *b, target, order, format, registry),
        )
    return agreed(
        lambda format: read_stream(*a, target, order, format, registry),
        lambda format: read_stream(*b, target, order, format, registry),
    )


def agreed(a: Reading, b: Reading) -> tuple[PrefixStream | None, PrefixStream | None, tuple[Diagnostic, ...]]:
    """Two streams that are to be compared; where one could be several shapes, the other one decides.

    Args:
        a: Reads the first, given the shape to assume where several fit.
        b: Reads the second.
    """
    first, found_a = a(None)
    second, found_b = b(None)
    if first is not None and second is not None and first.format != second.format:
        if not first.format_is_sure:
            first, found_a = a(second.format)
        elif not second.format_is_sure:
            second, found_b = b(first.format)
    return first, second, (*found_a, *found_b)


def _text(data: bytes, path: str, target: str | None) -> tuple[PrefixStream | None, tuple[Diagnostic, ...]]:
    try:
        return text_stream(data.decode("utf-8"), path, target), ()
    except UnicodeDecodeError as fault:
        return None, (not_utf8(data, fault, path),)


def _no_request(path: str) -> Diagnostic:
    return Diagnostic(
        "PC806",
        f"`{path}` is JSON but no request of a shape that promptc knows; it is compared as text",
        None,
        notes=("a request has `messages`, `contents` or `input`",),
        help="for a request, give the body that was sent, without the envelope of a log around it",
        pointer="",
    )


def looks_like_json(data: bytes) -> bool:
    """Whether a file is meant as JSON rather than as text: by its first character, and for `[` by what follows."""
    head = data[:512].removeprefix(b"\xef\xbb\xbf").lstrip()
    if head.startswith(b"{"):
        rest = head[1:].lstrip()
        return rest[:1] in (b'"', b"}", b"")
    if head.startswith(b"["):
        return head[1:].lstrip()[:1] in (b"{", b"]", b"")
    return False


def stream_of_body(
    body: JsonValue,
    path: str,
    target: str | None = None,
    order: tuple[str, ...] | None = None,
    format: str | None = None,
    registry: Registry = BUILTIN,
) -> tuple[PrefixStream | None, tuple[Diagnostic, ...]]:
    """The stream of a decoded body, None when it has no shape of a request; see `read_stream`."""
    if isinstance(body, list) and body and all(has_member(item, "role") for item in body):
        # A bare list of messages is how some logs keep a conversation.
        body = (("messages", body),)
    detected = detect_format(body) if isinstance(body, tuple) else None
    if detected is None:
        return None, ()
    facts = _facts(target, registry)
    name = detected.name if detected.sure else (format or (facts.format if facts else detected.name))
    shape = SHAPES[name if name in SHAPES else detected.name]
    request = cast(JsonObject, body)
    goes_to = target or shape.target_of(request)
    lanes = _default_order(shape, goes_to, registry) if order is None else _lanes(order)
    into = Assembly(path)
    shape.read(request, into, lanes)
    stream = into.finish(path, shape.name, goes_to, lanes, shape.attributes(request))
    members = tuple(key for key, _ in request)
    return replace(stream, member_order=members, format_is_sure=detected.sure), tuple(into.diagnostics)


def _facts(target: str | None, registry: Registry) -> Provider | None:
    try:
        return None if target is None else registry.provider(target)
    except KeyError:
        return None


def _default_order(shape: Shape, target: str, registry: Registry) -> tuple[Lane, ...]:
    """The target's own order, as far as the shape has its lanes; that of the shape where no facts are at hand."""
    facts = _facts(target, registry)
    if facts is None:
        return shape.order
    return tuple(lane for lane in facts.prefix_order.value if lane in shape.order)


def _lanes(order: tuple[str, ...]) -> tuple[Lane, ...]:
    return tuple(lane for name in order for lane in LANES if lane == name)
