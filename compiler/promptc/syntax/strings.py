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
        edits: Replacements of ranges that mend it, where that is mechanical.
        fix: What the edits do, as an imperative.
    """

    code: str
    start: int
    end: int
    message: str
    help: str
    edits: tuple[tuple[int, int, str], ...] = ()
    fix: str = ""


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
    start = base + match.start()
    return TextProblem(
        "PC104",
        start,
        base + match.end(),
        message,
        "the escapes are `\\\\`, `\\\"`, `\\'`, `\\n`, `\\t`, `\\r` and `\\u{...}` with the number of a character;"
        " write `\\\\` for a backslash",
        ((start, start, "\\"),),
        "write `\\\\`",
    )


def escape(text: str) -> str:
    """The content of a short text that reads as `text`, without the quotes."""
    return _UNPRINTABLE.sub(lambda m: _ESCAPED.get(m[0]) or f"\\u{{{ord(m[0]):X}}}", text)


@dataclass(frozen=True, slots=True)
class Block:
    """A block text that was read.

    Attributes:
        text: The text, dedented.
        segments: From offsets of `text` to the text that holds the block.
        unclosed: The block has run into what follows it: its own closing quotes are missing.
    """

    text: str
    segments: tuple[Segment, ...]
    unclosed: bool = False


_OPENING = re.compile(r'"{3,}')
_BLANKS = re.compile(r"[ \t]*")


def read_block(raw: str, base: int, problems: list[TextProblem]) -> Block:
    """Dedent a block by the indentation of its closing quotes.

    Args:
        raw: The literal with its quotes.
        base: Offset of `raw` in the text that holds it.
        problems: Takes PC105, PC106 and PC107, each at most once a block.
    """
    opening = _OPENING.match(raw)
    quotes = opening.end() if opening is not None else 3
    body = raw[quotes:-quotes]
    first_end = body.find("\n")
    if first_end < 0:
        return Block(body, (Segment(0, base + quotes, len(body), len(body)),) if body else ())
    last_start = body.rfind("\n") + 1
    indent = body[last_start:]
    if body[:first_end].strip(" \t"):
        problems.append(_beside_quotes(body[:first_end], base + quotes, indent))
    start = first_end + 1
    if last_start == start:
        return Block("", ())
    lines = body[start : last_start - 1].split("\n")
    return _dedent(lines, indent, base + quotes + start, problems)


def _beside_quotes(beside: str, at: int, indent: str) -> TextProblem:
    skipped = len(beside) - len(beside.lstrip(" \t"))
    return TextProblem(
        "PC105",
        at + skipped,
        at + len(beside.rstrip(" \t")),
        "the text starts beside its opening quotes",
        "a text of several lines starts on the line after the quotes",
        ((at, at + skipped, "\n" + indent),),
        "move it to the next line",
    )


def _dedent(lines: list[str], indent: str, base: int, problems: list[TextProblem]) -> Block:
    parts: list[str] = []
    segments: list[Segment] = []
    shallow: list[tuple[int, str]] = []
    at = 0
    width = len(indent)
    for number, line in enumerate(lines):
        if line.startswith(indent):
            cut = width
        else:
            cut = min(len(line) - len(line.lstrip(" \t")), width)
            if line.strip(" \t"):
                shallow.append((base, line))
        text = line[cut:] if number == len(lines) - 1 else line[cut:] + "\n"
        if text:
            before = segments[-1] if segments else None
            if before is not None and before.source + before.length == base + cut:
                segments[-1] = Segment(before.at, before.source, before.length + len(text), before.length + len(text))
            else:
                segments.append(Segment(at, base + cut, len(text), len(text)))
            parts.append(text)
            at += len(text)
        base += len(line) + 1
    unclosed = any(_opens_another(line.strip(" \t")) for _, line in shallow)
    if shallow and not unclosed:
        problems.append(_shallow_problem(shallow, indent))
    return Block("".join(parts), tuple(segments), unclosed)


def _opens_another(line: str) -> bool:
    """Whether another text opens on a line: a block without closing quotes of its own runs to that one's."""
    return line[:1].isalpha() and line.endswith('"""')


def _shallow_problem(shallow: list[tuple[int, str]], indent: str) -> TextProblem:
    at, line = shallow[0]
    blanks = _blanks(line)
    mixed = not indent.startswith(blanks)
    others = f"; {len(shallow) - 1} more lines of this text are too" if len(shallow) > 1 else ""
    edits = tuple((start, start + len(_blanks(text)), indent) for start, text in shallow)
    if mixed:
        message = "this line and the closing quotes are indented with different mixtures of tabs and spaces"
        return TextProblem("PC107", at, at + len(blanks), message, "indent both alike", edits, "indent both alike")
    return TextProblem(
        "PC106",
        at,
        at + max(len(blanks), 1),
        f"this line is indented less than the closing quotes{others}",
        "the closing quotes say how far the text is indented: move them left, or the line right",
        edits,
        "indent as far as the closing quotes",
    )


def _blanks(line: str) -> str:
    match = _BLANKS.match(line)
    return match[0] if match is not None else ""
