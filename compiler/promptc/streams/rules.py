"""The cache rules that a comparison needs, as plain values handed in by whoever knows the provider."""

from dataclasses import dataclass

from promptc.providers.model import Provider
from promptc.streams.model import LANES, Lane


@dataclass(frozen=True, slots=True)
class ParamRule:
    """A request attribute that is part of the cache's key.

    Attributes:
        name: Neutral name (`model`, `tool_choice`).
        paths: Where it stands in the body, as dotted keys.
        loses: Lanes whose cached prefix is lost when it changes.
        default: Value that means the same as leaving it out.
        certainty: How sure that is.
    """

    name: str
    paths: tuple[str, ...]
    loses: tuple[Lane, ...]
    default: str | None = None
    certainty: str = "documented"


@dataclass(frozen=True, slots=True)
class CacheRules:
    """How reads come about, as far as structure decides it.

    Attributes:
        params: Attributes that key the cache.
        implicit: Whether the provider ends a prefix at the newest message without being asked.
        reads_only_at_breakpoints: Whether a common prefix that no breakpoint ends is worth nothing.
        certain: Whether a live entry is a promise rather than a best effort.
        lookback: Positions searched from each breakpoint of the later request, itself included; None for no bound.
        collapse_tool_runs: Whether a run of calls, or of results, is one position.
        first_markers: Markers from the start that are looked up; None for all.
        last_markers: Markers from the end that are looked up; None for all.
        endings: Message endings, from the end, that are looked up without a marker.
        images_lose: Lanes that are lost when the first image comes or the last one goes, anywhere in the request.
        minimum_tokens: Shortest prefix that is cached, where known; it decides no result and is reported beside it.
        limits: Sentences that qualify every answer for this provider.
    """

    params: tuple[ParamRule, ...] = ()
    implicit: bool = False
    reads_only_at_breakpoints: bool = True
    certain: bool = True
    lookback: int | None = None
    collapse_tool_runs: bool = False
    first_markers: int | None = None
    last_markers: int | None = None
    endings: int = 0
    images_lose: tuple[Lane, ...] = ()
    minimum_tokens: int | None = None
    limits: tuple[str, ...] = ()


# For texts and for targets that nothing is known about: only another model is sure to share nothing.
UNKNOWN_TARGET = CacheRules(
    params=(ParamRule("model", ("model",), LANES),),
    reads_only_at_breakpoints=True,
    certain=False,
    limits=("the target is not known, so only markers that both requests carry are counted",),
)


def cache_rules(provider: Provider, model: str | None = None) -> CacheRules:
    """The rules of a provider for one model, from its dated facts."""
    cache = provider.cache
    minimum = provider.minimum_tokens(model)
    images = provider.loses("images")
    at_breakpoints = cache.reads_only_at_breakpoints.value
    return CacheRules(
        params=tuple(
            ParamRule(entry.param, entry.paths, entry.loses.value, entry.default, str(entry.loses.certainty))
            for entry in provider.invalidation
            if entry.paths and entry.loses.value
        ),
        implicit=cache.implicit.value and at_breakpoints,
        reads_only_at_breakpoints=at_breakpoints,
        certain=cache.certain.value,
        lookback=cache.lookback.value if cache.lookback else None,
        collapse_tool_runs=cache.collapse_tool_runs.value if cache.collapse_tool_runs else False,
        first_markers=cache.first_markers.value if cache.first_markers else None,
        last_markers=cache.last_markers.value if cache.last_markers else None,
        endings=cache.endings.value if cache.endings else 0,
        images_lose=images.value if images else (),
        minimum_tokens=minimum.value if minimum else None,
    )
