"""Whether the provider takes the markers that a prompt places: how many, with which lifetimes, in which order."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from promptc.diagnostics.model import Diagnostic, Label
from promptc.diagnostics.sink import Sink
from promptc.planning.auto.problem import constant_model
from promptc.planning.model import BlockPlan
from promptc.providers.model import Provider
from promptc.semantics.facts import Layout
from promptc.source import Span


@dataclass(frozen=True, slots=True)
class Placement:
    """A marker of the spec.

    Attributes:
        ttl: Seconds; None for the provider's default.
    """

    where: str
    lane: str
    at: Span
    ttl: int | None


def check_markers(layout: Layout, blocks: Sequence[BlockPlan], provider: Provider, sink: Sink) -> None:
    """Check the markers against the provider's facts.

    On a target that caches by itself a block's scope is still proved, and no marker is written for it.

    Diagnostics:
        PC680 the target takes no markers and does not cache by itself, PC681 too many, PC682 a longer lifetime behind
        a shorter, PC683 a lifetime that the provider does not offer, PC905 a lane without markers, PC906 a lifetime
        that nothing on the wire asks for, PC907 a model that takes no markers.
    """
    placed = tuple(_placements(layout, blocks))
    if not placed:
        return
    marker = provider.marker
    if marker is None:
        if provider.cache.implicit.value and provider.cache.kind != "object":
            _unkept_lifetimes(placed, provider, sink)
        else:
            _no_markers(layout, placed, provider, sink)
        return
    if not provider.takes_markers(constant_model(layout)):
        _model_without_markers(layout, placed, provider, sink)
        return
    for placement in placed:
        if placement.lane not in marker.lanes.value:
            _lane_without_markers(placement, provider, sink)
    limit = marker.limit.value
    if len(placed) > limit and marker.excess == "error":
        sink.report(
            Diagnostic(
                "PC681",
                f"this prompt places {len(placed)} cache markers, `{provider.id}` takes {limit}",
                Label(placed[limit].at, "one too many"),
                tuple(Label(p.at, p.where) for p in placed),
                help="merge two blocks, or leave one uncached",
            )
        )
    offered = {entry.seconds.value: entry.name for entry in provider.lifetimes}
    for placement in placed:
        if placement.ttl is not None and placement.ttl not in offered:
            names = ", ".join(offered.values()) or "none"
            sink.report(
                Diagnostic(
                    "PC683",
                    f"`{provider.id}` offers no lifetime of {placement.ttl} seconds",
                    Label(placement.at),
                    help=f"it offers {names}",
                )
            )
    if marker.longest_first.value:
        _check_order(placed, provider, sink)


def _no_markers(layout: Layout, placed: Sequence[Placement], provider: Provider, sink: Sink) -> None:
    notes: tuple[str, ...] = ()
    if provider.cache.kind == "object":
        notes = ("what it caches is an object that another request creates and this one would name",)
    sink.report(
        Diagnostic(
            "PC680",
            f"`{provider.id}` takes no cache markers, and this prompt places {len(placed)}",
            Label(layout.target.span),
            tuple(Label(p.at, "a marker") for p in placed),
            notes,
            help="choose a target that takes markers, or leave the blocks `uncached` and rely on prefix order alone",
        )
    )


def _unkept_lifetimes(placed: Sequence[Placement], provider: Provider, sink: Sink) -> None:
    asked = [placement for placement in placed if placement.ttl is not None]
    if asked:
        sink.report(
            Diagnostic(
                "PC906",
                f"`{provider.id}` caches by itself: nothing in a request asks for a lifetime",
                Label(asked[0].at, f"{asked[0].ttl} seconds"),
                tuple(Label(p.at, f"{p.ttl} seconds") for p in asked[1:]),
                help="leave `ttl` out for this target, or allow this finding where one spec serves several targets",
            )
        )


def _model_without_markers(layout: Layout, placed: Sequence[Placement], provider: Provider, sink: Sink) -> None:
    assert layout.model is not None
    sink.report(
        Diagnostic(
            "PC907",
            f"`{constant_model(layout)}` on `{provider.id}` takes no cache markers, and this prompt places {len(placed)}",
            Label(layout.model.value.span),
            tuple(Label(p.at, "a marker") for p in placed),
            help="choose a model that takes markers, or leave the blocks `uncached`",
        )
    )


def _lane_without_markers(placement: Placement, provider: Provider, sink: Sink) -> None:
    assert provider.marker is not None
    lanes = " and ".join(provider.marker.lanes.value)
    sink.report(
        Diagnostic(
            "PC905",
            f"`{provider.id}` takes no cache marker in {placement.where}",
            Label(placement.at),
            notes=(f"it takes them in {lanes}",),
            help="leave it out: a marker behind what follows covers these bytes too",
        )
    )


def _placements(layout: Layout, blocks: Sequence[BlockPlan]) -> Iterator[Placement]:
    if layout.tools_mark is not None:
        mark = layout.tools_mark
        yield Placement("the tools lane", "tools", mark.span, mark.ttl.seconds if mark.ttl else None)
    for plan in blocks:
        if plan.scope is not None and plan.block.node is not None and plan.block.node.scope is not None:
            yield Placement(f"block `{plan.scope}`", "system", plan.block.node.scope.span, plan.ttl)
    if layout.message_mark is not None:
        mark = layout.message_mark
        yield Placement("the last message", "messages", mark.span, mark.ttl.seconds if mark.ttl else None)


def _check_order(placed: Sequence[Placement], provider: Provider, sink: Sink) -> None:
    default = provider.lifetime(None)
    default_seconds = default.seconds.value if default is not None else 0
    shortest: Placement | None = None
    for placement in placed:
        seconds = placement.ttl if placement.ttl is not None else default_seconds
        if shortest is not None and seconds > (shortest.ttl if shortest.ttl is not None else default_seconds):
            sink.report(
                Diagnostic(
                    "PC682",
                    f"a marker of {seconds} seconds stands behind one of "
                    f"{shortest.ttl if shortest.ttl is not None else default_seconds} seconds",
                    Label(placement.at, placement.where),
                    (Label(shortest.at, f"shorter: {shortest.where}"),),
                    notes=(f"`{provider.id}` refuses such a request",),
                    help="give the earlier marker the longer lifetime, or both the same",
                )
            )
            return
        if shortest is None or seconds < (shortest.ttl if shortest.ttl is not None else default_seconds):
            shortest = placement
