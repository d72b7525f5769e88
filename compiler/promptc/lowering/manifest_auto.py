"""What a manifest tells of `cache auto`: the traffic, the cost, and why each marker stands where it does."""

from collections.abc import Sequence

from promptc.planning.auto.reasons import Reason
from promptc.planning.model import PromptPlan
from promptc.semantics.facts import Facts
from promptc.streams.manifest_model import ManifestAuto, ManifestElement, ManifestReason
from promptc.syntax.format_traffic import traffic_head


def auto_part(facts: Facts, plan: PromptPlan, elements: Sequence[ManifestElement]) -> ManifestAuto | None:
    """The part of the manifest; None for a prompt whose author placed the markers."""
    auto = plan.auto
    if auto is None:
        return None
    if auto.choice is None or facts.traffic is None:
        return ManifestAuto(notes=auto.notes)
    conversation = next(e.name for e in elements if e.lane == "conversation")

    def reason(found: Reason) -> ManifestReason:
        element = auto.elements[found.after] if found.after is not None else None
        return ManifestReason.model_validate(
            {
                "lane": element.lane if element is not None else "conversation",
                "after": element.name if element is not None else conversation,
                "lifetime": found.lifetime,
                "lagging": found.lagging,
                "saves": found.saves,
                "why": found.why,
            }
        )

    return ManifestAuto(
        traffic=tuple(traffic_head(item) for item in facts.traffic.node.items),
        uncached=auto.uncached,
        cost=round(auto.choice.cost),
        reasons=tuple(reason(found) for found in auto.reasons),
        notes=auto.notes,
    )
