"""The whole texts behind a finding: its pointers followed into the streams that were compared."""

from collections.abc import Mapping
from dataclasses import dataclass

from promptc.streams.json_value import JsonValue, member, utf8_length
from promptc.streams.model import Element, PrefixStream, plain_text
from promptc.streams.result import Finding


@dataclass(frozen=True, slots=True)
class TextPair:
    """Two texts and where they part.

    Attributes:
        at_a: Code points of the first text before the divergence.
        at_b: The same for the second.
        byte_a: First differing byte of the first text.
        byte_b: The same for the second.
    """

    text_a: str
    text_b: str
    at_a: int
    at_b: int
    byte_a: int
    byte_b: int


def by_place(stream: PrefixStream) -> dict[str, Element]:
    """The elements of a stream by the pointer of what is compared."""
    return {element.at: element for element in stream.elements}


def texts_at(found: Finding, a: Mapping[str, Element], b: Mapping[str, Element]) -> TextPair | None:
    """The texts that a finding compares; None where it compares no texts, or its pointers lead to none.

    Args:
        found: The finding.
        a: Elements of the first stream by their place.
        b: The same of the second.
    """
    at_a, at_b, byte_a = found.char_offset, found.char_offset_b, found.byte_offset
    if at_a is None or at_b is None or byte_a is None:
        return None
    text_a, text_b = _text(a, found.pointer_a), _text(b, found.pointer_b)
    if text_a is None or text_b is None:
        return None
    # Two characters that differ may begin with the same bytes.
    shared = byte_a - utf8_length(text_a[:at_a])
    return TextPair(text_a, text_b, at_a, at_b, byte_a, utf8_length(text_b[:at_b]) + shared)


def _text(elements: Mapping[str, Element], pointer: str | None) -> str | None:
    """The text at a pointer: of the longest beginning that is an element, the rest followed inside it."""
    if pointer is None:
        return None
    at = pointer
    while at not in elements:
        at, slash, _ = at.rpartition("/")
        if not slash:
            return None
    return _followed(elements[at].value, pointer[len(at) :])


def _followed(value: JsonValue, rest: str) -> str | None:
    for part in rest.split("/")[1:]:
        key = part.replace("~1", "/").replace("~0", "~")
        if isinstance(value, list):
            if not key.isdecimal() or int(key) >= len(value):
                return None
            value = value[int(key)]
        elif isinstance(value, tuple):
            value = member(value, key)
        elif not isinstance(value, str):
            return None
        # A block that was sent as a bare string is named as if it were a block.
    return plain_text(value)
