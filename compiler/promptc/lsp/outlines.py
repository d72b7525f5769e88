"""Symbols of a document and of the workspace, and what can be folded."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import fields

from lsprotocol import types as lsp

from promptc.lsp.documents import Lines
from promptc.lsp.session import ProjectView
from promptc.lsp.workspace import real_span
from promptc.pipeline import Compilation
from promptc.source import Span
from promptc.syntax import bodies_ast as ast
from promptc.syntax import nodes
from promptc.syntax.expressions import Ident, Node

_KINDS = {
    "InputDecl": lsp.SymbolKind.Variable,
    "GateDecl": lsp.SymbolKind.Boolean,
    "RecordDecl": lsp.SymbolKind.Struct,
    "FieldDecl": lsp.SymbolKind.Field,
    "ScopeDecl": lsp.SymbolKind.Namespace,
    "EnvelopeDecl": lsp.SymbolKind.Package,
    "SectionDecl": lsp.SymbolKind.String,
    "IncludeItem": lsp.SymbolKind.String,
    "ToolGroup": lsp.SymbolKind.Array,
    "ToolDecl": lsp.SymbolKind.Function,
    "PromptDecl": lsp.SymbolKind.Class,
    "SampleDecl": lsp.SymbolKind.Object,
    "Lane": lsp.SymbolKind.Module,
    "Block": lsp.SymbolKind.Namespace,
}
_COMMENTS = re.compile(r"^[ \t]*#[^\n]*(?:\n[ \t]*#[^\n]*)+", re.MULTILINE)


def document_symbols(view: ProjectView, path: str) -> list[lsp.DocumentSymbol]:
    """The declarations of a file, nested."""
    found = _module(view, path)
    if found is None:
        return []
    compilation, module = found
    return list(_symbols(compilation, view.lines(path), module.items))


def _module(view: ProjectView, path: str) -> tuple[Compilation, nodes.Module] | None:
    for compilation in view.compilations(path):
        for module in compilation.modules:
            if module.path == path:
                return compilation, module
    return None


def _symbols(compilation: Compilation, lines: Lines, items: Iterable[Node]) -> Iterator[lsp.DocumentSymbol]:
    for item in items:
        kind = _KINDS.get(type(item).__name__)
        children = list(_symbols(compilation, lines, _children(item)))
        if kind is None:
            yield from children
            continue
        span = real_span(item.span, compilation.sources)
        name, place, detail = _name(item)
        at = real_span(place, compilation.sources)
        if not (span.start <= at.start and at.end <= span.end):
            # A block scalar or a key of YAML may begin in front of what the node covers.
            span = span.to(at)
        yield lsp.DocumentSymbol(
            name=name, kind=kind, range=lines.span_range(span), selection_range=lines.span_range(at), detail=detail,
            children=children or None,
        )  # fmt: skip


def _children(item: Node) -> Iterator[Node]:
    if isinstance(item, nodes.PromptDecl | nodes.Lane | nodes.Block | nodes.RecordDecl | nodes.Edit):
        for part in fields(item):
            value = getattr(item, part.name)
            for child in value if isinstance(value, tuple) else (value,):
                if isinstance(child, Node) and not isinstance(child, Ident):
                    yield child


def _name(item: Node) -> tuple[str, Span, str | None]:
    cls = getattr(item, "cls", None)
    detail = f"@{cls.name}" if isinstance(cls, Ident) else None
    if isinstance(item, nodes.Block):
        return (item.scope.name if item.scope is not None else "uncached"), item.span, "cache"
    if isinstance(item, nodes.Lane):
        return item.kind, item.span, None
    name = getattr(item, "name", None)
    if isinstance(name, Ident) and name.name:
        return name.name, name.span, detail
    return type(item).__name__, item.span, detail


def workspace_symbols(view: ProjectView, query: str) -> Iterator[lsp.WorkspaceSymbol]:
    """Declarations of the project whose name holds the letters of a query in order."""
    seen: set[Span] = set()
    for compilation in view.checked.compilations:
        index = view.index(compilation)
        for symbol, node in index.nodes.items():
            declared = index.declaration(symbol)
            kind = _KINDS.get(type(node).__name__)
            if declared is None or kind is None or declared.span in seen or not _matches(query, symbol.name):
                continue
            seen.add(declared.span)
            place = lsp.Location(view.uri(declared.span.path), view.lines(declared.span.path).span_range(declared.span))
            yield lsp.WorkspaceSymbol(place, symbol.name, kind, container_name=symbol.owner or None)


def _matches(query: str, name: str) -> bool:
    rest = iter(name.lower())
    return all(char in rest for char in query.lower())


def foldings(view: ProjectView, path: str) -> list[lsp.FoldingRange]:
    """Blocks, long texts, tags of bodies and rows of comments."""
    lines = view.lines(path)
    spans: dict[tuple[int, int], lsp.FoldingRangeKind | None] = {}

    def add(span: Span, kind: lsp.FoldingRangeKind | None = None) -> None:
        if span.path == path:
            first, last = lines.position(span.start).line, lines.position(span.end).line
            if last > first:
                spans.setdefault((first, last), kind)

    for compilation in view.compilations(path):
        for module in compilation.modules:
            if module.path == path:
                for item in module.items:
                    for node in _foldable(item):
                        add(real_span(node.span, compilation.sources))
        for body in compilation.facts.bodies.values():
            for part in _blocks(body.parts):
                add(real_span(part.span, compilation.sources))
        break
    if path.endswith((".promptc", ".yaml", ".yml")):
        for match in _COMMENTS.finditer(view.text(path)):
            add(Span(path, match.start(), match.end()), lsp.FoldingRangeKind.Comment)
    return [lsp.FoldingRange(first, last, kind=kind) for (first, last), kind in sorted(spans.items())]


def _foldable(node: Node) -> Iterator[Node]:
    if not isinstance(node, Ident):
        yield node
    for part in fields(node):
        value = getattr(node, part.name)
        for child in value if isinstance(value, tuple) else (value,):
            if isinstance(child, Node):
                yield from _foldable(child)


def _blocks(parts: Iterable[ast.Part]) -> Iterator[ast.If | ast.For]:
    for part in parts:
        match part:
            case ast.If(branches=branches, orelse=orelse):
                yield part
                for branch in branches:
                    yield from _blocks(branch.body)
                yield from _blocks(orelse)
            case ast.For(body=body, orelse=orelse):
                yield part
                yield from _blocks(body)
                yield from _blocks(orelse)
            case _:
                continue
