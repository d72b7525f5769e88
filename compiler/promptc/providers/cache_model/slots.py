"""Caches of a few slots: each holds the prompt before, and prompts that lose theirs are put on a shelf."""

from collections.abc import Sequence
from dataclasses import dataclass

from promptc.providers.cache_model.keys import common_tokens, scope_key
from promptc.providers.cache_model.prefixes import best_effort, computed, in_prefix, record_of, rounded
from promptc.providers.cache_model.values import CacheBlock, CacheRequest, CacheState, Outcome, Record
from promptc.providers.model import Provider


@dataclass(frozen=True, slots=True)
class _Rules:
    """How a server was started.

    Attributes:
        count: Slots.
        similar: Share of a prompt that a slot must hold to be chosen for it; else the slot longest unused is taken.
        shelf: Whether prompts that lose their slot are kept in memory beside them.
        keep: Below this share of what a slot holds, its prompt goes to the shelf before it is cut.
        worth: Below this share of what stands on the shelf, a prompt is not taken from there.
        cleared: Whether slots that are idle when a request starts are emptied onto the shelf.
    """

    count: int
    similar: float
    shelf: bool
    keep: float
    worth: float
    cleared: bool


def slots(request: CacheRequest, state: CacheState, provider: Provider) -> Outcome:
    """One slot answers; what it shares with the new prompt is read.

    The slot with the longest shared head answers if that head is more than a share of the new prompt, else the one
    longest unused; even then, what it happens to share is read. Slots are numbered, and unused ones are taken from the
    highest number down, so a new one stands first here.
    """
    rules = _rules(provider)
    sent = in_prefix(request)
    total = sum(block.tokens for block in sent)
    scope = scope_key(request, provider)
    live = [record for record in state.records if record.scope == scope]
    shelf = [record for record in state.shelf if record.scope == scope]
    chosen, held, similar = _choose(live, sent, total, rules)
    if rules.shelf and not (similar and held is not None and _share(held, sent) >= rules.keep):
        if held is not None:
            shelf = _shelved(shelf, held)
        held, shelf = _better(held, shelf, sent, total, rules.worth)
    read = rounded(common_tokens(held.blocks, sent) if held is not None else 0, total, request.model, provider)
    record = record_of(request, provider, scope, (*sent, *computed(request.output)), ())
    idle = [other for index, other in enumerate(live) if index != chosen]
    if rules.shelf:
        for other in idle:
            shelf = _shelved(shelf, other)
    if rules.shelf and rules.cleared:
        live = [record]
    elif chosen is None:
        live = [record, *live]
    else:
        live = [*live[:chosen], record, *live[chosen + 1 :]]
    others = [other for other in state.records if other.scope != scope]
    aside = [other for other in state.shelf if other.scope != scope]
    after = CacheState(state.entries, (*others, *live), (*aside, *shelf))
    return best_effort(sent, total, read, after)


def _rules(provider: Provider) -> _Rules:
    similar = provider.cache.similarity
    return _Rules(
        count=int(provider.feature("slots") or 1),
        similar=similar.value if similar is not None else 0.0,
        shelf=bool(provider.feature("prompt_shelf")),
        keep=float(provider.feature("slot_keep_share") or 0),
        worth=float(provider.feature("shelf_keep_share") or 0),
        cleared=bool(provider.feature("unified_memory")),
    )


def _choose(
    live: Sequence[Record], sent: tuple[CacheBlock, ...], total: int, rules: _Rules
) -> tuple[int | None, Record | None, bool]:
    """Index and content of the slot that answers, None for an unused one; and whether it was chosen for its prompt."""
    shared = [common_tokens(record.blocks, sent) for record in live]
    best = max(range(len(live)), key=shared.__getitem__, default=None)
    if best is not None and shared[best] > rules.similar * total:
        return best, live[best], True
    if len(live) < rules.count:
        return None, None, False
    oldest = min(range(len(live)), key=lambda index: live[index].used)
    return oldest, live[oldest], False


def _better(
    held: Record | None, shelf: list[Record], sent: tuple[CacheBlock, ...], total: int, worth: float
) -> tuple[Record | None, list[Record]]:
    """What the slot holds once the shelf was searched, and what is left there.

    A prompt from the shelf must keep more of itself, and give more of the new prompt, than what the slot holds.
    """
    found: int | None = None
    keeps = _share(held, sent) if held is not None else -1.0
    gives = common_tokens(held.blocks, sent) if held is not None else 0
    for index, record in enumerate(shelf):
        common, share = common_tokens(record.blocks, sent), _share(record, sent)
        if share >= worth and share > keeps and common > gives:
            found, keeps, gives = index, share, common
    if found is None:
        return held, shelf
    return shelf[found], [*shelf[:found], *shelf[found + 1 :]]


def _shelved(shelf: list[Record], record: Record) -> list[Record]:
    """The shelf with one more prompt, unless a longer one contains it; shorter ones that it contains go."""
    length = _length(record)
    if any(common_tokens(other.blocks, record.blocks) == length for other in shelf):
        return shelf
    return [*(r for r in shelf if common_tokens(r.blocks, record.blocks) != _length(r)), record]


def _share(record: Record, sent: tuple[CacheBlock, ...]) -> float:
    """Share of a stored prompt that a new one begins with."""
    return common_tokens(record.blocks, sent) / max(1, _length(record))


def _length(record: Record) -> int:
    return sum(block.tokens for block in record.blocks)
