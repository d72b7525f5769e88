"""Lay out YAML text: the styles of scalars, block mappings and lists, and comments beside them.

Everything that is written reads back as the same value under YAML 1.1 and 1.2: what readers dispute is quoted.
"""

import re
from dataclasses import dataclass, field
from typing import TypeAlias

from promptc.syntax.yaml_nodes import UNREADABLE
from promptc.syntax.yaml_values import is_plain_text

_PLAIN = re.compile(r"(?:[A-Za-z_/(]|\.{1,2}/)(?:.*[^ :\n])?")
_ESCAPES = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\t": "\\t", "\r": "\\r"}
_MAX_KEY = 900  # a key in front of a `:` has at most 1,024 characters
_MAX_FLOW = 100


@dataclass(slots=True)
class Verbatim:
    """A scalar that is written as it is: a number, a bool, `null`."""

    text: str


@dataclass(slots=True)
class Text:
    """A text; `block` asks for a block scalar where one can hold it; `tag` stands in front."""

    text: str
    block: bool = False
    tag: str = ""


@dataclass(slots=True)
class Words:
    """A list of short texts, on one line where it fits."""

    words: tuple[str, ...]


@dataclass(slots=True)
class Entry:
    """One entry of a mapping, or one item of a list (`key` is None).

    Attributes:
        key: The key.
        value: What it holds.
        at: Where it stood in the source that the tree was made from, to place comments; None: nowhere.
        leading: Comment lines in front of it.
        trailing: A comment behind it.
    """

    key: str | None
    value: "Value"
    at: int | None = None
    leading: list[str] = field(default_factory=list)
    trailing: str | None = None


@dataclass(slots=True)
class Mapping:
    """A mapping; each key once."""

    entries: list[Entry]


@dataclass(slots=True)
class Listing:
    """A list."""

    entries: list[Entry]


Value: TypeAlias = Verbatim | Text | Words | Mapping | Listing


def lay_out(top: Mapping, footer: list[str]) -> str:
    """The text of a file: the entries of `top` with a blank line between them, then the comments of `footer`."""
    lines: list[str] = []
    for entry in top.entries:
        # A blank line behind a text that keeps its final line ends would become part of it.
        if lines and not _ends_open(top.entries, entry):
            lines.append("")
        lines.extend(_entry(entry, 0))
    lines.extend(comment_line(text) for text in footer)
    return "".join(line + "\n" for line in lines)


def comment_line(text: str) -> str:
    """A comment as YAML can hold it."""
    return UNREADABLE.sub("\N{REPLACEMENT CHARACTER}", text.replace("\n", " "))


def _ends_open(entries: list[Entry], entry: Entry) -> bool:
    value = entries[next(at for at, other in enumerate(entries) if other is entry) - 1].value
    while isinstance(value, Mapping | Listing) and value.entries:
        value = value.entries[-1].value
    return isinstance(value, Text) and value.text.endswith("\n") and _fits_block(value)


def _entry(entry: Entry, indent: int) -> list[str]:
    pad = " " * indent
    lines = [pad + comment_line(text) for text in entry.leading]
    trailing = "  " + comment_line(entry.trailing) if entry.trailing else ""
    if entry.key is None:
        return lines + _item(entry.value, indent, trailing)
    key = scalar(entry.key)
    start = f"{pad}{key}:"
    if len(key) > _MAX_KEY:
        lines.append(f"{pad}? {key}")
        start = f"{pad}:"
    head, rest = _value(entry.value, indent)
    lines.append(start + (f" {head}" if head else "") + trailing)
    return lines + rest


def _item(value: Value, indent: int, trailing: str) -> list[str]:
    pad = " " * indent
    if isinstance(value, Mapping | Listing) and value.entries:
        first = value.entries[0]
        # A comment cannot stand between the dash and what it begins.
        hoisted, first.leading = [pad + comment_line(text) for text in first.leading], []
        if trailing and not first.trailing:
            first.trailing, trailing = trailing.strip(), ""
        lines = [line for entry in value.entries for line in _entry(entry, indent + 2)]
        lines[0] = f"{pad}- {lines[0][indent + 2 :]}"
        return hoisted + ([pad + trailing.strip()] if trailing else []) + lines
    head, rest = _value(value, indent)
    return [f"{pad}- {head}{trailing}", *rest]


def _value(value: Value, indent: int) -> tuple[str, list[str]]:
    """What stands on the line of the key or dash, and the lines below it."""
    if isinstance(value, Verbatim):
        return value.text, []
    if isinstance(value, Words):
        return _words(value, indent)
    if isinstance(value, Text):
        tag = f"{value.tag} " if value.tag else ""
        if _fits_block(value):
            return _block(value.text, tag, indent)
        return tag + scalar(value.text), []
    if not value.entries:
        return ("{}" if isinstance(value, Mapping) else "[]"), []
    return "", [line for entry in value.entries for line in _entry(entry, indent + 2)]


def _words(value: Words, indent: int) -> tuple[str, list[str]]:
    flow = "[" + ", ".join(scalar(word, flow=True) for word in value.words) + "]"
    if len(flow) <= _MAX_FLOW:
        return flow, []
    return "", [f"{' ' * (indent + 2)}- {scalar(word)}" for word in value.words]


# -- scalars -------------------------------------------------------------------------------------


def scalar(text: str, flow: bool = False) -> str:
    """A text on one line: plain where every reader takes it for this text, else quoted."""
    if _is_plain(text) and not (flow and re.search(r"[][{},]", text)):
        return text
    if '"' in text and "'" not in text and "\n" not in text and "\t" not in text and not UNREADABLE.search(text):
        return f"'{text}'"
    return '"' + re.sub(f'[\\\\"\n\t]|{UNREADABLE.pattern}', _escape, text) + '"'


def _is_plain(text: str) -> bool:
    return (
        _PLAIN.fullmatch(text) is not None
        and ": " not in text
        and " #" not in text
        and "\t" not in text
        and not UNREADABLE.search(text)
        and is_plain_text(text)
    )


def _escape(match: re.Match[str]) -> str:
    char = match[0]
    if char in _ESCAPES:
        return _ESCAPES[char]
    point = ord(char)
    if point < 0x100:
        return f"\\x{point:02x}"
    return f"\\u{point:04x}" if point < 0x10000 else f"\\U{point:08x}"


def _fits_block(value: Text) -> bool:
    return value.block and bool(value.text.strip(" \n")) and not UNREADABLE.search(value.text)


def _block(text: str, tag: str, indent: int) -> tuple[str, list[str]]:
    keep = text.endswith("\n")
    lines = (text[:-1] if keep else text).split("\n")
    first = next(line for line in lines if line)
    # Where the text itself begins with blanks, its indentation has to be said.
    explicit = "2" if first[0] in " \t" else ""
    pad = " " * (indent + 2)
    return f"{tag}|{explicit}{'+' if keep else ''}", [pad + line if line else "" for line in lines]
