"""What the structural answer leaves open: sizes, lifetimes, best effort."""

from promptc.compare.amounts import Measures
from promptc.streams.json_value import JsonValue, has_member, member
from promptc.streams.model import Breakpoint, PrefixStream
from promptc.streams.rules import CacheRules


def limits_of(
    a: PrefixStream, b: PrefixStream, usable: int, read: Breakpoint | None, rules: CacheRules, weight: Measures
) -> tuple[str, ...]:
    """Sentences that stand beside `cache_read_through`."""
    limits = list(rules.limits)
    if read is not None:
        if rules.minimum_tokens is not None:
            size = sum(weight.tokens[: read.index + 1])
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
    if rules.images_lose and _has_image(a) != _has_image(b):
        lanes = ", ".join(rules.images_lose)
        limits.append(f"only one of the requests holds an image; the provider documents that this alone loses {lanes}")
    return tuple(limits)


_IMAGES = ("image", "image_url", "input_image")


def _has_image(stream: PrefixStream) -> bool:
    return any(element.kind == "content" and _is_image(element.value) for element in stream.elements)


def _is_image(value: JsonValue) -> bool:
    """Whether a block is an image, or holds one as a result does."""
    if member(value, "type") in _IMAGES or has_member(value, "inlineData"):
        return True
    inner = member(value, "content")
    return isinstance(inner, list) and any(_is_image(item) for item in inner)
