"""The passes in order, and the function that runs them."""

from collections.abc import Mapping, Sequence

from promptc.diagnostics.sink import Sink
from promptc.semantics.facts import Facts
from promptc.semantics.passes.check_delivery import check_delivery
from promptc.semantics.passes.check_gates import check_gates
from promptc.semantics.passes.check_order import check_order
from promptc.semantics.passes.check_text import check_text
from promptc.semantics.passes.check_types import check_types
from promptc.semantics.passes.collect_declarations import collect_declarations
from promptc.semantics.passes.find_cycles import find_cycles
from promptc.semantics.passes.find_unused import find_unused
from promptc.semantics.passes.infer_stability import infer_stability
from promptc.semantics.passes.resolve_layouts import resolve_layouts
from promptc.semantics.passes.resolve_types import resolve_types
from promptc.semantics.reads import Reader
from promptc.syntax import bodies_ast as ast
from promptc.syntax import nodes


def analyze(modules: Sequence[nodes.Module], bodies: Mapping[ast.BodySource, ast.Body], sink: Sink) -> Facts:
    """Return everything that can be told about a compilation.

    Args:
        modules: The root module first, then every module that it uses, in order of first use.
        bodies: All bodies of these modules, parsed; one is missing where its file could not be read.
        sink: Where faults are reported.
    """
    symbols = collect_declarations(modules, sink)
    resolve_types(symbols, sink)
    facts = Facts(symbols, dict(bodies))
    facts.layouts = resolve_layouts(symbols, sink)
    check_types(facts, sink)
    find_cycles(facts, sink)
    reader = Reader(facts)
    infer_stability(facts, reader, sink)
    check_order(facts, sink)
    check_delivery(facts, sink)
    check_gates(facts, reader, sink)
    check_text(facts, sink)
    if modules and not any(m.broken for m in modules):
        find_unused(facts, modules[0].path, sink)
    return facts
