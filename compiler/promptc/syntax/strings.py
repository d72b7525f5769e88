"""Short texts and blocks: unescape, escape, dedent, each with a map back to the source."""

import re
from dataclasses import dataclass

from promptc.source import Segment

_ESCAPE = re.compile(r"\\(?:u\{([0-9A-Fa-f]{1,6})\}|([^\n]))", re.DOTALL)
_SIMPLE = {"\\": "\\", '"': '"', "'": "'", "n": "\n", "t": "\t", "r": "\r"}
_ESCAPED = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\t": "\\t", "\r": "\\r"}
# What must not stand in a source as itself: controls, and separators that editors break lines at.
_UNPRINTABLE = re.compile(r'[\\"\x00-\x1f\x7f-\x9f\u2028\u2029\ufeff\ud800-\udfff]')


@dataclass(frozen=True, slots=True)
class TextProblem:
    """What is wrong inside a text.

    Attributes:
        code: The diagnostic's code.
        start: First code point, in the text that holds the literal.
        end: One past the last one.
        message: The diagnostic's message.
        help: What to do.
        replacement: What the range should read, where that is mechanical.
    """

    code: str
    start: int
    end: int
    message: str
    help: str
    replacement: str | None = None


def unescape(raw: str, base: int, problems: list[TextProblem]) -> tuple[str, tuple[Segment, ...]]:
    """Resolve the escapes of a short text.

    Args:
        raw: What stands between the quotes.
        base: Offset of `raw` in the text that holds it.
        problems: Unknown escapes are added here (PC104); they stay in the result as written.

    Returns:
        The text, and the segments that map it to the text that holds the literal.
    """
    if "\\" not in raw:
        return raw, (Segment(0, base, len(raw), len(raw)),) if raw else ()
    parts: list[str] = []
    segments: list[Segment] = []
    length = done = 0

    def copy(end: int) -> None:
        nonlocal length, done
        if end > done:
            segments.append(Segment(length, base + done, end - done, end - done))
            parts.append(raw[done:end])
            length += end - done
            done = end

    for match in _ESCAPE.finditer(raw):
        value = _escape_value(match)
        if value is None:
            problems.append(_unknown_escape(match, base))
            continue
        copy(match.start())
        segments.append(Segment(length, base + match.start(), 1, match.end() - match.start()))
        parts.append(value)
        length += 1
        done = match.end()
    copy(len(raw))
    return "".join(parts), tuple(segments)


def _escape_value(match: re.Match[str]) -> str | None:
    if match[1] is None:
        return _SIMPLE.get(match[2])
    point = int(match[1], 16)
    # A surrogate is no character: it could not be written as UTF-8.
    return chr(point) if point <= 0x10FFFF and not 0xD800 <= point <= 0xDFFF else None


def _unknown_escape(match: re.Match[str], base: int) -> TextProblem:
    written = match[0]
    if match[1] is not None:
        message = f"`{written}` is not a character"
    else:
        message = f"`{written}` is not an escape" if written.isprintable() else "this is not an escape"
    return TextProblem(
        "PC104",
        base + match.start(),
        base + match.end(),
        message,
        "the escapes are `\\\\`, `\\\"`, `\\'`, `\\n`, `\\t`, `\\r` and `\\u{...}` with the number of a character;"
        " write `\\\\` for a backslash",
        "\\" + written,
    )


def escape(text: str) -> str:
    """The content of a short text that reads as `text`, without the quotes."""
    return _UNPRINTABLE.sub(lambda m: _ESCAPED.get(m[0]) or f"\\u{{{ord(m[0]):X}}}", text)
