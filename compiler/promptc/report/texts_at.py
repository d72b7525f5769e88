"""The whole texts behind a finding: its pointers followed into the streams that were compared."""

from dataclasses import dataclass

from promptc.streams.json_value import JsonValue, member, utf8_length
from promptc.streams.model import PrefixStream, plain_text
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


def texts_at(found: Finding, a: PrefixStream, b: PrefixStream) -> TextPair | None:
    """The texts that a finding compares; None where it compares no texts, or its pointers lead to none."""
    at_a, at_b, byte_a = found.char_offset, found.char_offset_b, found.byte_offset
    if at_a is None or at_b is None or byte_a is None:
        return None
    text_a, text_b = _text(a, found.pointer_a), _text(b, found.pointer_b)
    if text_a is None or text_b is None:
        return None
    # Two characters that differ may begin with the same bytes.
    shared = byte_a - utf8_length(text_a[:at_a])
    return TextPair(text_a, text_b, at_a, at_b, byte_a, utf8_length(text_b[:at_b]) + shared)


def _text(stream: PrefixStream, pointer: str | None) -> str | None:
    if pointer is None:
        return None
    for element in stream.elements:
        if pointer == element.at or pointer.startswith(f"{element.at}/"):
            value = _followed(element.value, pointer[len(element.at) :])
            if value is not None:
                return value
    return None


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
