"""Compares two builds of a prompt: all of it at once, and each variant by itself."""

from collections.abc import Mapping
from dataclasses import dataclass

from promptc.compare.diff import compare_streams
from promptc.providers.registry import BUILTIN, Registry
from promptc.streams.manifest import paired_variants, stream_of_manifest, variant_name
from promptc.streams.manifest_model import Manifest, ManifestVariant
from promptc.streams.model import PrefixStream
from promptc.streams.result import Comparison, Verdict
from promptc.streams.rules import UNKNOWN_TARGET, CacheRules, cache_rules

VERDICTS: tuple[Verdict, ...] = ("same", "tail", "break")
"""From the best to the worst."""


@dataclass(frozen=True)
class Compared:
    """Two streams of one prompt and how they compare.

    Attributes:
        condition: What holds in the variant, in the words of the spec; None for all variants at once.
        variants: The variant on each side; None for all at once.
    """

    condition: str | None
    old: PrefixStream
    new: PrefixStream
    comparison: Comparison
    variants: tuple[ManifestVariant, ManifestVariant] | None = None


@dataclass(frozen=True)
class PromptDiff:
    """One prompt that both sides have: all of it at once, and each variant by itself."""

    old: Manifest
    new: Manifest
    whole: Compared
    variants: tuple[Compared, ...]

    @property
    def name(self) -> str:
        """Its name on the earlier side."""
        return self.old.prompt

    @property
    def verdict(self) -> Verdict:
        """The worst verdict of all variants."""
        found = [self.whole.comparison.verdict, *(v.comparison.verdict for v in self.variants)]
        return max(found, key=VERDICTS.index)


@dataclass(frozen=True)
class PromptPairs:
    """The prompts of two builds, by what became of them."""

    both: tuple[tuple[Manifest, Manifest], ...]
    removed: tuple[Manifest, ...]
    added: tuple[Manifest, ...]


def pair_prompts(before: Mapping[str, Manifest], after: Mapping[str, Manifest]) -> PromptPairs:
    """Pair prompts by name; where each side has a single prompt, a renamed one is still the same question."""
    both = tuple((manifest, after[name]) for name, manifest in before.items() if name in after)
    if not both and len(before) == len(after) == 1:
        return PromptPairs(((next(iter(before.values())), next(iter(after.values()))),), (), ())
    removed = tuple(m for name, m in before.items() if name not in after)
    return PromptPairs(both, removed, tuple(m for name, m in after.items() if name not in before))


def compare_prompts(old: Manifest, new: Manifest, name_a: str, name_b: str, registry: Registry = BUILTIN) -> PromptDiff:
    """Compare two builds of a prompt by the cache rules of the earlier one's target.

    Args:
        old: The earlier build.
        new: The later one.
        name_a: Name of the earlier side, for reports.
        name_b: Name of the later side.
        registry: What is known about providers.
    """
    rules = _rules(old, registry)

    def compared(condition: str | None, mine: ManifestVariant | None, theirs: ManifestVariant | None) -> Compared:
        a, b = stream_of_manifest(old, name_a, mine), stream_of_manifest(new, name_b, theirs)
        pair = (mine, theirs) if mine is not None and theirs is not None else None
        return Compared(condition, a, b, compare_streams(a, b, rules), pair)

    variants = tuple(compared(variant_name(old, mine), mine, theirs) for mine, theirs in paired_variants(old, new))
    return PromptDiff(old, new, compared(None, None, None), variants)


def _rules(manifest: Manifest, registry: Registry) -> CacheRules:
    try:
        return cache_rules(registry.provider(manifest.target))
    except KeyError:
        return UNKNOWN_TARGET
