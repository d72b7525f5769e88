"""Show the structure of a tree without its spans, for goldens and for comparing trees."""

from dataclasses import fields, is_dataclass
from typing import Any

from promptc.source import Span, TextMap

_WIDTH = 100


def dump(node: object) -> str:
    """The tree as nested lists: node name, then `field: value` for what is not empty.

    Two trees have the same dump exactly when they differ at most in spans, text maps and comments' places.

    Args:
        node: Any AST or IR dataclass, or a tuple of them.
    """
    return "\n".join(_lines(node)) + "\n"


def _lines(value: Any) -> list[str]:
    if isinstance(value, tuple | list):
        return _wrap("[", [_lines(item) for item in value], "]")
    if is_dataclass(value) and not isinstance(value, type):
        parts: list[list[str]] = []
        for field in fields(value):
            inner = getattr(value, field.name)
            if isinstance(inner, Span | TextMap) or inner is None or inner is False or inner == ():
                continue
            lines = _lines(inner)
            parts.append([f"{field.name}: {lines[0]}", *lines[1:]])
        return _wrap(f"({type(value).__name__}", parts, ")")
    return [ascii(value) if isinstance(value, str) and not value.isprintable() else repr(value)]


def _wrap(head: str, parts: list[list[str]], tail: str) -> list[str]:
    if all(len(part) == 1 for part in parts):
        gap = " " if len(head) > 1 and parts else ""
        line = head + gap + " ".join(part[0] for part in parts) + tail
        if len(line) <= _WIDTH:
            return [line]
    lines = [head]
    for part in parts:
        lines.extend("  " + line for line in part)
    lines[-1] += tail
    return lines
