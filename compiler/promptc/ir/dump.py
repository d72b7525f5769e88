"""A residual program as text, for reading, for golden tests, and for its digest."""

import hashlib
from collections import deque
from dataclasses import is_dataclass

from promptc.ir.form import PLAIN_FORM
from promptc.ir.model import Program
from promptc.ir.walk import field_names
from promptc.source import Span

DIGEST_CHARS = 32
_WIDTH = 110
# Programs are immutable, and one build asks for the digest of the same program many times.
_RECENT: deque[tuple[Program, str]] = deque(maxlen=4)


def dump(program: Program, spans: bool = False) -> str:
    """The program as an indented tree of constructor calls; the same for equal programs on any machine.

    Args:
        spans: Whether to print where each text comes from.
    """
    return _node(program, 0, spans) + "\n"


def program_digest(program: Program) -> str:
    """Identifies what a program does: the first 128 bits of a SHA-256 over all of it but spans, as hex digits."""
    for known, digest in _RECENT:
        if known is program:
            return digest
    parts: list[str] = []
    _flatten(program, parts)
    digest = hashlib.sha256("\x00".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:DIGEST_CHARS]
    _RECENT.append((program, digest))
    return digest


def _flatten(node: object, out: list[str]) -> None:
    # The same facts as the dump, without its layout: texts with their length, everything else by type and order.
    if isinstance(node, str):
        out.append(f"{len(node)}:{node}")
    elif isinstance(node, tuple | list):
        out.append(f"[{len(node)}")
        for item in node:
            _flatten(item, out)
    elif isinstance(node, dict):
        out.append(f"{{{len(node)}")
        for key in sorted(node):
            _flatten(key, out)
            _flatten(node[key], out)
    elif isinstance(node, Span):
        return
    elif names := field_names(node):
        out.append(type(node).__name__)
        for name in names:
            value = getattr(node, name)
            # What came later leaves no trace where it says nothing, so that no digest that is stored somewhere changes.
            if value != PLAIN_FORM and not (name == "cache_key" and value is None):
                _flatten(value, out)
    else:
        out.append(repr(node))


def _node(node: object, depth: int, spans: bool) -> str:
    if isinstance(node, Span):
        return f"{node.path}:{node.start}-{node.end}"
    if is_dataclass(node):
        pairs = [(name, getattr(node, name)) for name in field_names(node)]
        shown = [(name, value) for name, value in pairs if spans or not isinstance(value, Span)]
        parts = [f"{name}={_node(value, depth + 1, spans)}" for name, value in shown]
        return _bracket(f"{type(node).__name__}(", parts, ")", depth)
    if isinstance(node, tuple | list):
        return _bracket("[", [_node(item, depth + 1, spans) for item in node], "]", depth)
    if isinstance(node, dict):
        return _bracket("{", [f"{key!r}: {_node(node[key], depth + 1, spans)}" for key in sorted(node)], "}", depth)
    if isinstance(node, str):
        return ascii(node)
    return repr(node)


def _bracket(start: str, parts: list[str], end: str, depth: int) -> str:
    flat = start + ", ".join(parts) + end
    if "\n" not in flat and len(flat) + 2 * depth <= _WIDTH:
        return flat
    inner = "".join(f"{'  ' * (depth + 1)}{part},\n" for part in parts)
    return f"{start}\n{inner}{'  ' * depth}{end}"
