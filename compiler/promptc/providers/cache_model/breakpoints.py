"""Caches that are written and read at breakpoints: with a lookback, or at exact places."""

from promptc.providers.cache_model.keys import prefix_keys
from promptc.providers.cache_model.positions import positions
from promptc.providers.cache_model.values import (
    CacheBlock,
    CacheRequest,
    CacheState,
    Counts,
    Entry,
    Outcome,
)
from promptc.providers.model import Lifetime, Provider


def lookback(request: CacheRequest, state: CacheState, provider: Provider) -> Outcome:
    """Entries are written at marked blocks; a read walks back from each marker, one position at a time.

    The latest marker is searched first; the search stops at the first entry. With A the tokens read, the tokens up to
    the last marker of each lifetime, longest lifetime first, are written at that lifetime's price.
    """
    blocks = _in_prefix(request)
    keys = prefix_keys(request, blocks, provider)
    ends = _cumulative(blocks)
    marked = [index for index, block in enumerate(blocks) if block.marked]
    rules = provider.cache
    collapse = bool(rules.collapse_tool_runs and rules.collapse_tool_runs.value)
    places = positions([block.kind for block in blocks], collapse)
    reach = rules.lookback.value if rules.lookback is not None else 1
    hit = next(
        (
            found
            for mark in reversed(marked)
            if (found := _walk_back(mark, places, reach, keys, state, request.at)) is not None
        ),
        None,
    )
    minimum = _minimum(provider, request.model)
    writing = [(index, _lifetime(provider, blocks[index].ttl)) for index in marked if ends[index] >= minimum]
    return _settle(request, state, provider, keys, ends, hit, writing)


def _walk_back(
    mark: int, places: list[int], reach: int, keys: tuple[bytes, ...], state: CacheState, at: float
) -> int | None:
    for index in range(mark, -1, -1):
        if places[mark] - places[index] >= reach:
            return None
        if _live(state.entries.get(keys[index]), at):
            return index
    return None


def exact(request: CacheRequest, state: CacheState, provider: Provider) -> Outcome:
    """Entries are written at the latest breakpoints and read at breakpoints only, the longest first.

    Breakpoints are the markers; in implicit mode also the end of the latest message, up to a number of earlier message
    endings, and the end of the leading system text.
    """
    blocks = _in_prefix(request)
    keys = prefix_keys(request, blocks, provider)
    ends = _cumulative(blocks)
    minimum = _minimum(provider, request.model)
    marked = [index for index, block in enumerate(blocks) if block.marked]
    endings = [index for index, block in enumerate(blocks) if block.ending and block.lane == "messages"]
    candidates = _looked_up(provider, blocks, marked, endings if request.implicit else [], request.implicit)
    hit = next(
        (
            i
            for i in sorted(candidates, reverse=True)
            if ends[i] >= minimum and _live(state.entries.get(keys[i]), request.at)
        ),
        None,
    )
    limit = provider.marker.limit.value if provider.marker is not None else 0
    if request.implicit:
        limit = int(provider.feature("implicit_limit") or limit)
    write_at = marked[-limit:] if limit else []
    if request.implicit and endings:
        write_at = [*write_at, endings[-1]]
    writing = [
        (index, _lifetime(provider, blocks[index].ttl or request.ttl))
        for index in sorted(set(write_at))
        if ends[index] >= minimum
    ]
    return _settle(request, state, provider, keys, ends, hit, writing)


def _looked_up(
    provider: Provider, blocks: tuple[CacheBlock, ...], marked: list[int], endings: list[int], implicit: bool
) -> set[int]:
    rules = provider.cache
    first = rules.first_markers.value if rules.first_markers is not None else len(marked)
    last = rules.last_markers.value if rules.last_markers is not None else len(marked)
    found = {*marked[:first], *marked[max(0, len(marked) - last) :]}
    if implicit:
        earlier = rules.endings.value if rules.endings is not None else 0
        found.update(endings[max(0, len(endings) - earlier - 1) :])
        head = [index for index, block in enumerate(blocks) if block.lane == "system"]
        found.update(head[-1:])
    return found


def _settle(
    request: CacheRequest,
    state: CacheState,
    provider: Provider,
    keys: tuple[bytes, ...],
    ends: list[int],
    hit: int | None,
    writing: list[tuple[int, Lifetime | None]],
) -> Outcome:
    """Count what is read and written, and store it."""
    total = ends[-1] if ends else 0
    read = ends[hit] if hit is not None else 0
    best = _counts(total, read, ends, writing)
    certain = best if provider.cache.certain.value else _counts(total, 0, ends, writing)
    entries = dict(state.entries)
    if hit is not None:
        entries[keys[hit]] = _refreshed(entries[keys[hit]], request.at)
    for index, lifetime in writing:
        if lifetime is None:
            continue
        known = entries.get(keys[index])
        live = _live(known, request.at)
        entries[keys[index]] = Entry(
            ends[index],
            lifetime.name,
            lifetime.seconds.value,
            known.readable if live and known is not None else request.at + request.response_after,
            max(request.at + lifetime.seconds.value, known.expires if live and known is not None else 0.0),
        )
    return Outcome(certain, best, hit, CacheState(entries, state.records))


def _counts(total: int, read: int, ends: list[int], writing: list[tuple[int, Lifetime | None]]) -> Counts:
    written: dict[str, int] = {}
    done = read
    lifetimes = {lifetime.name: lifetime for _, lifetime in writing if lifetime is not None}
    for lifetime in sorted(lifetimes.values(), key=lambda entry: -entry.seconds.value):
        reached = max(ends[index] for index, asked in writing if asked is not None and asked.name == lifetime.name)
        if reached > done:
            written[lifetime.name] = reached - done
            done = reached
    return Counts(read, written, total - done)


def _refreshed(entry: Entry, at: float) -> Entry:
    return Entry(entry.tokens, entry.ttl, entry.seconds, entry.readable, max(entry.expires, at + entry.seconds))


def _live(entry: Entry | None, at: float) -> bool:
    return entry is not None and entry.readable <= at < entry.expires


def _in_prefix(request: CacheRequest) -> tuple[CacheBlock, ...]:
    return tuple(block for block in request.blocks if not block.deferred)


def _cumulative(blocks: tuple[CacheBlock, ...]) -> list[int]:
    ends: list[int] = []
    total = 0
    for block in blocks:
        total += block.tokens
        ends.append(total)
    return ends


def _minimum(provider: Provider, model: str) -> int:
    fact = provider.minimum_tokens(model)
    return fact.value if fact is not None else 0


def _lifetime(provider: Provider, name: str | None) -> Lifetime | None:
    return provider.lifetime(name)
