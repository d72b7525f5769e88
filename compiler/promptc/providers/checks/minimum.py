"""Prefixes too short to be cached."""

from collections.abc import Iterator

from promptc.diagnostics.model import Diagnostic
from promptc.providers.checks.context import Context, Counter, Rule, finding
from promptc.providers.frames import has_server_tools, is_deferred, tool_frame
from promptc.providers.model import Fact
from promptc.providers.wire.view import Mark, text_of

# Below this share of the minimum nobody pads a prompt; from here on it may be worth it.
_NEAR = 0.8


def below(context: Context) -> Iterator[Diagnostic]:
    """A marker whose prefix has fewer tokens than the model's minimum."""
    minimum = context.provider.minimum_tokens(context.model)
    if context.options.count is None or minimum is None:
        return
    for mark, tokens, exact in _sizes(context, context.options.count):
        if tokens < minimum.value:
            yield _below(mark, tokens, exact, minimum)


def _below(mark: Mark, tokens: int, exact: bool, minimum: Fact[int]) -> Diagnostic:
    about = "" if exact else "about "
    near = tokens >= _NEAR * minimum.value
    return finding(
        "PC615",
        f"the prefix up to this marker has {about}{tokens} tokens, and fewer than {minimum.value} are not cached",
        mark.pointer,
        notes=(
            "the request goes through, and nothing is written or read here",
            f"the minimum is {minimum.certainty} ({minimum.source}, {minimum.dated})",
        ),
        help=(
            "stable text that fills the gap pays if the prefix is read often enough"
            if near
            else "move the marker behind more stable text, or drop it"
        ),
    )


def differs_by_platform(context: Context) -> Iterator[Diagnostic]:
    """A prefix that is long enough here and too short on another platform of the same model."""
    own = context.provider.minimum_tokens(context.model)
    siblings = context.provider.feature("sibling_platforms") or ()
    if context.options.count is None or own is None:
        return
    for mark, tokens, _ in _sizes(context, context.options.count):
        for name in siblings:
            other = context.options.registry.provider(name)
            theirs = other.minimum_tokens(context.model)
            if theirs is not None and own.value <= tokens < theirs.value:
                yield finding(
                    "PC616",
                    f"this prefix of about {tokens} tokens is cached here and not on {other.platform}, "
                    f"where `{context.model}` needs {theirs.value}",
                    mark.pointer,
                    notes=(f"here the minimum is {own.value}",),
                    help="make the prefix longer if the prompt is to run on both",
                )


def _sizes(context: Context, count: Counter) -> Iterator[tuple[Mark, int, bool]]:
    """Every marker with the tokens up to it; none where the provider's own tools make the size unknowable."""
    blocks = context.view.blocks(context.provider.prefix_order.value)
    if has_server_tools(context.view.tools):
        return
    totals: dict[str, int] = {}
    total = tool_frame(context.provider, context.view.tools)
    exact = total == 0
    for block in blocks:
        if block.lane == "tools" and is_deferred(context.provider, block):
            continue
        counted = count(text_of(block.raw))
        total += counted.value
        exact = exact and counted.exact
        totals[block.pointer] = total
    for mark in context.view.marks:
        yield mark, _up_to(mark.pointer, totals), exact
    if context.view.request_mark is not None:
        yield context.view.request_mark, total, exact


def _up_to(pointer: str, totals: dict[str, int]) -> int:
    """Tokens up to a pointer: its block's, that of the block around it, or of the nearest one before it."""
    if pointer in totals:
        return totals[pointer]
    around = [known for known in totals if pointer.startswith(f"{known}/") or known.startswith(f"{pointer}/")]
    if around:
        return totals[around[-1]]
    parent, _, last = pointer.rpartition("/")
    for index in range(int(last) - 1, -1, -1) if last.isdigit() else ():
        if f"{parent}/{index}" in totals:
            return totals[f"{parent}/{index}"]
    return 0


RULES: tuple[Rule, ...] = (below, differs_by_platform)
