"""Rules of the provider that can be decided on a plan, beside the markers themselves."""

from collections.abc import Sequence

from promptc.diagnostics.model import Diagnostic, Label
from promptc.diagnostics.sink import Sink
from promptc.planning.model import BlockPlan
from promptc.providers.model import Provider, model_matches
from promptc.semantics.facts import Facts, Layout, Placed
from promptc.semantics.reads import Reader
from promptc.semantics.sizes import size_of
from promptc.source import Span
from promptc.syntax import expressions as ex


def check_provider_rules(
    facts: Facts, layout: Layout, blocks: Sequence[BlockPlan], provider: Provider, sink: Sink
) -> None:
    """Check a plan against the rules of its target.

    Diagnostics:
        PC601 a marker that writes nothing, PC652 a model that may change, PC696 a model that moves, PC699 a fork in front of shared text.
    """
    model = _model(layout)
    _check_written(layout, blocks, provider, sink)
    if model is not None:
        _check_model(model, provider, sink)
    elif layout.model is not None:
        _check_changing_model(facts, layout.model.value, provider, sink)
    for plan in blocks:
        if plan.scope is not None:
            _check_order(facts, plan, provider, model[0] if model is not None else None, sink)


def _model(layout: Layout) -> tuple[str, Span] | None:
    """The model that a prompt names, if it names one and the same always."""
    value = layout.model.value if layout.model is not None else None
    return (value.value, value.span) if isinstance(value, ex.TextLiteral) else None


def _check_written(layout: Layout, blocks: Sequence[BlockPlan], provider: Provider, sink: Sink) -> None:
    marker = provider.marker
    if marker is None or marker.excess != "latest":
        return
    # A request with markers of its own asks for no other, so none of the places is taken.
    limit = marker.limit.value
    marks = [layout.tools_mark.span] if layout.tools_mark is not None else []
    nodes = [plan.block.node for plan in blocks if plan.scope is not None]
    marks += [node.scope.span for node in nodes if node is not None and node.scope is not None]
    marks += [layout.message_mark.span] if layout.message_mark is not None else []
    if len(marks) > limit:
        sink.report(
            Diagnostic(
                "PC601",
                f"only the latest {limit} of {len(marks)} markers write an entry, and this one is not among them",
                Label(marks[0]),
                help="merge two blocks, or leave this one uncached",
            )
        )


def _check_model(model: tuple[str, Span], provider: Provider, sink: Sink) -> None:
    patterns = provider.feature("floating_models")
    if patterns and model_matches(model[0], patterns):
        sink.report(
            Diagnostic(
                "PC696",
                f"`{model[0]}` names whatever snapshot is the latest",
                Label(model[1]),
                notes=("each snapshot has a cache of its own, so every prefix is written anew on the day it moves",),
                help="name the snapshot",
            )
        )


def _check_changing_model(facts: Facts, value: ex.Expr, provider: Provider, sink: Sink) -> None:
    """A model that an input of the highest class chooses: it may be another one in the next turn."""
    top, loses = facts.symbols.chain.names[-1], provider.loses("model")
    for read in Reader(facts).expr(value):
        decl = facts.symbols.inputs.get(read.input)
        if decl is None or decl.cls is None or decl.cls.name != top or loses is None:
            continue
        lost = ", ".join(loses.value)
        sink.report(
            Diagnostic(
                "PC652",
                f"the model depends on `{read.input}`, which may change with every `{top}`",
                Label(read.at),
                (Label(decl.span, "declared here"),),
                notes=(f"cached prefixes lost by another model: {lost} ({loses.certainty}, {loses.dated})",),
                help=f"declare `{read.input}` for as long as a session lasts, or send side requests to the other model",
            )
        )


def _check_order(facts: Facts, plan: BlockPlan, provider: Provider, model: str | None, sink: Sink) -> None:
    """Gated sections belong behind what all variants share; said where the shared part alone could be cached."""
    minimum = provider.minimum_tokens(model)
    if minimum is None:
        return
    sections = plan.block.sections
    for index, section in enumerate(sections):
        cls = _class(facts, section)
        if not section.conditions or section.pin is not None:
            continue
        behind = [s for s in sections[index + 1 :] if not s.conditions and _class(facts, s) == cls]
        tokens = sum(size_of(facts, s.decl).tokens for s in behind)
        if tokens >= minimum.value:
            sink.report(
                Diagnostic(
                    "PC699",
                    f"`{section.name}` is not in every variant, and about {tokens:,} tokens that all of them share "
                    "stand behind it",
                    Label(section.at, "forks the prefix"),
                    (Label(behind[0].at, "shared by all variants"),),
                    notes=(
                        f"{minimum.value:,} tokens are enough for a cached prefix ({minimum.certainty}, {minimum.dated})",
                    ),
                    help=f"place `{section.name}` behind `{behind[-1].name}`",
                )
            )
            return


def _class(facts: Facts, section: Placed) -> str | None:
    return facts.effective.get(section.decl)
