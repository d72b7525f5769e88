"""Keys of prefixes: a chain of hashes over parameters and blocks, in the provider's cache order."""

from collections.abc import Mapping
from hashlib import blake2b

from promptc.providers.cache_model.values import CacheBlock, CacheRequest
from promptc.providers.model import Lane, Provider


def prefix_keys(request: CacheRequest, blocks: tuple[CacheBlock, ...], provider: Provider) -> tuple[bytes, ...]:
    """The key of the prefix that ends with each block.

    A parameter enters the chain in front of the first lane that its change loses, so that a change keeps exactly the
    lanes before it.
    """
    order = provider.prefix_order.value
    key = _hash(b"", _bytes(request.namespace), _bytes(request.model))
    keys: list[bytes] = []
    entered = 0
    for block in blocks:
        while entered < len(order) and entered <= order.index(block.lane):
            key = _hash(key, order[entered].encode(), _params(request.params, provider, order[entered]))
            entered += 1
        key = _hash(key, _bytes(block.role), block.content)
        keys.append(key)
    return tuple(keys)


def scope_key(request: CacheRequest, provider: Provider) -> bytes:
    """What keeps prompts apart in caches that compare whole prompts: model, namespace, every parameter that matters."""
    parts = [_params(request.params, provider, lane) for lane in provider.prefix_order.value]
    return _hash(b"", _bytes(request.namespace), _bytes(request.model), *parts)


def _params(params: Mapping[str, str], provider: Provider, lane: Lane) -> bytes:
    """Parameters whose change loses this lane and none before it, spelled out."""
    order = provider.prefix_order.value
    parts: list[str] = []
    for name in sorted(params):
        lost = provider.loses(name)
        first = next((known for known in order if lost is not None and known in lost.value), None)
        if first == lane:
            parts.append(f"{name}={params[name]}")
    return _bytes("\0".join(parts))


def _bytes(text: str) -> bytes:
    """UTF-8; captured text may hold half of a surrogate pair, which is reported elsewhere."""
    return text.encode("utf-8", "surrogatepass")


def _hash(*parts: bytes) -> bytes:
    digest = blake2b(digest_size=16)
    for part in parts:
        digest.update(len(part).to_bytes(8, "big"))
        digest.update(part)
    return digest.digest()


def common_tokens(was: tuple[CacheBlock, ...], now: tuple[CacheBlock, ...]) -> int:
    """Tokens that two prompts have in common at their head.

    Exact where both have token ids. Else whole equal blocks count in full and the first pair that differs by its
    share of common bytes, less the 4 tokens that encodings were measured to lose at a cut.
    """
    shared = 0
    for old, new in zip(was, now, strict=False):
        if old.role == new.role and old.content == new.content:
            shared += min(old.tokens, new.tokens)
            continue
        if old.role == new.role:
            shared += _common_within(old, new)
        break
    return shared


_CUT_LOSS = 4


def _common_within(old: CacheBlock, new: CacheBlock) -> int:
    if old.token_ids is not None and new.token_ids is not None:
        return _common_length(old.token_ids, new.token_ids)
    same = _common_length(old.content, new.content)
    return max(0, new.tokens * same // max(1, len(new.content)) - _CUT_LOSS)


def _common_length(a: bytes | tuple[int, ...], b: bytes | tuple[int, ...]) -> int:
    return next((i for i, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))
