"""Expressions and running text of POML."""

import re
from dataclasses import replace

from promptc.diagnostics.sink import Sink
from promptc.importing.jinja_expressions import condition, lower
from promptc.importing.model import BOOL, TEXT, For, If, Out, Part, Parts, Text, Type, merged
from promptc.importing.scope import MAX_STEPS, Findings, Scope, UnsupportedError, hole
from promptc.source import Span, TextMap
from promptc.syntax import expressions as ex
from promptc.syntax.map_slicer import MapSlicer
from promptc.syntax.parser import parse_expression

_TOKEN = re.compile(
    r"\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\]|\\.)*'|===?|!==?|&&|\|\||!|\.length\b|\bloop\.index\b|\bnull\b|\bundefined\b"
)
_WORDS = {
    "===": "==",
    "!==": "!=",
    "&&": " and ",
    "||": " or ",
    "!": "not ",
    ".length": " | length",
    "loop.index": "loop.index0",
    "null": "none",
    "undefined": "none",
}
_TERNARY = re.compile(r"([^?]+)\?([^?:]+):([^?:]+)")
_ESCAPES = {
    "#lt;": "<",
    "#gt;": ">",
    "#amp;": "&",
    "#quot;": '"',
    "#apos;": "'",
    "#hash;": "#",
    "#lbrace;": "{",
    "#rbrace;": "}",
}
_ESCAPE = re.compile(r"#(?:lt|gt|amp|quot|apos|hash|lbrace|rbrace);")
_INNER_LINE = re.compile(r"\n(?!\n|\Z)")
_BLANKS = re.compile(r"[ \t\r\n]+")


def bare(text: str) -> str:
    """An attribute that is an expression, with or without its braces."""
    plain = text.strip()
    is_output = plain.startswith("{{") and plain.find("}}") == len(plain) - 2
    return plain[2:-2].strip() if is_output else plain


def value_of(raw: str, span: Span, scope: Scope, found: Findings, type: Type | None = TEXT) -> ex.Expr | None:
    """The expression that a JavaScript one stands for, or an input that the host computes."""
    text = _TOKEN.sub(lambda token: _WORDS.get(token[0], token[0]), raw)
    choice = _TERNARY.fullmatch(text)
    if choice is not None:
        text = f"{choice[2].strip()} if {choice[1].strip()} else {choice[3].strip()}"
    quiet = Sink()
    parsed = parse_expression(text, TextMap(span.path, (), span.start), quiet)
    if raw.count(".") > MAX_STEPS:
        return hole(raw, span, f"a path has at most {MAX_STEPS} steps", type, scope, found)
    reason = next((d.message for d in quiet.sorted()), "it is no expression of a spec")
    if parsed is not None and not quiet.has_errors:
        try:
            return (condition if type == BOOL else lower)(parsed, scope)
        except UnsupportedError as why:
            reason = str(why)
    return hole(raw, span, reason, type, scope, found)


def running(text: str, places: TextMap, scope: Scope, found: Findings, keep: bool = False) -> Parts:
    """Text with its outputs; runs of blanks and line feeds are one blank unless they are to be kept."""
    span = MapSlicer(places).span
    parts: list[Part] = []
    at = 0

    def literal(start: int, end: int) -> None:
        plain = text[start:end] if keep else _BLANKS.sub(" ", text[start:end])
        if plain:
            parts.append(Text(_ESCAPE.sub(lambda e: _ESCAPES[e[0]], plain), span(start, end)))

    while (start := text.find("{{", at)) >= 0 and (close := text.find("}}", start)) >= 0:
        literal(at, start)
        at = close + 2
        place = span(start, at)
        value = value_of(text[start + 2 : close].strip(), place, scope, found)
        if value is not None:
            parts.append(Out(value, place))
    literal(at, len(text))
    return tuple(parts)


def attribute_text(text: str, span: Span, scope: Scope, found: Findings) -> Parts:
    """The text of an attribute with its outputs."""
    return tuple(replace(part, span=span) for part in running(text, TextMap(span.path, (), span.start), scope, found))


def folded(parts: Parts) -> Parts:
    """Running text without blanks at its ends, and never two blanks in a row."""
    out: list[Part] = []
    for part in parts:
        if isinstance(part, Text):
            text = part.text
            before = out[-1] if out else None
            if text.startswith(" ") and (
                before is None or (isinstance(before, Text) and before.text.endswith((" ", "\n")))
            ):
                text = text[1:]
            if text:
                out.append(replace(part, text=text))
        else:
            out.append(part)
    if out and isinstance(out[-1], Text):
        last = out.pop()
        assert isinstance(last, Text)
        if kept := last.text.rstrip(" "):
            out.append(replace(last, text=kept))
    return tuple(out)


def indented(parts: Parts, by: str, ends: bool = True) -> Parts:
    """The parts with every line but the first indented; what is inserted keeps its lines.

    Args:
        ends: Whether nothing follows on the last line.
    """
    out: list[Part] = []
    for index, part in enumerate(merged(parts)):
        more = not ends or index + 1 < len(merged(parts))
        match part:
            case Text(text=text):
                text = _INNER_LINE.sub("\n" + by, text)
                out.append(replace(part, text=text + by if more and text.endswith("\n") else text))
            case If(arms=arms):
                inner = tuple(replace(arm, body=indented(arm.body, by, not more)) for arm in arms)
                out.append(replace(part, arms=inner, orelse=indented(part.orelse, by, not more)))
            case For():
                out.append(replace(part, body=indented(part.body, by, False)))
            case _:
                out.append(part)
    return tuple(out)
