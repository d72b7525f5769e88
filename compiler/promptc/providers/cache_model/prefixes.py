"""Caches that compare whole prompts: grids, units, plain token prefixes, token blocks, radix trees, slots."""

from collections.abc import Callable

from promptc.providers.cache_model.keys import common_tokens, scope_key
from promptc.providers.cache_model.values import (
    CacheBlock,
    CacheRequest,
    CacheState,
    Counts,
    Outcome,
    Record,
)
from promptc.providers.model import Provider

Rounding = Callable[[int, int], int]


def interval(request: CacheRequest, state: CacheState, provider: Provider) -> Outcome:
    """Any shared head of a minimum length, rounded down to the grid."""
    return _prefix(request, state, provider, keep_output=False)


def token_prefix(request: CacheRequest, state: CacheState, provider: Provider) -> Outcome:
    """Any shared head of tokens; an upper bound, since nothing is promised."""
    return _prefix(request, state, provider, keep_output=False)


def blocks(request: CacheRequest, state: CacheState, provider: Provider) -> Outcome:
    """Full blocks of tokens, chained, never the whole prompt; answers are kept too."""
    return _prefix(request, state, provider, keep_output=True)


def _prefix(request: CacheRequest, state: CacheState, provider: Provider, keep_output: bool) -> Outcome:
    sent = _sent(request)
    total = sum(block.tokens for block in sent)
    scope = scope_key(request, provider)
    shared = max((common_tokens(r.blocks, sent) for r in _readable(state, scope, request.at)), default=0)
    read = _rounded(shared, total, request.model, provider)
    kept = (*sent, *request.output) if keep_output else sent
    record = _record(request, provider, scope, kept, ())
    return _outcome(sent, total, read, CacheState(state.entries, _alive(state, record)))


def units(request: CacheRequest, state: CacheState, provider: Provider) -> Outcome:
    """Stored units: a hit is the longest stored unit that the new prompt contains whole.

    Units end where a prompt ended, where its answer ended, at every multiple of an interval, and where two prompts
    were seen to part.
    """
    sent = _sent(request)
    total = sum(block.tokens for block in sent)
    scope = scope_key(request, provider)
    known = _readable(state, scope, request.at)
    shared = [(record, common_tokens(record.blocks, sent)) for record in known]
    read = max((end for record, common in shared for end in record.ends if end <= min(common, total)), default=0)
    if read < _minimum(provider, request.model):
        read = 0
    answered = total + sum(block.tokens for block in request.output)
    step = provider.cache.granularity.value if provider.cache.granularity is not None else answered or 1
    ends = {total, answered, *range(step, total + 1, step), *(common for _, common in shared if common)}
    record = _record(request, provider, scope, (*sent, *request.output), tuple(sorted(ends)))
    return _outcome(sent, total, read, CacheState(state.entries, _alive(state, record)))


def slots(request: CacheRequest, state: CacheState, provider: Provider) -> Outcome:
    """A few slots that each hold the prompt before: the most similar one is reused, else the one longest unused."""
    sent = _sent(request)
    total = sum(block.tokens for block in sent)
    scope = scope_key(request, provider)
    count = int(provider.feature("slots") or 1)
    least = provider.cache.similarity.value if provider.cache.similarity is not None else 0.0
    common = [common_tokens(r.blocks, sent) if r.scope == scope else 0 for r in state.records]
    chosen = max(range(len(common)), key=lambda i: common[i], default=None)
    if chosen is not None and common[chosen] <= least * total:
        chosen = None
    read = _rounded(common[chosen], total, request.model, provider) if chosen is not None else 0
    record = _record(request, provider, scope, (*sent, *request.output), ())
    if chosen is None and len(state.records) >= count:
        chosen = min(range(len(state.records)), key=lambda i: state.records[i].used)
    rest = tuple(r for i, r in enumerate(state.records) if i != chosen)
    return _outcome(sent, total, read, CacheState(state.entries, (*rest, record)))


def named_object(request: CacheRequest, state: CacheState, provider: Provider) -> Outcome:
    """A prefix that was stored under a name; read whole while it lives, and never in part."""
    total = sum(block.tokens for block in _sent(request))
    held = request.object
    live = held is not None and held.created <= request.at < held.expires
    read = held.tokens if live and held is not None else 0
    counts = Counts(read, {}, total)
    return Outcome(counts, counts, None, state)


def _rounded(shared: int, total: int, model: str, provider: Provider) -> int:
    """Tokens of a shared head that can be read: rounded down to whole blocks, none below the minimum."""
    rules = provider.cache
    step = rules.granularity.value if rules.granularity is not None else 1
    most = total - 1 if rules.keep_last_token is not None and rules.keep_last_token.value else total
    read = min(shared, most) // step * step
    return read if read >= _minimum(provider, model) and read > 0 else 0


def _minimum(provider: Provider, model: str) -> int:
    fact = provider.minimum_tokens(model)
    return fact.value if fact is not None else 0


def _sent(request: CacheRequest) -> tuple[CacheBlock, ...]:
    return tuple(block for block in request.blocks if not block.deferred)


def _readable(state: CacheState, scope: bytes, at: float) -> tuple[Record, ...]:
    return tuple(r for r in state.records if r.scope == scope and r.readable <= at < r.expires)


def _record(
    request: CacheRequest, provider: Provider, scope: bytes, kept: tuple[CacheBlock, ...], ends: tuple[int, ...]
) -> Record:
    lifetime = provider.lifetime(request.ttl)
    seconds = lifetime.seconds.value if lifetime is not None else 0
    return Record(scope, kept, ends, request.at + request.response_after, request.at + seconds, request.at)


def _alive(state: CacheState, record: Record) -> tuple[Record, ...]:
    """The records that are not gone, and the new one."""
    return (*(known for known in state.records if known.expires > record.used), record)


def _outcome(sent: tuple[CacheBlock, ...], total: int, read: int, state: CacheState) -> Outcome:
    """Best-effort counts; the certain ones read nothing, since these caches promise nothing."""
    hit: int | None = None
    end = 0
    for index, block in enumerate(sent):
        end += block.tokens
        if end > read:
            break
        hit = index
    return Outcome(Counts(0, {}, total), Counts(read, {}, total - read), hit, state)
