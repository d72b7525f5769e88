"""Lifetimes of markers: their order, conflicts between them, and whether they pay."""

from collections.abc import Iterator, Mapping

from promptc.diagnostics.model import Diagnostic
from promptc.providers.checks.context import Context, Rule, finding
from promptc.providers.frames import automatic_end
from promptc.providers.model import Lifetime
from promptc.providers.wire.view import Mark


def order(context: Context) -> Iterator[Diagnostic]:
    """A longer lifetime behind a shorter one."""
    marker = context.provider.marker
    if marker is None or not marker.longest_first.value:
        return
    shortest: tuple[int, Mark] | None = None
    for mark in context.view.marks:
        lifetime = context.provider.lifetime(mark.ttl)
        if lifetime is None:
            continue
        seconds = lifetime.seconds.value
        if shortest is not None and seconds > shortest[0]:
            short = context.provider.lifetime(shortest[1].ttl)
            yield finding(
                "PC602",
                f"this marker lives `{lifetime.name}` and stands behind one that lives "
                f"`{short.name if short else '?'}`",
                mark.pointer,
                notes=(
                    f"the shorter one stands at `{shortest[1].pointer}`",
                    f"the cache order is {', '.join(context.provider.prefix_order.value)}",
                    *context.refusal("ttl-order"),
                ),
                help="give the earlier marker the longer lifetime, or this one the shorter",
            )
            return
        if shortest is None or seconds < shortest[0]:
            shortest = (seconds, mark)


def automatic_conflict(context: Context) -> Iterator[Diagnostic]:
    """The request's own marker and the last block's disagree about the lifetime."""
    automatic = context.view.request_mark
    last = automatic_end(context.provider, context.view)
    if automatic is None or last is None or last.mark is None:
        return
    asked, given = context.provider.lifetime(automatic.ttl), context.provider.lifetime(last.mark.ttl)
    if asked is not None and given is not None and asked.name != given.name:
        yield finding(
            "PC603",
            f"this block is marked for `{given.name}`, and the request's own marker asks for `{asked.name}` on it",
            last.pointer,
            notes=context.refusal("top-level-ttl-conflict", asked=asked.name, given=given.name),
            help="drop one of the two, or give both the same lifetime",
        )


def shorter_than_gap(context: Context) -> Iterator[Diagnostic]:
    """Entries that are gone before the next request starts."""
    gap = context.options.gap_seconds
    if gap is None:
        return
    for mark, lifetime in _lifetimes(context):
        if lifetime.seconds.value <= gap:
            longer = [entry.name for entry in context.provider.lifetimes if entry.seconds.value > gap]
            yield finding(
                "PC630",
                f"the entry lives {lifetime.seconds.value} s and the next request starts {gap:g} s later",
                mark.at,
                notes=("the clock runs from the start of a request, so generation time counts",),
                help=f"choose `{longer[0]}`" if longer else "no lifetime is long enough; drop the marker",
            )
            return


def not_earned(context: Context) -> Iterator[Diagnostic]:
    """Entries that cost more to write than their reads save."""
    expected = context.options.expected_reads
    price = context.provider.read_price(context.model)
    if expected is None or price is None:
        return
    for mark, lifetime in _lifetimes(context):
        needed = break_even(lifetime.write.value, price.value)
        if expected < needed:
            yield finding(
                "PC631",
                f"{expected:g} reads are expected, and a write for `{lifetime.name}` pays from {needed:.2f} on",
                mark.at,
                notes=(f"a write costs {lifetime.write.value:g} and a read {price.value:g} of the input price",),
                help="choose a shorter lifetime, or drop the marker",
            )
            return


def break_even(write: float, read: float) -> float:
    """Reads from which a write pays: `(write - 1) / (1 - read)`, prices as multiples of the input price."""
    return (write - 1.0) / (1.0 - read) if read < 1.0 else float("inf")


def parallel_cold(context: Context) -> Iterator[Diagnostic]:
    """Requests that start together each write the prefix that one could have written."""
    count = context.options.parallel
    marks = tuple(_lifetimes(context))
    prewarm = context.provider.feature("prewarm_field")
    if count > 1 and marks and not (prewarm and context.view.body.get(prewarm) == 0):
        yield finding(
            "PC632",
            f"{count} requests start together, and each writes the prefix that ends here",
            marks[0][0].pointer,
            notes=("an entry can be read only once the first response has begun",),
            help="send one request first and the others when its first token has come",
        )


def _lifetimes(context: Context) -> Iterator[tuple[Mark, Lifetime]]:
    view = context.view
    for mark in (*view.marks, *((view.request_mark,) if view.request_mark else ())):
        lifetime = context.provider.lifetime(mark.ttl) if isinstance(mark.value, Mapping) else None
        if lifetime is not None:
            yield mark, lifetime


RULES: tuple[Rule, ...] = (order, automatic_conflict, shorter_than_gap, not_earned, parallel_cold)
