"""Where every name of a compilation is declared and used: what definition, references and rename go by."""

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field, fields

from promptc.lsp.workspace import real_span
from promptc.pipeline import Compilation
from promptc.source import Span
from promptc.syntax import bodies_ast as ast
from promptc.syntax import expressions as ex
from promptc.syntax import nodes
from promptc.syntax.elements import elements_in
from promptc.types import List, Optional, Record, Type


@dataclass(frozen=True, slots=True)
class Symbol:
    """Something that has a name.

    Attributes:
        kind: `input`, `gate`, `record`, `field`, `scope`, `envelope`, `section` (of a library), `placed` (an element of
            a prompt), `prompt`, `sample`, `class`, or `local` (a variable of a body).
        owner: Record of a field, prompt of a placed element, place of the section of a local; else empty.
    """

    kind: str
    name: str
    owner: str = ""


@dataclass(frozen=True, slots=True)
class Occurrence:
    """One place of a name.

    Attributes:
        span: In the text itself; quotes around the name are not part of it.
        declares: Whether the name is declared here.
    """

    symbol: Symbol
    span: Span
    declares: bool


@dataclass
class Index:
    """All names of a compilation.

    Attributes:
        occurrences: In order of place, each place once.
        nodes: The declaration or element that declares a symbol.
    """

    occurrences: tuple[Occurrence, ...] = ()
    nodes: dict[Symbol, ex.Node] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._by_path: dict[str, list[Occurrence]] = {}
        for found in self.occurrences:
            self._by_path.setdefault(found.span.path, []).append(found)
        self._by_symbol: dict[Symbol, list[Occurrence]] = {}
        for found in self.occurrences:
            self._by_symbol.setdefault(found.symbol, []).append(found)

    def in_file(self, path: str) -> list[Occurrence]:
        """The names in one file, in order."""
        return self._by_path.get(path, [])

    def at(self, path: str, offset: int) -> Occurrence | None:
        """The name at a place; its end counts too, as where a cursor stands behind it."""
        row = self.in_file(path)
        index = bisect_right(row, offset, key=lambda o: o.span.start)
        for found in reversed(row[max(index - 2, 0) : index]):
            if found.span.start <= offset <= found.span.end:
                return found
        return None

    def of(self, symbol: Symbol) -> list[Occurrence]:
        """All places of a symbol, in order."""
        return self._by_symbol.get(symbol, [])

    def declaration(self, symbol: Symbol) -> Occurrence | None:
        """Where a symbol is declared."""
        return next((o for o in self.of(symbol) if o.declares), None)


def index_names(compilation: Compilation) -> Index:
    """The index of a compilation; what could not be resolved has no entry."""
    collector = _Collector(compilation)
    for module in compilation.modules:
        for item in module.items:
            collector.visit(item)
    found = {(o.span, o.symbol): o for o in collector.found}
    ordered = sorted(found.values(), key=lambda o: (o.span, not o.declares))
    return Index(tuple(ordered), collector.nodes)


class _Collector:
    def __init__(self, compilation: Compilation) -> None:
        self.facts = compilation.facts
        self.symbols = compilation.facts.symbols
        self.sources = compilation.sources
        self.found: list[Occurrence] = []
        self.nodes: dict[Symbol, ex.Node] = {}
        self.prompt = ""
        self.section = ""

    # -- notes -------------------------------------------------------------------------------------

    def note(
        self, kind: str, ident: ex.Ident | ex.Name | nodes.NamedType, owner: str = "", declares: bool = False
    ) -> Symbol:
        symbol = Symbol(kind, ident.name, owner)
        span = real_span(ident.span, self.sources)
        source = self.sources.get(span.path)
        written = source.text[span.start : span.end] if source is not None else ident.name
        if written != ident.name and written[1:-1] == ident.name:
            span = Span(span.path, span.start + 1, span.end - 1)
        elif written != ident.name:
            # A spelling with escapes, or a name that the other surface wrote as part of something else.
            return symbol
        self.found.append(Occurrence(symbol, span, declares))
        return symbol

    def declare(self, kind: str, node: ex.Node, ident: ex.Ident, owner: str = "") -> None:
        self.nodes.setdefault(self.note(kind, ident, owner, True), node)

    def cls(self, ident: ex.Ident | None) -> None:
        if ident is not None and ident.name in self.symbols.chain.names:
            self.note("class", ident)

    def scope(self, ident: ex.Ident | None) -> None:
        if ident is not None and ident.name in self.symbols.scopes:
            self.note("scope", ident)

    # -- declarations ------------------------------------------------------------------------------

    def visit(self, node: ex.Node) -> None:
        """Note the names of a node and of everything in it."""
        match node:
            case nodes.InputDecl():
                self.declare("input", node, node.name)
                self.cls(node.cls)
                self.literal(node.default, self.symbols.input_types.get(node.name.name))
                self.visit(node.type)
            case nodes.GateDecl():
                self.declare("gate", node, node.name)
                self.visit(node.condition)
            case nodes.RecordDecl():
                self.declare("record", node, node.name)
                for part in node.fields:
                    self.declare("field", part, part.name, node.name.name)
                    kind = self.symbols.field_types.get(node.name.name, {}).get(part.name.name)
                    self.literal(part.default, kind)
                    self.visit(part.type)
            case nodes.NamedType():
                if node.name in self.symbols.records:
                    self.note("record", node)
            case nodes.ScopeDecl():
                self.declare("scope", node, node.name)
                self.cls(node.holds)
            case nodes.EnvelopeDecl():
                self.declare("envelope", node, node.name)
            case nodes.StabilityDecl():
                for ident in node.classes:
                    self.declare("class", node, ident)
            case nodes.PromptDecl():
                self.declare("prompt", node, node.name)
                if node.extends is not None and node.extends.name in self.symbols.prompts:
                    self.note("prompt", node.extends)
                self.prompt = node.name.name
                self.children(node)
                self.prompt = ""
            case nodes.Lane():
                if node.envelope is not None and node.envelope.name in self.symbols.envelopes:
                    self.note("envelope", node.envelope)
                self.children(node)
            case nodes.Block():
                self.scope(node.scope)
                self.scope(node.fallback)
                self.children(node)
            case nodes.SampleDecl():
                self.sample(node)
            case nodes.LimitDecl():
                self.limit(node)
            case nodes.Edit():
                self.edit(node)
            case _:
                self.element(node)

    def children(self, node: ex.Node) -> None:
        for part in fields(node):
            for child in _nodes(getattr(node, part.name)):
                if not isinstance(child, ex.Ident):
                    self.visit(child)

    def element(self, node: ex.Node) -> None:
        match node:
            case nodes.SectionDecl():
                kind = "placed" if self.prompt else "section"
                self.declare(kind, node, node.name, self.prompt)
                self.cls(node.cls)
                self.section = f"{node.name.span.path}:{node.name.span.start}"
                self.children(node)
                self.section = ""
            case nodes.IncludeItem():
                if node.name.name in self.symbols.sections:
                    self.note("section", node.name)
                self.children(node)
            case nodes.ToolGroup():
                self.declare("placed", node, node.name, self.prompt)
                self.cls(node.cls)
                self.order(node)
                for part in (node.source, node.when, node.defer):
                    if part is not None:
                        self.visit(part)
            case nodes.ToolDecl():
                self.declare("placed", node, node.name, self.prompt)
                self.cls(node.cls)
                self.children(node)
            case ast.Template() | ast.FileRef():
                body = self.facts.bodies.get(node)
                if body is not None:
                    self.children(body)
            case _:
                self.expression(node)

    def order(self, group: nodes.ToolGroup) -> None:
        record = _record(self.facts.types.get(group.source))
        for ident in group.order:
            if record is not None and ident.name in self.symbols.field_types.get(record, {}):
                self.note("field", ident, record)

    def sample(self, node: nodes.SampleDecl) -> None:
        self.declare("sample", node, node.name)
        if node.prompt.name in self.symbols.prompts:
            self.note("prompt", node.prompt)
        for binding in node.bindings:
            if binding.name.name in self.symbols.inputs:
                self.note("input", binding.name)
            self.literal(binding.value, self.symbols.input_types.get(binding.name.name))

    def limit(self, node: nodes.LimitDecl) -> None:
        name = node.subject.name
        if node.metric == "variants" and name in self.symbols.scopes:
            self.note("scope", node.subject)
        elif name in self.symbols.prompts:
            self.note("prompt", node.subject)
        elif node.metric != "variants":
            for prompt in self.symbols.prompts:
                symbol = self.placed(prompt, name)
                if symbol is not None:
                    self.note(symbol.kind, node.subject, symbol.owner)
                    return

    def edit(self, node: nodes.Edit) -> None:
        decl = self.symbols.prompts.get(self.prompt)
        if decl is not None and decl.extends is not None:
            symbol = self.placed(decl.extends.name, node.target.name)
            if symbol is not None:
                self.note(symbol.kind, node.target, symbol.owner)
        self.children(node)

    def placed(self, prompt: str, name: str) -> Symbol | None:
        """What an element is called by in a prompt: an element of its own, or a section of a library."""
        seen: set[str] = set()
        decl = self.symbols.prompts.get(prompt)
        while decl is not None and decl.name.name not in seen:
            seen.add(decl.name.name)
            for element in elements_in(decl.items):
                if element.name.name == name:
                    if isinstance(element, nodes.IncludeItem):
                        return Symbol("section", name)
                    return Symbol("placed", name, decl.name.name)
            decl = self.symbols.prompts.get(decl.extends.name) if decl.extends is not None else None
        return None

    # -- expressions and bodies --------------------------------------------------------------------

    def expression(self, node: ex.Node) -> None:
        match node:
            case ex.Name():
                resolution = self.facts.names.get(node)
                if resolution is not None and resolution.kind in ("input", "gate"):
                    self.note(resolution.kind, node)
                elif resolution is not None and resolution.kind == "local" and self.section:
                    self.note("local", node, f"{self.section}:{resolution.name}")
            case ex.Attribute():
                self.visit(node.value)
                record = _record(self.facts.types.get(node.value))
                if record is not None and node.name.name in self.symbols.field_types.get(record, {}):
                    self.note("field", node.name, record)
            case ast.For() | ast.Set():
                ident = node.target if isinstance(node, ast.For) else node.name
                unique = self.facts.locals.get(node)
                if unique is not None:
                    self.declare("local", node, ident, f"{self.section}:{unique}")
                self.children(node)
            case ast.Include():
                if node.name.name in self.symbols.sections:
                    self.note("section", node.name)
            case _:
                self.children(node)

    def literal(self, value: ex.Expr | None, kind: Type | None) -> None:
        """Note the fields that the records of a literal name."""
        inner = kind.item if isinstance(kind, Optional) else kind
        match value:
            case ex.RecordLiteral(fields=parts) if isinstance(inner, Record):
                known = self.symbols.field_types.get(inner.name, {})
                for part in parts:
                    if part.name.name in known:
                        self.note("field", part.name, inner.name)
                        self.literal(part.value, known[part.name.name])
            case ex.ListLiteral(items=items) if isinstance(inner, List):
                for item in items:
                    self.literal(item, inner.item)
            case _:
                return


def _record(kind: Type | None) -> str | None:
    """Name of the record that a type is, is optionally, or is a list of."""
    while isinstance(kind, Optional | List):
        kind = kind.item
    return kind.name if isinstance(kind, Record) else None


def _nodes(value: object) -> Iterator[ex.Node]:
    if isinstance(value, ex.Node):
        yield value
    elif isinstance(value, tuple):
        for part in value:
            yield from _nodes(part)
