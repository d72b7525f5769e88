"""Text that was not written by the author of a spec: it can hold the tags of an envelope and must not become one.

A backslash is put behind the bracket of everything that could be read as such a tag, so that it is seen, means
nothing, and can be taken away again: `<system-reminder>` becomes `<\\system-reminder>`. What a text of an attacker
can vary is looked through: case, look-alikes of letters and brackets, blanks, invisible characters, and a tag of which
only the head stands at the end of the text, since another text may follow.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from unicodedata import normalize

_BRACKET = re.compile(r"[<＜﹤‹˂ᐸ⟨〈❮❰⧼]|\\u003[cC]|&lt;?|&LT;?|&#0*60;?|&#[xX]0*3[cC];?")
# What a reader does not see, in ranges: soft hyphen, joiners, fillers, marks of direction, variants, tags, accents.
_UNSEEN = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f"
    "\ufeff\uffa0\ufff0-\ufff8\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f\U000e0000-\U000e0fff]"
)
_BETWEEN = frozenset(
    "\\/ \t\n\r\v\f\u00a0\u1680\u2028\u2029\u202f\u205f\u3000⁄∕／⧸\u2044" + "".join(map(chr, range(0x2000, 0x200B)))
)
_JOINERS = frozenset("-_ \t\n\u00a0\u2010\u2011\u2012\u2013\u2014\u2015\u2043\u2212\ufe58\ufe63\uff0d\uff3f.:")
# Letters of other scripts that look like those of ASCII; what normalisation maps to them is not listed.
_SMALL = ("аеорсухіјѕԁһԛԝмткнвгӏοναικρτυωϲϳᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘʀꜱᴛᴜᴠᴡʏᴢıɑɡɩʋոսօ",
          "aeopcyxijsdhqwmtkhbrlovaikptuwcjabcdefghijklmnoprstuvwyziagivnuo")  # fmt: skip
_CAPITAL = ("АЕОРСУХІЈЅԀҺМТКНВАΒΕΖΗΙΚΜΝΟΡΤΥΧ", "aeopcyxijsdhmtkhbabezhikmnoptyx")
_LOOKS_LIKE = dict(zip(_SMALL[0] + _CAPITAL[0], _SMALL[1] + _CAPITAL[1], strict=True))


def neutral(text: str, names: str) -> str:
    """The text with a backslash behind every bracket that could open a tag of these names.

    Args:
        names: Names of tags, with blanks between them.
    """
    if not _BRACKET.search(text):
        return text
    out: list[str] = []
    done = 0
    for end in _tags(text, names):
        out += (text[done:end], "\\")
        done = end
    return "".join([*out, text[done:]])


def original(text: str, names: str) -> str:
    """What `neutral` was given; a text that it did not make is given back as it is or with fewer backslashes."""
    out: list[str] = []
    done = 0
    for end in _tags(text, names):
        out.append(text[done:end])
        done = end + 1 if text[end : end + 1] == "\\" else end
    return "".join([*out, text[done:]])


def _tags(text: str, names: str) -> Iterator[int]:
    """Where the bracket ends of everything that could be a tag."""
    for bracket in _BRACKET.finditer(text):
        end = bracket.end()
        if any(_opens(text, end, name) for name in names.split()):
            yield end


def _opens(text: str, at: int, name: str) -> bool:
    """Whether what follows a bracket reads as the name, or ends before it could be told."""
    letters = _read_on(text, at)
    letter = next(letters, "")
    while letter and letter in _BETWEEN:
        letter = next(letters, "")
    for wanted in name:
        if wanted in _JOINERS:
            while letter and letter in _JOINERS:
                letter = next(letters, "")
        elif not letter:
            return True
        elif letter != wanted:
            return False
        else:
            letter = next(letters, "")
    return True


def _read_on(text: str, at: int) -> Iterator[str]:
    """What a reader sees from a place on, letter by letter."""
    for index in range(at, len(text)):
        yield from _plain(text[index])


@lru_cache(maxsize=4096)
def _plain(char: str) -> str:
    """The letters that a character is read as, those of ASCII where they look like them; none where it is not seen."""
    seen = _UNSEEN.sub("", normalize("NFKD", char))
    return "".join([_LOOKS_LIKE.get(letter, letter).lower() for letter in seen])
