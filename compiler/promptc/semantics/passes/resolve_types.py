"""Resolve the types of inputs and fields, their classes, and check their defaults."""

from promptc.diagnostics.model import Diagnostic, Label
from promptc.diagnostics.sink import Sink
from promptc.diagnostics.suggest import suggest
from promptc.semantics.constants import MisfitError, constant
from promptc.semantics.symbols import Symbols
from promptc.syntax import expressions as ex
from promptc.syntax import nodes
from promptc.syntax.expressions import Ident
from promptc.types import Bool, Enum, Int, Json, List, Optional, Record, Text, Type

BUILTIN_TYPES: dict[str, Type] = {"text": Text(), "bool": Bool(), "int": Int(), "json": Json()}
_NEAR_MISSES = {
    "string": "text",
    "str": "text",
    "boolean": "bool",
    "integer": "int",
    "number": "int",
    "object": "json",
    "dict": "json",
    "any": "json",
}
MAX_EXACT = 2**53 - 1


def resolve_types(symbols: Symbols, sink: Sink) -> None:
    """Fill `symbols.field_types` and `symbols.input_types`.

    Diagnostics:
        PC203 unknown type, PC204 unknown class, PC314 default that does not fit, PC319 type without portable form,
        PC405 missing class.
    """
    resolver = _Resolver(symbols, sink)
    for record in symbols.records.values():
        fields: dict[str, Type] = {}
        for field in record.fields:
            if field.name.name in fields:
                sink.report(
                    Diagnostic("PC202", f"`{field.name.name}` is declared twice", Label(field.name.span, "again here"))
                )
            kind = resolver.resolve(field.type)
            if kind is not None:
                fields[field.name.name] = kind
        symbols.field_types[record.name.name] = fields
    for record in symbols.records.values():
        for field in record.fields:
            kind = symbols.field_types[record.name.name].get(field.name.name)
            resolver.check_default(kind, field.default)
    for scope in symbols.scopes.values():
        check_class(symbols, scope.holds, scope.name, "scope", sink)
    for name, decl in symbols.inputs.items():
        kind = resolver.resolve(decl.type)
        if kind is not None:
            symbols.input_types[name] = kind
        resolver.check_default(kind, decl.default)
        check_class(symbols, decl.cls, decl.name, "input", sink)
        if decl.max is not None and kind is not None and not isinstance(_inner(kind), Text):
            sink.report(Diagnostic("PC301", "`max ... chars` bounds texts only", Label(decl.max.span)))


def check_class(symbols: Symbols, cls: Ident | None, name: Ident, what: str, sink: Sink) -> None:
    """Check that a declaration has a class, and one of the chain.

    Diagnostics:
        PC204, PC405.
    """
    if cls is None:
        listed = " ".join(f"`@{c}`" for c in symbols.chain.names)
        sink.report(
            Diagnostic(
                "PC405",
                f"{what} `{name.name}` has no stability class",
                Label(name.span, "bound when?"),
                help=f"say when it is bound: {listed}; there is no default, since that is how volatile text is classed stable",
            )
        )
    elif cls.name not in symbols.chain.names:
        near = suggest(cls.name, list(symbols.chain.names))
        sink.report(
            Diagnostic(
                "PC204",
                f"`@{cls.name}` is not in the stability chain",
                Label(cls.span),
                help=f"did you mean `@{near}`?" if near else "the chain is " + " < ".join(symbols.chain.names),
            )
        )


def _inner(kind: Type) -> Type:
    return kind.item if isinstance(kind, Optional) else kind


class _Resolver:
    def __init__(self, symbols: Symbols, sink: Sink) -> None:
        self.symbols = symbols
        self.sink = sink

    def resolve(self, node: nodes.TypeExpr) -> Type | None:
        match node:
            case nodes.NamedType(name=name):
                return self._named(node, name)
            case nodes.RangeType(low=low, high=high):
                if low > high:
                    # Reported where the range was read (PC118).
                    return None
                if abs(low) > MAX_EXACT or abs(high) > MAX_EXACT:
                    self.sink.report(
                        Diagnostic(
                            "PC319",
                            f"`int {low}..{high}` holds numbers that not every target counts exactly",
                            Label(node.span),
                        )
                    )
                    return None
                return Int(low, high)
            case nodes.EnumType(members=members):
                return self._enum(members)
            case nodes.ListType(item=item):
                inner = self.resolve(item)
                return None if inner is None else List(inner)
            case nodes.OptionalType(item=item):
                inner = self.resolve(item)
                if isinstance(inner, Optional):
                    self.sink.report(
                        Diagnostic("PC319", "an optional of an optional cannot be told apart", Label(node.span))
                    )
                    return inner
                return None if inner is None else Optional(inner)

    def _named(self, node: nodes.NamedType, name: str) -> Type | None:
        if name in BUILTIN_TYPES:
            return BUILTIN_TYPES[name]
        if name in self.symbols.records:
            return Record(name)
        if name in ("float", "double", "decimal"):
            self.sink.report(
                Diagnostic(
                    "PC319",
                    f"`{name}` is not a type: the text of such a number differs between languages",
                    Label(node.span),
                    help="format it in the host and declare the input as `text`",
                )
            )
            return None
        if name in ("date", "datetime", "time"):
            self.sink.report(
                Diagnostic(
                    "PC319",
                    f"`{name}` is not a type: its text depends on locale and time zone",
                    Label(node.span),
                    help="format it in the host and declare the input as `text`",
                )
            )
            return None
        near = _NEAR_MISSES.get(name) or suggest(name, [*BUILTIN_TYPES, *self.symbols.records])
        self.sink.report(
            Diagnostic(
                "PC203",
                f"there is no type `{name}`",
                Label(node.span),
                help=f"did you mean `{near}`?" if near else "declare it: `record NAME { ... }`",
            )
        )
        return None

    def _enum(self, members: tuple[ex.TextLiteral, ...]) -> Type:
        seen: list[str] = []
        for member in members:
            if member.value in seen:
                self.sink.report(
                    Diagnostic("PC202", f'`"{member.value}"` stands twice in this type', Label(member.span))
                )
            else:
                seen.append(member.value)
        return Enum(tuple(seen))

    def check_default(self, kind: Type | None, default: ex.Expr | None) -> None:
        if kind is None or default is None:
            return
        try:
            constant(default, kind, self.symbols)
        except MisfitError as fault:
            self.sink.report(Diagnostic("PC314", f"this default does not fit: {fault.why}", Label(fault.span)))
