"""One request through a provider's cache: the model is chosen by the kind that its facts name."""

from collections.abc import Callable

from promptc.providers.cache_model import breakpoints, prefixes, slots
from promptc.providers.cache_model.values import CacheRequest, CacheState, Counts, Outcome
from promptc.providers.model import CacheKind, Provider

Model = Callable[[CacheRequest, CacheState, Provider], Outcome]


def _none(request: CacheRequest, state: CacheState, provider: Provider) -> Outcome:
    counts = Counts(0, {}, sum(block.tokens for block in request.blocks if not block.deferred))
    return Outcome(counts, counts, None, state)


MODELS: dict[CacheKind, Model] = {
    "breakpoint-lookback": breakpoints.lookback,
    "breakpoint-exact": breakpoints.exact,
    "interval": prefixes.interval,
    "units": prefixes.units,
    "token-prefix": prefixes.token_prefix,
    "object": prefixes.named_object,
    "block-chain": prefixes.blocks,
    "radix": prefixes.blocks,
    "slot": slots.slots,
    "none": _none,
}


def step(request: CacheRequest, state: CacheState, provider: Provider) -> Outcome:
    """What a request reads and writes, and the cache after it.

    Args:
        request: The request, lowered.
        state: The cache before it; `values.EMPTY` at the start.
        provider: Facts of the target.
    """
    return MODELS[provider.cache.kind](request, state, provider)


def cost(counts: Counts, provider: Provider, model: str | None) -> float:
    """Price of a prompt in uncached input tokens: `input + r * read + w * written`, by the provider's multiples."""
    price = provider.read_price(model)
    total = counts.input + counts.read * (price.value if price is not None else 1.0)
    for name, tokens in counts.written.items():
        lifetime = provider.lifetime(name)
        total += tokens * (lifetime.write.value if lifetime is not None else 1.0)
    return total
