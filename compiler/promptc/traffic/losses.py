"""Say why a request did not read all that the one before it had left in the cache."""

from dataclasses import dataclass, replace

from promptc.providers.cache_model.simulate import step
from promptc.providers.cache_model.values import CacheRequest, CacheState, Outcome
from promptc.providers.model import Provider
from promptc.report.simulation import Loss
from promptc.traffic.parting import Side, Unmarked, parting

# Caches into which a request puts nothing by itself.
LEAVES_NOTHING = frozenset({"object", "none"})


@dataclass(frozen=True, slots=True)
class Sent:
    """A request that was sent.

    Attributes:
        seen: As the cache sees it.
        outcome: What it read and wrote.
        unmarked: Its bytes and who wrote them.
    """

    seen: CacheRequest
    outcome: Outcome
    unmarked: Unmarked


def left_by(sent: Sent, provider: Provider) -> int:
    """Tokens from the start of a request that are in the cache after it."""
    counts = sent.outcome.best
    if provider.cache.kind.startswith("breakpoint"):
        return counts.read + sum(counts.written.values())
    minimum = provider.minimum_tokens(sent.seen.model)
    too_short = minimum is not None and counts.total < minimum.value
    return 0 if too_short or provider.cache.kind in LEAVES_NOTHING else counts.total


def loss_of(before: Sent | None, now: Sent, state: CacheState, provider: Provider) -> Loss | None:
    """Why tokens that were in the cache were not read; None where all were.

    Args:
        before: The request that this one continues.
        now: The request.
        state: The cache between them.
        provider: Facts of the target.
    """
    read = now.outcome.best.read
    if before is None or not left_by(before, provider):
        return _too_short(now, provider)
    lost = left_by(before, provider) - read
    grain = provider.cache.granularity.value if provider.cache.granularity is not None else 1
    if lost < max(grain, 1) + (1 if provider.cache.keep_last_token is not None else 0):
        return None
    if before.seen.model != now.seen.model:
        return Loss("model", f"the model changed from `{before.seen.model}` to `{now.seen.model}`", lost)
    sides = parting(before.unmarked, now.unmarked)
    if sides is not None:
        return _changed(before.unmarked, now.unmarked, sides, lost)
    for name in sorted({*before.seen.params, *now.seen.params}):
        if before.seen.params.get(name) != now.seen.params.get(name):
            return Loss("parameter", f"the parameter `{name}` changed", lost)
    return _kept_text(before, now, state, provider, lost)


def _changed(before: Unmarked, after: Unmarked, sides: tuple[Side, Side], lost: int) -> Loss:
    was, now = sides
    shown = now
    if was.section == now.section:
        kind, reason = ("changed", f"`{now.section}` changed") if now.section else _REWRITTEN
    elif now.section and now.section not in before.sections:
        kind, reason = "appeared", f"`{now.section}` was not there before"
    elif was.section and was.section not in after.sections:
        kind, reason, shown = "gone", f"`{was.section}` is gone", was
    elif now.section and was.section:
        kind, reason = "changed", f"`{now.section}` stands where `{was.section}` stood"
    elif now.section:
        kind, reason = "changed", f"`{now.section}` stands where it did not stand before"
    else:
        kind, reason, shown = "changed", f"`{was.section}` does not stand where it stood", was
    return Loss(kind, reason, lost, shown.section, shown.place, was.excerpt, now.excerpt)


_REWRITTEN = ("rewritten", "the conversation was rewritten")


def _kept_text(before: Sent, now: Sent, state: CacheState, provider: Provider, lost: int) -> Loss | None:
    """The text was only appended to, so it is time, the lookback, or the cache itself."""
    at_once = step(replace(now.seen, at=before.seen.at), state, provider)
    if at_once.best.read > now.outcome.best.read:
        waited = spoken(int(now.seen.at - before.seen.at))
        return Loss("expired", f"the cache entry had expired: {waited} passed since the request before", lost)
    if provider.cache.lookback is not None:
        reach = provider.cache.lookback.value
        return Loss("lookback", f"more was appended than the {reach} positions that a marker looks back", lost)
    return Loss("cache", f"the cache of {provider.title} did not have it", lost)


def _too_short(now: Sent, provider: Provider) -> Loss | None:
    """A prompt that should be stored and is too short for it."""
    counts = now.outcome.best
    minimum = provider.minimum_tokens(now.seen.model)
    wanted = provider.cache.kind not in LEAVES_NOTHING
    wanted = wanted and (provider.cache.implicit.value or any(block.marked for block in now.seen.blocks))
    if minimum is None or not wanted or counts.read or counts.written or counts.total >= minimum.value:
        return None
    return Loss("minimum", f"prompts of fewer than {minimum.value:,} tokens are not cached", 0)


def spoken(seconds: int) -> str:
    """A time as people write it: `45s`, `7m`, `1h 30m`."""
    parts = []
    for unit, size in (("d", 86_400), ("h", 3_600), ("m", 60), ("s", 1)):
        count, seconds = divmod(seconds, size)
        if count:
            parts.append(f"{count}{unit}")
    return " ".join(parts) or "0s"
