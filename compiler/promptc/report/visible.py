"""Text from captures made harmless and visible: nothing in it controls a terminal, nothing in it hides."""

import unicodedata

from promptc.unseen import FIND_UNSEEN

_PICTURES = {"\n": "␊", "\r": "␍", "\t": "␉", "\x7f": "␡"}
# Characters of these categories have no picture of their own: controls, formats, surrogates, private, separators.
_HIDDEN = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})


def visible(text: str, blanks: bool = False, marks: bool = False) -> str:
    """The text in one line, every character seen.

    Args:
        text: Any text, hostile ones included.
        blanks: Whether plain spaces are shown as dots, for changes that are about them.
        marks: Whether combining marks are shown as code points, for changes of the normal form.

    Returns:
        Printable characters as they are; line ends and tabs as control pictures; others as `<U+200B>`.
    """
    return "".join(_shown(character, blanks, marks) for character in text)


def _shown(character: str, blanks: bool, marks: bool) -> str:
    if character in _PICTURES:
        return _PICTURES[character]
    if character == " ":
        return "·" if blanks else " "
    if character < " ":
        return chr(0x2400 + ord(character))
    if " " < character <= "~":
        return character
    category = unicodedata.category(character)
    if category in _HIDDEN or category == "Zs" or (marks and category.startswith("M")) or FIND_UNSEEN.match(character):
        return f"<U+{ord(character):04X}>"
    return character
