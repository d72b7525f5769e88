"""Whether the key of a prompt reaches the wire, and leads requests of one prefix to one place."""

from promptc.diagnostics.model import Diagnostic, Label
from promptc.diagnostics.sink import Sink
from promptc.providers.model import Provider
from promptc.semantics.facts import Facts, Layout
from promptc.semantics.reads import Reader


def check_routing(facts: Facts, layout: Layout, provider: Provider, sink: Sink) -> None:
    """Check `cache key`.

    Diagnostics:
        PC908 the target takes no key, PC909 the key differs from request to request.
    """
    key = layout.key
    if key is None:
        return
    if provider.key_field() is None:
        sink.report(
            Diagnostic(
                "PC908",
                f"a request to `{provider.id}` has no place for a key",
                Label(key.span),
                (Label(layout.target.span, "the target"),),
                help="leave it out for this target",
            )
        )
        return
    chain = facts.symbols.chain
    reads = Reader(facts).expr(key.value)
    classes = [(facts.symbols.inputs[read.input].cls, read.input) for read in reads]
    highest = next((name for cls, name in classes if cls is not None and cls.name == chain.names[-1]), None)
    if highest is not None and len(chain.names) > 1:
        sink.report(
            Diagnostic(
                "PC909",
                f"the key reads `{highest}`, which is `@{chain.names[-1]}`: every request has another",
                Label(key.value.span),
                notes=("requests of different keys are sent to different places, where their prefix is not kept",),
                help="make it of what the requests of one prefix have in common",
            )
        )
