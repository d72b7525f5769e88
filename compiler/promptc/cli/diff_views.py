"""What the page of a comparison shows of two requests, and of two builds of a prompt."""

from promptc.compare.prompts import PromptDiff
from promptc.report.attribution import Pair, classes_of
from promptc.report.diff_html import DiffView
from promptc.report.variant_tree import VariantFate
from promptc.streams.manifest import truths_of
from promptc.streams.manifest_model import LaneName
from promptc.streams.model import Lane, PrefixStream
from promptc.streams.result import Comparison


def view_of_requests(a: PrefixStream, b: PrefixStream, comparison: Comparison, attributed: Pair) -> DiffView:
    """The view of two requests, with the classes of the sections that wrote the earlier one, where they are known."""
    known = attributed[0]
    chain = known.chain if known is not None else ()
    return DiffView(a, b, comparison, comparison.verdict, chain=chain, classes=classes_of(known))


def view_of_prompt(diff: PromptDiff) -> DiffView:
    """The view, with the stability classes and the variants of the earlier build."""
    old, whole = diff.old, diff.whole
    fates = [
        VariantFate(tuple(truths_of(old, variant.variants[0]).items()), variant.comparison)
        for variant in diff.variants
        if variant.variants is not None
    ]
    return DiffView(
        whole.old,
        whole.new,
        whole.comparison,
        diff.verdict,
        prompt=diff.name,
        chain=old.chain,
        classes={(_lane(element.lane), element.name): element.cls for element in old.elements},
        variants=tuple(fates),
        shapes=old.variants.total,
    )


def _lane(lane: LaneName) -> Lane:
    """The lane of a request that a lane of a spec is sent in."""
    return lane if lane in ("tools", "system") else "messages"
