"""The passes in order, and the function that runs them."""

from collections.abc import Mapping, Sequence

from promptc.diagnostics.model import Diagnostic, Severity
from promptc.diagnostics.sink import Sink, severity_of
from promptc.semantics.facts import Facts
from promptc.semantics.passes.check_delivery import check_delivery
from promptc.semantics.passes.check_expansion import check_expansion
from promptc.semantics.passes.check_gates import check_gates
from promptc.semantics.passes.check_order import check_order
from promptc.semantics.passes.check_samples import check_samples
from promptc.semantics.passes.check_text import check_text
from promptc.semantics.passes.check_traffic import check_traffic
from promptc.semantics.passes.check_trust import check_trust
from promptc.semantics.passes.check_types import check_types
from promptc.semantics.passes.collect_declarations import collect_declarations
from promptc.semantics.passes.find_cycles import find_cycles
from promptc.semantics.passes.find_unused import find_unused
from promptc.semantics.passes.infer_stability import infer_stability
from promptc.semantics.passes.resolve_layouts import resolve_layouts
from promptc.semantics.passes.resolve_types import resolve_types
from promptc.semantics.reads import Reader
from promptc.semantics.unread import may_be_unread
from promptc.source import SourceSet
from promptc.syntax import bodies_ast as ast
from promptc.syntax import nodes


def analyze(
    modules: Sequence[nodes.Module], bodies: Mapping[ast.BodySource, ast.Body], sources: SourceSet, sink: Sink
) -> Facts:
    """Return everything that can be told about a compilation.

    Args:
        modules: The root module first, then every module that it uses, in order of first use.
        bodies: All bodies of these modules, parsed; one is missing where its file could not be read.
        sources: The texts of the modules: what a broken one may declare is not reported as missing.
        sink: Where faults are reported.
    """
    outer, sink = sink, Sink()
    symbols = collect_declarations(modules, sink)
    resolve_types(symbols, sink)
    facts = Facts(symbols, dict(bodies))
    facts.layouts = resolve_layouts(symbols, sink)
    check_types(facts, sink)
    find_cycles(facts, sink)
    # What would have to be expanded to be looked at is not looked at when it is beyond all bounds.
    if check_expansion(facts, sink):
        reader = Reader(facts)
        infer_stability(facts, reader, sink)
        check_order(facts, sink)
        check_delivery(facts, sink)
        check_gates(facts, reader, sink)
        check_traffic(facts, sink)
        check_text(facts, sink)
        check_trust(facts, sink)
        if modules and not any(_hides_uses(d) for d in (*outer.sorted(), *sink.sorted())):
            check_samples(facts, sink)
            find_unused(facts, modules[0].path, sink)
    broken = [source for m in modules if m.broken and (source := sources.get(m.path)) is not None]
    outer.extend(d for d in sink.sorted() if not may_be_unread(d, broken))
    return facts


def _hides_uses(diagnostic: Diagnostic) -> bool:
    # Where a text was not read, a name misspelt or an expression not understood, what seems unused may be meant there.
    return severity_of(diagnostic) is Severity.ERROR and diagnostic.code < "PC400"
