"""What the structural answer leaves open: sizes, lifetimes, best effort."""

from promptc.compare.amounts import estimated_tokens
from promptc.streams.model import Breakpoint, PrefixStream
from promptc.streams.rules import CacheRules


def limits_of(a: PrefixStream, usable: int, read: Breakpoint | None, rules: CacheRules) -> tuple[str, ...]:
    """Sentences that stand beside `cache_read_through`."""
    limits = list(rules.limits)
    if read is not None:
        if rules.minimum_tokens is not None:
            size = estimated_tokens(sum(element.size for element in a.elements[: read.index + 1]))
            if size < rules.minimum_tokens:
                limits.append(
                    f"the prefix through `{read.pointer}` has about {size} tokens; "
                    f"below {rules.minimum_tokens} nothing is cached"
                )
        lifetime = f"`{read.ttl}`" if read.ttl else "the default time"
        limits.append(f"the entry at `{read.pointer}` lives {lifetime} after its last use; the requests carry no times")
    elif usable and not rules.reads_only_at_breakpoints and not rules.certain:
        last = a.elements[usable - 1].pointer
        limits.append(f"the target caches common prefixes by itself, without a promise: `{last}` may be read")
    return tuple(limits)
