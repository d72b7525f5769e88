"""Where in a text a code point stands: bytes, line, column, and an excerpt of what follows."""

from dataclasses import dataclass

from promptc.streams.common_prefix import common_prefix
from promptc.streams.json_value import utf8_length

EXCERPT = 160


@dataclass(frozen=True, slots=True)
class Place:
    """A place in a text.

    Attributes:
        byte_offset: Bytes of UTF-8 before it.
        char_offset: Code points before it.
        line: From 1.
        column: In code points, from 1.
    """

    byte_offset: int
    char_offset: int
    line: int
    column: int


def place_of_difference(a: str, b: str, at_a: int, at_b: int) -> Place:
    """The place in `a` of the first differing byte.

    Two different characters may begin with the same bytes; these are counted as equal, as for two files.
    """
    byte_offset = utf8_length(a[:at_a])
    if at_a < len(a) and at_b < len(b):
        byte_offset += common_prefix(_bytes_of(a[at_a]), _bytes_of(b[at_b]))
    line_start = a.rfind("\n", 0, at_a) + 1
    return Place(byte_offset, at_a, a.count("\n", 0, at_a) + 1, at_a - line_start + 1)


def _bytes_of(character: str) -> bytes:
    return character.encode("utf-8", "surrogatepass")


def excerpt(text: str, start: int = 0) -> str:
    """The text from a place on, cut to a length that a person can read."""
    return text[start : start + EXCERPT]
