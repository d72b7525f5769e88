"""Whether the target can load tools on demand."""

from promptc.diagnostics.model import Diagnostic, Label
from promptc.diagnostics.sink import Sink
from promptc.providers.model import Provider
from promptc.semantics.facts import Layout
from promptc.syntax import nodes


def check_deferral(layout: Layout, provider: Provider, sink: Sink) -> None:
    """Check that groups defer their tools only where the wire has a word for it.

    Diagnostics:
        PC904.
    """
    if provider.deferred_tools is not None:
        return
    for tool in layout.tools:
        if isinstance(tool, nodes.ToolGroup) and tool.defer is not None:
            sink.report(
                Diagnostic(
                    "PC904",
                    f"`{provider.id}` cannot load tools on demand, and `{tool.name.name}` defers some",
                    Label(tool.defer.span),
                    (Label(layout.target.span, "the target"),),
                    notes=("sent without that word, every tool would stand in the prefix in full",),
                    help="leave `defer` out for this target, or choose one that takes deferred tools",
                )
            )
