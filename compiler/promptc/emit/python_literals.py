"""Python literals: texts that a reviewer can read in a diff, and constants."""

import re

from promptc.types import Bool, Enum, Int, Json, List, Nothing, Optional, Record, Text, Type
from promptc.unseen import FIND_UNSEEN

WIDTH = 120
_ESCAPES = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}


def text_literal(text: str) -> str:
    """A text as a string literal: what cannot be seen is escaped, quotes are those that need fewer escapes."""
    quote = "'" if text.count('"') > text.count("'") else '"'
    inside = text.replace("\\", "\\\\").replace(quote, "\\" + quote)
    return quote + FIND_UNSEEN.sub(_escape, inside) + quote


def comment_text(text: str) -> str:
    """A text that cannot end the comment that it stands in: file names may hold anything."""
    return "".join(char if char.isprintable() else "?" for char in text)


def bytes_literal(data: bytes) -> str:
    """ASCII bytes as a bytes literal."""
    return "b" + text_literal(data.decode("ascii"))


def _escape(found: re.Match[str]) -> str:
    char = found.group()
    if char in _ESCAPES:
        return _ESCAPES[char]
    code = ord(char)
    if code <= 0xFF:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"


def text_lines(text: str, line_end: str) -> list[str]:
    """A text in pieces, each up to and including a line end."""
    pieces = text.split(line_end)
    lines = [piece + line_end for piece in pieces[:-1]]
    return lines + ([pieces[-1]] if pieces[-1] or not lines else [])


def annotation(kind: Type, records: dict[str, str], literal: bool) -> str:
    """A type as an annotation.

    Args:
        records: Class name of every record.
        literal: Whether an enum is written as `Literal`; as `str` otherwise.
    """
    match kind:
        case Text():
            return "str"
        case Bool():
            return "bool"
        case Int():
            return "int"
        case Enum(members=members):
            return f"Literal[{', '.join(map(text_literal, members))}]" if literal else "str"
        case Json():
            return "object"
        case Nothing():
            return "None"
        case Record(name=name):
            return records[name]
        case List(item=item):
            return f"Sequence[{annotation(item, records, literal)}]"
        case Optional(item=item):
            return f"{annotation(item, records, literal)} | None"


def constant(value: object) -> str:
    """A JSON-like value as an expression; objects as dict displays with sorted keys."""
    if isinstance(value, str):
        return text_literal(value)
    if isinstance(value, dict):
        return "{" + ", ".join(f"{text_literal(key)}: {constant(value[key])}" for key in sorted(value)) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(constant, value)) + "]"
    return repr(value).replace("e+", "e")
