"""Caches that compare whole prompts: grids, units, plain token prefixes, token blocks, radix trees."""

from dataclasses import replace

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
    sent = in_prefix(request)
    total = sum(block.tokens for block in sent)
    scope = scope_key(request, provider)
    shared = max((common_tokens(r.blocks, sent) for r in _readable(state, scope, request.at)), default=0)
    read = rounded(shared, total, request.model, provider)
    kept = (*sent, *computed(request.output)) if keep_output else sent
    record = record_of(request, provider, scope, kept, ())
    return best_effort(sent, total, read, CacheState(state.entries, _alive(state, record)))


def units(request: CacheRequest, state: CacheState, provider: Provider) -> Outcome:
    """Stored units: a hit is the longest stored unit that the new prompt contains whole.

    Units end where a prompt ended, where its answer ended, at every multiple of an interval, and where two prompts
    were seen to part.
    """
    sent = in_prefix(request)
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
    record = record_of(request, provider, scope, (*sent, *request.output), tuple(sorted(ends)))
    return best_effort(sent, total, read, CacheState(state.entries, _alive(state, record)))


def named_object(request: CacheRequest, state: CacheState, provider: Provider) -> Outcome:
    """A prefix that was stored under a name; read whole while it lives, and never in part."""
    total = sum(block.tokens for block in in_prefix(request))
    held = request.object
    live = held is not None and held.created <= request.at < held.expires
    read = held.tokens if live and held is not None else 0
    counts = Counts(read, {}, total)
    return Outcome(counts, counts, None, state)


def rounded(shared: int, total: int, model: str, provider: Provider) -> int:
    """Tokens of a shared head that can be read: rounded down to whole blocks, none below the minimum."""
    rules = provider.cache
    step = rules.granularity.value if rules.granularity is not None else 1
    most = total - 1 if rules.keep_last_token is not None and rules.keep_last_token.value else total
    read = min(shared, most) // step * step
    return read if read >= _minimum(provider, model) and read > 0 else 0


def _minimum(provider: Provider, model: str) -> int:
    fact = provider.minimum_tokens(model)
    return fact.value if fact is not None else 0


def in_prefix(request: CacheRequest) -> tuple[CacheBlock, ...]:
    """The blocks that are part of the prefix."""
    return tuple(block for block in request.blocks if not block.deferred)


def _readable(state: CacheState, scope: bytes, at: float) -> tuple[Record, ...]:
    return tuple(r for r in state.records if r.scope == scope and r.readable <= at < r.expires)


def computed(output: tuple[CacheBlock, ...]) -> tuple[CacheBlock, ...]:
    """The part of an answer that an engine has computed: its last token was drawn, and nothing came after it."""
    if not output:
        return ()
    last = output[-1]
    ids = last.token_ids[:-1] if last.token_ids is not None else None
    return (*output[:-1], replace(last, tokens=max(0, last.tokens - 1), token_ids=ids))


def record_of(
    request: CacheRequest, provider: Provider, scope: bytes, kept: tuple[CacheBlock, ...], ends: tuple[int, ...]
) -> Record:
    """What is remembered of a request."""
    lifetime = provider.lifetime(request.ttl)
    seconds = lifetime.seconds.value if lifetime is not None else 0
    return Record(scope, kept, ends, request.at + request.response_after, request.at + seconds, request.at)


def _alive(state: CacheState, record: Record) -> tuple[Record, ...]:
    """The records that are not gone, and the new one."""
    return (*(known for known in state.records if known.expires > record.used), record)


def best_effort(sent: tuple[CacheBlock, ...], total: int, read: int, state: CacheState) -> Outcome:
    """Best-effort counts; the certain ones read nothing, since these caches promise nothing."""
    hit: int | None = None
    end = 0
    for index, block in enumerate(sent):
        end += block.tokens
        if end > read:
            break
        hit = index
    return Outcome(Counts(0, {}, total), Counts(read, {}, total - read), hit, state)
