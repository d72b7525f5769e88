"""Text from sources made fit for a screen: every character seen, none obeyed, each as wide as it will be drawn."""

import unicodedata
from bisect import bisect_right

TAB = "    "

# Characters of these categories control something or cannot be seen. Blanks other than U+0020 look like one.
_UNSEEN = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp", "Zs"})
# Characters that Unicode says to draw as nothing although their category is that of a letter or mark
# (DerivedCoreProperties, Default_Ignorable_Code_Point, Unicode 15): first, last of each run.
_IGNORABLE = (
    (0x034F, 0x034F),
    (0x115F, 0x1160),
    (0x17B4, 0x17B5),
    (0x180B, 0x180F),
    (0x3164, 0x3164),
    (0xFE00, 0xFE0F),
    (0xFFA0, 0xFFA0),
    (0xE0000, 0xE0FFF),
)
_IGNORABLE_STARTS = tuple(first for first, _ in _IGNORABLE)
_SKIN_TONES = range(0x1F3FB, 0x1F400)


def visible(text: str) -> str:
    """The text in one line: printable characters as they are, all others as `␛` or `\\u{202e}`."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(glyph(c) for c in text)


def glyph(character: str) -> str:
    """What is shown for one character. A line feed or tab is a picture here; `cell` expands tabs."""
    if " " <= character <= "~":
        return character
    if character < " ":
        return chr(0x2400 + ord(character))
    if character == "\x7f":
        return "␡"
    if unicodedata.category(character) in _UNSEEN or _is_ignorable(ord(character)):
        return f"\\u{{{ord(character):x}}}"
    return character


def _is_ignorable(point: int) -> bool:
    run = bisect_right(_IGNORABLE_STARTS, point) - 1
    return run >= 0 and point <= _IGNORABLE[run][1]


def cell(character: str, before: str = "") -> tuple[str, int]:
    """What is shown for one character of a source line, and its width in columns.

    Args:
        character: One code point.
        before: The code point in front of it, since a mark or skin tone is drawn onto that one.
    """
    if character == "\t":
        return TAB, len(TAB)
    drawn = glyph(character)
    if drawn != character:
        return drawn, len(drawn)
    return drawn, _width(character, before)


def columns(text: str) -> int:
    """The width of a text that has been made visible."""
    if text.isascii():
        return len(text)
    return sum(_width(c, b) for c, b in zip(text, " " + text, strict=False))


def _width(character: str, before: str) -> int:
    if character <= "~":
        return 1
    if unicodedata.category(character) in ("Mn", "Me"):
        return 0
    if ord(character) in _SKIN_TONES and before and unicodedata.east_asian_width(before) == "W":
        return 0
    # Vowels and final consonants of decomposed Hangul join the syllable that they follow.
    if "\u1160" <= character <= "\u11ff":
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1
