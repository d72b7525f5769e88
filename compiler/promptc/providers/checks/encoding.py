"""Text that is not what it seems: halves of characters, and spellings that differ without showing it."""

import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping

from promptc.diagnostics.model import Diagnostic, Severity
from promptc.providers.checks.context import Context, Rule, finding
from promptc.providers.wire.view import Json, escaped

# The end of a text is a seam, and no editor sees it.
_BEFORE_NEWLINE = re.compile(r"[ \t]+(?=\n)")
_TRAILING = re.compile(r"[ \t]+$", re.MULTILINE)
# What locales put between the digits of a number.
_SEPARATOR = re.compile(r"(?<=\d)[.,'\u00a0\u202f\u2019](?=\d)")
_SURROGATE = re.compile("[\ud800-\udfff]")


def lone_surrogate(context: Context) -> Iterator[Diagnostic]:
    """Strings with half of a surrogate pair: no UTF-8 can carry them."""
    for pointer, text in strings(context.view.body):
        found = _SURROGATE.search(text)
        if found is not None:
            yield finding(
                "PC674",
                f"character {found.start()} is half of a surrogate pair, `\\u{ord(found.group()):04x}`",
                pointer,
                notes=("a cut between the halves of a character leaves this", *context.refusal("lone-surrogate")),
                help="cut between characters, never between code units",
            )


def strings(value: Json, pointer: str = "") -> Iterator[tuple[str, str]]:
    """Every string value of a JSON document with its pointer, in order."""
    if isinstance(value, str):
        yield pointer, value
    elif isinstance(value, Mapping):
        for key, item in value.items():
            yield from strings(item, f"{pointer}/{escaped(str(key))}")
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from strings(item, f"{pointer}/{index}")


def non_canonical(context: Context) -> Iterator[Diagnostic]:
    """Shared text in a spelling that another machine may not reproduce."""
    for block in context.view.blocks(context.provider.prefix_order.value):
        if block.lane == "messages":
            continue
        for pointer, text in strings(block.raw, block.pointer):
            problem = _spelling(text)
            if problem is not None:
                yield finding(
                    "PC644",
                    f"this shared text {problem}",
                    pointer,
                    notes=("two spellings that look the same are different bytes, so they share no prefix",),
                    help="normalise the text where it is read",
                )


def trailing_blanks(context: Context) -> Iterator[Diagnostic]:
    """White space at line ends of shared text, which editors and template engines take away; the first place only."""
    for block in context.view.blocks(context.provider.prefix_order.value):
        found = _BEFORE_NEWLINE.search(block.text or "") if block.lane == "system" else None
        if found is not None and block.text is not None:
            yield finding(
                "PC644",
                f"line {block.text.count(chr(10), 0, found.start()) + 1} of this shared text ends in white space",
                block.text_pointer,
                notes=("editors and formatters take it away, which is another prefix that looks the same",),
                help="trim the lines where the text is read",
                severity=Severity.HINT,
            )
            return


def respelling(was: str, now: str) -> str | None:
    """In what alone two texts differ that say the same: in words, or None where they differ in more."""
    for name, plain in _SPELLINGS:
        was, now = plain(was), plain(now)
        if was == now:
            return name
    if sorted(was.split("\n")) == sorted(now.split("\n")):
        return "the order of their lines"
    return None


_SPELLINGS: tuple[tuple[str, Callable[[str], str]], ...] = (
    (
        "line ends and byte order marks",
        lambda text: text.replace("\ufeff", "").replace("\r\n", "\n").replace("\r", "\n"),
    ),
    ("the normal form of characters", lambda text: unicodedata.normalize("NFC", text)),
    ("white space at line ends", lambda text: _TRAILING.sub("", text)),
    ("the separators of numbers", lambda text: _SEPARATOR.sub("", text)),
)


def _spelling(text: str) -> str | None:
    if "\ufeff" in text:
        return "holds a byte order mark"
    if "\r" in text:
        return "has line ends other than LF"
    if not text.isascii() and not unicodedata.is_normalized("NFC", text):
        return "is not in normal form C"
    return None


RULES: tuple[Rule, ...] = (lone_surrogate, non_canonical, trailing_blanks)
