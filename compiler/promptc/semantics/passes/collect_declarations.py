"""Gather the declarations of all modules into one table a kind."""

from collections.abc import Iterable
from typing import TypeVar

from promptc.diagnostics.model import Diagnostic, Label
from promptc.diagnostics.sink import Sink
from promptc.semantics.lattice import Chain
from promptc.semantics.symbols import Symbols
from promptc.syntax import nodes
from promptc.syntax.build_expressions import RESERVED
from promptc.syntax.expressions import Ident, Node
from promptc.syntax.traffic_nodes import TrafficDecl

LANGUAGE_VERSION = 1

# An envelope that every spec can name without declaring it.
BUILTIN_ENVELOPES = {"reminder": ("<system-reminder>\n", "\n</system-reminder>")}

Decl = TypeVar("Decl")


def collect_declarations(modules: Iterable[nodes.Module], sink: Sink) -> Symbols:
    """Return the symbol table of a compilation.

    Diagnostics:
        PC202 for a name declared twice, PC216 for an unknown language version, PC226 for an input or gate that no
        expression could read, PC415 for a faulty chain.
    """
    symbols = Symbols()
    chain: nodes.StabilityDecl | None = None
    for module in modules:
        for item in module.items:
            match item:
                case nodes.Language(version=version) if version != LANGUAGE_VERSION:
                    sink.report(
                        Diagnostic(
                            "PC216",
                            f"language version {version} is not known to this compiler",
                            Label(item.span),
                            help=f"it knows version {LANGUAGE_VERSION}",
                        )
                    )
                case nodes.StabilityDecl():
                    if chain is not None:
                        _duplicate(sink, "the stability chain", item, chain)
                    chain = item
                    symbols.chain = _chain(item, sink)
                case TrafficDecl():
                    if symbols.traffic is not None:
                        _duplicate(sink, "the traffic", item, symbols.traffic)
                    symbols.traffic = symbols.traffic or item
                case nodes.RequireDecl():
                    symbols.requires.append(item)
                case nodes.LimitDecl():
                    symbols.limits.append(item)
                case nodes.Allow():
                    symbols.allows.append(item)
                case _:
                    _named(symbols, item, sink)
    return symbols


def _named(symbols: Symbols, item: nodes.Item, sink: Sink) -> None:
    match item:
        case nodes.InputDecl():
            _readable(item.name, "input", sink)
            if _declare(symbols.values, item.name, item, sink):
                symbols.inputs[item.name.name] = item
        case nodes.GateDecl():
            _readable(item.name, "gate", sink)
            if _declare(symbols.values, item.name, item, sink):
                symbols.gates[item.name.name] = item
        case nodes.RecordDecl():
            _declare(symbols.records, item.name, item, sink)
        case nodes.ScopeDecl():
            _declare(symbols.scopes, item.name, item, sink)
        case nodes.EnvelopeDecl():
            _declare(symbols.envelopes, item.name, item, sink)
        case nodes.SectionDecl():
            _declare(symbols.sections, item.name, item, sink)
        case nodes.PromptDecl():
            _declare(symbols.prompts, item.name, item, sink)
        case nodes.SampleDecl():
            _declare(symbols.samples, item.name, item, sink)
        case _:
            # `use` and `language` declare nothing.
            return


def _readable(name: Ident, what: str, sink: Sink) -> None:
    # A declaration takes any word; an expression does not. `loop` is a name there too, but every `for` gives it away.
    if name.name not in RESERVED and name.name != "loop":
        return
    sink.report(
        Diagnostic(
            "PC226",
            f"the {what} `{name.name}` cannot be read: expressions have a meaning of their own for that word",
            Label(name.span, "a word of the expression language"),
            help=f"choose another name, such as `{name.name.lower()}_value`",
        )
    )


def _declare(table: dict[str, Decl], name: Ident, item: Decl, sink: Sink) -> bool:
    earlier = table.get(name.name)
    if earlier is None:
        table[name.name] = item
        return True
    first = getattr(earlier, "name", None)
    _duplicate(sink, f"`{name.name}`", name, first if isinstance(first, Ident) else name)
    return False


def _duplicate(sink: Sink, what: str, node: Node, earlier: Node) -> None:
    sink.report(
        Diagnostic(
            "PC202",
            f"{what} is declared twice",
            Label(node.span, "declared again here"),
            (Label(earlier.span, "first declared here"),),
            help="rename or remove one of them",
        )
    )


def _chain(item: nodes.StabilityDecl, sink: Sink) -> Chain:
    names: list[str] = []
    for ident in item.classes:
        if ident.name in names:
            sink.report(Diagnostic("PC415", f"`{ident.name}` stands twice in the chain", Label(ident.span)))
        else:
            names.append(ident.name)
    if len(names) < 2:
        sink.report(Diagnostic("PC415", "a stability chain needs at least two classes", Label(item.span)))
        return Chain()
    return Chain(tuple(names))
