"""The canonical form as edits of a document."""

from lsprotocol import types as lsp

from promptc.diagnostics.sink import Sink
from promptc.lsp.session import ProjectView
from promptc.source import Source
from promptc.syntax.format import format_module
from promptc.syntax.parser import parse_module


def format_document(view: ProjectView, path: str) -> list[lsp.TextEdit]:
    """Edits that bring a DSL file to its canonical form; none for one with a syntax error, and none for YAML."""
    if not path.endswith(".promptc"):
        return []
    text = view.text(path)
    source = Source(path, text)
    module = parse_module(source, Sink())
    if module.broken:
        return []
    wanted = format_module(module, source)
    if wanted == text:
        return []
    # Only the lines that differ are replaced, so that the cursor stays where it is.
    old, new = text.splitlines(keepends=True), wanted.splitlines(keepends=True)
    head = _alike(old, new)
    tail = _alike(old[head:][::-1], new[head:][::-1])
    start = len("".join(old[:head]))
    end = len(text) - len("".join(old[len(old) - tail :]))
    replacement = view.written(path, "".join(new[head : len(new) - tail]))
    return [lsp.TextEdit(view.lines(path).range(start, end), replacement)]


def _alike(old: list[str], new: list[str]) -> int:
    count = 0
    for mine, other in zip(old, new, strict=False):
        if mine != other:
            break
        count += 1
    return count
