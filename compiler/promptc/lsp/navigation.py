"""Definition, references and rename: across all files of all compilations that a name takes part in."""

import re
from collections.abc import Iterator

from lsprotocol import types as lsp

from promptc.diagnostics.sink import Sink
from promptc.lsp.index import Occurrence, Symbol
from promptc.lsp.session import ProjectView
from promptc.pipeline import Compilation
from promptc.source import Span
from promptc.syntax.build_expressions import RESERVED

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*", re.ASCII)
# Names that expressions read: they share one space, and some words have a meaning of their own there.
_VALUES = frozenset(("input", "gate", "local"))

_ARTICLES = {"input": "an", "envelope": "an"}


class RenameError(Exception):
    """A name cannot be changed to another; the text says why."""


def definition(view: ProjectView, path: str, offset: int) -> list[lsp.Location]:
    """Where the name at a place is declared, or the file that a path at a place names."""
    for compilation, found in _at(view, path, offset):
        declared = view.index(compilation).declaration(found.symbol)
        if declared is not None:
            return [_location(view, declared.span)]
    target = file_at(view, path, offset)
    start = lsp.Position(0, 0)
    return [lsp.Location(view.uri(target), lsp.Range(start, start))] if target is not None else []


def file_at(view: ProjectView, path: str, offset: int) -> str | None:
    """Project-relative path of the file that is named by the quoted path at a place."""
    text = view.text(path)
    start = text.rfind("\n", 0, offset) + 1
    end = text.find("\n", offset)
    line = text[start : end if end >= 0 else len(text)]
    for match in re.finditer(r"""(?:use|from|use:|from:|-)\s*["']?([^"'\s]+\.[A-Za-z.]+)["']?""", line):
        if match.start(1) <= offset - start <= match.end(1):
            found = view.project.reader.resolve(match[1], path, None, Sink())
            known = found is not None and any(c.sources.get(found) for c in view.compilations(path))
            return found if known else None
    return None


def references(view: ProjectView, path: str, offset: int, with_declaration: bool) -> list[lsp.Location]:
    """All places of the name at a place."""
    found = [o for o in everywhere(view, path, offset) if with_declaration or not o.declares]
    return [_location(view, o.span) for o in found]


def highlights(view: ProjectView, path: str, offset: int) -> list[lsp.DocumentHighlight]:
    """The places of the name at a place in the same file."""
    lines = view.lines(path)
    return [
        lsp.DocumentHighlight(
            lines.span_range(o.span), lsp.DocumentHighlightKind.Write if o.declares else lsp.DocumentHighlightKind.Read
        )
        for o in everywhere(view, path, offset)
        if o.span.path == path
    ]


def everywhere(view: ProjectView, path: str, offset: int) -> list[Occurrence]:
    """All places of the name at a place, in all compilations that declare it at the same place; in order."""
    found: dict[Span, Occurrence] = {}
    for symbol, compilation in _same(view, path, offset):
        for occurrence in view.index(compilation).of(symbol):
            found.setdefault(occurrence.span, occurrence)
    return [found[span] for span in sorted(found)]


def _at(view: ProjectView, path: str, offset: int) -> Iterator[tuple[Compilation, Occurrence]]:
    for compilation in view.compilations(path):
        found = view.index(compilation).at(path, offset)
        if found is not None:
            yield compilation, found


def _same(view: ProjectView, path: str, offset: int) -> list[tuple[Symbol, Compilation]]:
    """The symbol at a place in every compilation where it is declared by the same words."""
    out: list[tuple[Symbol, Compilation]] = []
    places: set[Span] = set()
    for compilation, found in _at(view, path, offset):
        declared = view.index(compilation).declaration(found.symbol)
        if declared is None:
            out.append((found.symbol, compilation))
        else:
            places.add(declared.span)
    for place in sorted(places):
        for compilation in view.checked.compilations:
            here = view.index(compilation).at(place.path, place.start)
            if here is not None and here.declares and here.span == place:
                out.append((here.symbol, compilation))
    return out


def rename_range(view: ProjectView, path: str, offset: int) -> lsp.Range | None:
    """The name that would be renamed; None where there is none that may be."""
    for compilation, found in _at(view, path, offset):
        if view.index(compilation).declaration(found.symbol) is not None:
            return view.lines(path).span_range(found.span)
    return None


def rename(view: ProjectView, path: str, offset: int, name: str) -> lsp.WorkspaceEdit | None:
    """Edits that give the name at a place another one, wherever it stands.

    Raises:
        RenameError: The new name is none, or is taken.
    """
    if rename_range(view, path, offset) is None:
        return None
    if _NAME.fullmatch(name) is None:
        raise RenameError(f"`{name}` is not a name: letters, digits and `_`, no digit first")
    symbols = _same(view, path, offset)
    for symbol, compilation in symbols:
        _check_free(view, symbol, compilation, name)
    edits: dict[str, list[lsp.TextEdit]] = {}
    for occurrence in everywhere(view, path, offset):
        place = occurrence.span
        edit = lsp.TextEdit(view.lines(place.path).span_range(place), name)
        edits.setdefault(view.uri(place.path), []).append(edit)
    return lsp.WorkspaceEdit(changes=edits)


def _check_free(view: ProjectView, symbol: Symbol, compilation: Compilation, name: str) -> None:
    if name == symbol.name:
        return
    values = symbol.kind in _VALUES
    if values and (name in RESERVED or name == "loop"):
        raise RenameError(f"`{name}` has a meaning of its own in expressions")
    index = view.index(compilation)
    for other in index.nodes:
        if other.name != name:
            continue
        same_space = other.kind == symbol.kind and (symbol.kind == "local" or other.owner == symbol.owner)
        # A variable of that name would hide the value, or be hidden by it, somewhere.
        if same_space or (values and other.kind in _VALUES):
            raise RenameError(f"`{name}` is {_ARTICLES.get(other.kind, 'a')} {other.kind} already")
    if symbol.kind == "class" and name in compilation.facts.symbols.chain.names:
        raise RenameError(f"`{name}` is a class already")


def _location(view: ProjectView, span: Span) -> lsp.Location:
    return lsp.Location(view.uri(span.path), view.lines(span.path).span_range(span))
