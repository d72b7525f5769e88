"""The variants of a manifest: each with its elements, its scopes and the digest of every prefix."""

from collections.abc import Mapping, Sequence

from promptc.planning.conditions import ABSENT, EMPTY, DomainValue, Special
from promptc.planning.enumerate import Variant, variants_of
from promptc.planning.model import PromptPlan
from promptc.semantics.facts import Facts
from promptc.streams.manifest_model import (
    Boundary,
    ExampleValue,
    LaneName,
    ManifestElement,
    ManifestFork,
    ManifestVariant,
    Seams,
    Variants,
)
from promptc.streams.manifest_variants import decided_element, prefix_digests

LISTED = 64
"""More variants than this are told by the forks alone."""


def list_variants(
    facts: Facts,
    plan: PromptPlan,
    order: Sequence[str],
    seams: Mapping[LaneName, Seams],
    elements: Sequence[ManifestElement],
    forks: Sequence[ManifestFork],
) -> Variants:
    """All variants, when they are at most `LISTED`.

    Args:
        order: Lanes that the provider caches.
    """
    found = variants_of(facts, plan, LISTED)
    lanes = {"preamble" if lane == "messages" else lane for lane in order}
    prefix = [e for e in elements if e.lane in lanes]
    listed = tuple(_variant(v, seams, prefix, forks) for v in found or ())
    return Variants(total=plan.variants, listed=listed)


def _variant(
    variant: Variant,
    seams: Mapping[LaneName, Seams],
    prefix: Sequence[ManifestElement],
    forks: Sequence[ManifestFork],
) -> ManifestVariant:
    there = [decided_element(e, forks, variant.holds) for e, p in zip(prefix, variant.present, strict=True) if p]
    digests = prefix_digests(there, seams)
    return ManifestVariant(
        example={name: _example(value) for name, value in variant.example},
        holds=variant.holds,
        scopes=variant.scopes,
        prefix=tuple(Boundary(lane=e.lane, element=e.name, digest=d) for e, d in zip(there, digests, strict=True)),
    )


def _example(value: DomainValue) -> ExampleValue:
    if value == ABSENT:
        return None
    if value == EMPTY:
        return ()
    return {"any": value.name} if isinstance(value, Special) else value
