"""Usage of a response in one way of counting, whatever the provider's own is."""

from collections.abc import Mapping

from promptc.providers.cache_model.values import Counts
from promptc.providers.model import Provider
from promptc.providers.wire.view import at_path


def counts_of(usage: Mapping[str, object], provider: Provider) -> Counts | None:
    """Tokens read, written and neither; they sum to the whole prompt.

    Writes that the provider counts by lifetime are given by lifetime; a sum without lifetimes stands under `*`.

    Args:
        usage: The usage object of a response as decoded.
        provider: Facts of the target.

    Returns:
        None where the object has no input count.
    """
    rules = provider.usage
    if rules is None:
        return None
    total = _count(usage, rules.input)
    if total is None:
        return None
    read = _count(usage, rules.read) or 0
    by_lifetime = {
        name: tokens for name, path in rules.write.items() if name != "*" and (tokens := _count(usage, path))
    }
    summed = _count(usage, rules.write["*"]) if "*" in rules.write else None
    written = by_lifetime or ({"*": summed} if summed else {})
    cached = read + sum(written.values())
    return Counts(read, written, max(0, total - cached) if rules.input_includes_cached.value else total)


def _count(usage: Mapping[str, object], path: str) -> int | None:
    value = at_path(usage, path)
    return value if isinstance(value, int) and not isinstance(value, bool) else None
