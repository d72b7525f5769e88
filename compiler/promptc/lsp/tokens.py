"""Semantic tokens: names by what they are, in declarations and inside bodies."""

import re
from collections.abc import Iterator

from lsprotocol import types as lsp

from promptc.lsp.documents import Lines, units
from promptc.lsp.session import ProjectView
from promptc.lsp.workspace import real_span
from promptc.pipeline import Compilation
from promptc.syntax import bodies_ast as ast
from promptc.syntax.body_scanner import Tag, scan
from promptc.syntax.outline import ITEMS, TOKEN

TYPES = (
    "namespace", "type", "class", "enumMember", "parameter", "variable", "property", "function", "macro", "keyword",
    "comment", "string", "operator",
)  # fmt: skip
MODIFIERS = ("declaration", "readonly")
LEGEND = lsp.SemanticTokensLegend(list(TYPES), list(MODIFIERS))
_OF_SYMBOL = {
    "input": "parameter", "gate": "variable", "record": "type", "field": "property", "scope": "namespace",
    "envelope": "namespace", "section": "function", "placed": "function", "prompt": "class", "sample": "variable",
    "class": "enumMember", "local": "variable",
}  # fmt: skip
_WORDS = frozenset(word for words in ITEMS.values() for word in words) | frozenset(
    ("when", "deliver", "pin", "from", "untrusted", "max", "chars", "cut", "ttl", "holds", "order", "by", "defer",
     "policy", "fixed", "mask", "fallback", "extends", "for", "in", "delta", "inline", "frozen", "ephemeral", "key",
     "with", "before", "after", "last", "message", "variants", "tokens", "bytes", "and", "or", "not", "is", "if",
     "else", "true", "false", "none", "list", "text", "bool", "int", "json")
)  # fmt: skip

Token = tuple[int, int, str, bool]


def semantic_tokens(view: ProjectView, path: str) -> lsp.SemanticTokens:
    """All tokens of a file, encoded as the protocol has them."""
    compilation = next(iter(view.compilations(path)), None)
    if compilation is None:
        return lsp.SemanticTokens([])
    lines = view.lines(path)
    names = [
        (o.span.start, o.span.end, _OF_SYMBOL[o.symbol.kind], o.declares) for o in view.index(compilation).in_file(path)
    ]
    found = [*names, *_tags(compilation, path)]
    if path.endswith(".promptc"):
        found.extend(_words(lines.text, {start for start, *_ in found}))
    return lsp.SemanticTokens(_encoded(lines, sorted(found)))


def _words(text: str, taken: set[int]) -> Iterator[Token]:
    """Keywords and comments; texts are left to the tokens inside them."""
    for match in TOKEN.finditer(text):
        if match[0].startswith("#"):
            yield (match.start(), match.end(), "comment", False)
        elif match["word"] is not None and match[0] in _WORDS and match.start() not in taken:
            yield (match.start(), match.end(), "keyword", False)


def _tags(compilation: Compilation, path: str) -> Iterator[Token]:
    for source, body in compilation.facts.bodies.items():
        if isinstance(source, ast.FileRef):
            file = compilation.sources.get(body.span.path)
            if body.span.path == path and file is not None:
                for start, end, kind in _in_body(file.text):
                    yield (start, end, kind, False)
        elif source.span.path == path and "{" in source.text:
            for start, end, kind in _in_body(source.text):
                span = real_span(source.map.span(start, end), compilation.sources)
                yield (span.start, span.end, kind, False)


def _in_body(text: str) -> Iterator[tuple[int, int, str]]:
    for tag in scan(text):
        if tag.kind == "block" and tag.closed:
            yield (tag.start, tag.start + 2, "operator")
            if tag.word:
                yield (tag.word_start, tag.word_start + len(tag.word), "macro")
            yield (tag.end - 2, tag.end, "operator")
            yield from _operators(text, tag)
        elif tag.kind == "output" and tag.closed:
            yield (tag.start, tag.start + 2, "operator")
            yield (tag.end - 2, tag.end, "operator")
            yield from _operators(text, tag)
        elif text.startswith("{#", tag.start):
            yield (tag.start, tag.end, "comment")


def _operators(text: str, tag: Tag) -> Iterator[tuple[int, int, str]]:
    for match in re.finditer(
        r"\|\s*(\w+)|\"[^\"\n]*\"|'[^'\n]*'|\b(and|or|not|in|is|if|else)\b", text[tag.inner_start : tag.inner_end]
    ):
        at = tag.inner_start
        if match[1] is not None:
            yield (at + match.start(1), at + match.end(1), "function")
        elif match[2] is not None:
            yield (at + match.start(2), at + match.end(2), "keyword")
        elif tag.word != "include":
            yield (at + match.start(), at + match.end(), "string")


def _encoded(lines: Lines, tokens: list[Token]) -> list[int]:
    out: list[int] = []
    last_line = last_column = done = 0
    for start, end, kind, declares in tokens:
        if start < done:
            continue
        done = end
        at = start
        while at < end:
            # A token does not go over the end of a line.
            stop = lines.text.find("\n", at, end)
            stop = end if stop < 0 else stop
            if stop > at:
                place = lines.position(at)
                line, column = place.line, place.character
                delta = column - last_column if line == last_line else column
                length = units(lines.text[at:stop], lines.encoding)
                out += [line - last_line, delta, length, TYPES.index(kind), 1 if declares else 0]
                last_line, last_column = line, column
            at = stop + 1
    return out
