"""A conversation that is not continued but rewritten."""

import re
from collections.abc import Callable, Iterator, Mapping

from promptc.diagnostics.model import Diagnostic
from promptc.providers.cache_model.positions import positions
from promptc.providers.checks.context import Context, finding
from promptc.providers.checks.pair import Divergence, Pair, content, diverge, pointer_of, shared_tools, spoken
from promptc.providers.checks.pair import system_blocks as system_of
from promptc.providers.frames import automatic_end
from promptc.providers.model import model_matches
from promptc.providers.wire.view import Block, as_mapping, as_text

_TOKEN_LEVEL = frozenset({"interval", "token-prefix", "block-chain", "radix", "slot", "units"})
# From this share of the lookback on, one busier turn outruns it.
_EARLY = 0.75
_THINKING = frozenset({"thinking", "redacted_thinking"})
# Places where byte-pair encodings merge across a cut: the token list of the text before is no prefix of the whole's.
_UNSAFE = re.compile(r"[^\W\d_]{2}|\d\d|[ ]\w|[^\w\s]\n|\n\n")


def rewritten(pair: Pair) -> Iterator[Diagnostic]:
    """The later conversation is no continuation of the earlier one."""
    if pair.fork:
        return
    was, now = spoken(pair.before), spoken(pair.after)
    found = diverge(pair, was, now)
    edited = _edited_thinking(pair, was, now)
    if edited is not None:
        yield finding(
            "PC663",
            "this thinking block is not the one that the model gave",
            edited.pointer,
            notes=("its signature covers what it said, so the API refuses an edited one",),
            help="send thinking blocks back byte for byte, or drop them whole",
        )
        return
    if found is None:
        return
    pointer = pointer_of(found, now, "/messages")
    if found.index == len(was) - 1 and _extended(found):
        yield from _tail(pair, pointer)
        return
    same = f"{found.index} of {len(was)} blocks of the conversation are still the same"
    if pair.after.provider.cache.kind == "units":
        yield finding(
            "PC658",
            "the requests part at this block, where no stored unit ends",
            pointer,
            notes=(same, "a hit must contain a stored unit whole"),
            help="let requests part where an earlier request ended",
        )
    elif next(binding(pair), None) is None:
        yield finding(
            "PC654",
            "the conversation differs from that of the request before, from this block on",
            pointer,
            notes=(same,),
            help="append to what was sent, and never edit it",
        )


def _tail(pair: Pair, pointer: str) -> Iterator[Diagnostic]:
    if pair.after.provider.marker is not None or pair.after.provider.feature("append_only_tail"):
        yield finding(
            "PC656",
            "the last message was extended in place",
            pointer,
            notes=("the entry that ended there cannot be read, since its last block is another one now",),
            help="append a block or a message",
        )


def _extended(found: Divergence) -> bool:
    was, now = found.was, found.now
    return (
        was is not None and now is not None and bool(was.text) and (now.text or "").startswith(was.text or "")
    ) and was.role == now.role


def _edited_thinking(pair: Pair, was: tuple[Block, ...], now: tuple[Block, ...]) -> Block | None:
    if pair.after.provider.feature("thinking_bound_models") is None:
        return None
    by_signature = {_signature(b): content(pair.before, b) for b in was if b.kind == "thinking"}
    for block in now:
        signature = _signature(block)
        known = by_signature.get(signature) if signature else None
        if block.kind == "thinking" and known is not None and known != content(pair.after, block):
            return block
    return None


def _signature(block: Block) -> str | None:
    return as_text(as_mapping(block.raw).get("signature"))


def binding(pair: Pair) -> Iterator[Diagnostic]:
    """Thinking that is bound to what stood before it, which is no longer there."""
    models = pair.after.provider.feature("thinking_bound_models")
    if models is None or pair.fork or not model_matches(pair.after.model, models):
        return
    now = spoken(pair.after)
    found = diverge(pair, spoken(pair.before), now)
    ahead = _differs(pair, shared_tools) or _differs(pair, system_of)
    first = 0 if ahead else found.index if found is not None else None
    if first is None:
        return
    drops = as_mapping(as_mapping(pair.after.view.body.get("thinking")).get("block_binding"))
    known = [block.raw for block in spoken(pair.before) if block.kind in _THINKING]
    for block in now[first:]:
        if block.kind in _THINKING and block.raw in known:
            if drops.get("prefix_mismatch_behavior") != "drop_block":
                yield finding(
                    "PC655",
                    f"this thinking was given behind another prefix, and `{pair.after.model}` binds it to that",
                    block.pointer,
                    notes=("the API refuses it, or drops it where the request asks for that",),
                    help="leave what stands before it as it was, or drop the block",
                )
            return


def _differs(pair: Pair, blocks: Callable[[Context], tuple[Block, ...]]) -> bool:
    was, now = blocks(pair.before), blocks(pair.after)
    return [content(pair.before, block) for block in was] != [content(pair.after, block) for block in now]


def lookback(pair: Pair) -> Iterator[Diagnostic]:
    """More was appended than the provider searches back through."""
    rules = pair.after.provider.cache
    if rules.lookback is None or pair.fork or diverge(pair, spoken(pair.before), spoken(pair.after)) is not None:
        return
    collapse = bool(rules.collapse_tool_runs and rules.collapse_tool_runs.value)
    blocks = pair.after.view.blocks(pair.after.provider.prefix_order.value)
    places = dict(zip((b.pointer for b in blocks), positions([b.kind for b in blocks], collapse), strict=True))
    written = [places[p] for p in _marked(pair.before) if p in places]
    marked = [(places[p], p) for p in _marked(pair.after) if p in places]
    if not written or not marked:
        return
    reach = rules.lookback.value
    last = max(written)
    if not any(0 <= place - last < reach for place, _ in marked):
        place, pointer = marked[-1]
        yield finding(
            "PC623",
            f"{place - last} positions were added since the last entry, and {reach} are searched, this one included",
            pointer,
            notes=(f"the lookback is {rules.lookback.certainty} ({rules.lookback.source}, {rules.lookback.dated})",),
            help=f"keep a second marker at most {reach - 1} positions behind the last entry",
        )
        return
    added = max(place for place, _ in marked) - last
    if _EARLY * reach <= added < reach:
        yield finding(
            "PC695",
            f"{added} of {reach} positions that are searched were added since the last entry",
            max(marked)[1],
            notes=("a turn with a few calls more loses the whole prefix",),
            help="keep a second marker where the last request had its own",
        )


def _marked(context: Context) -> list[str]:
    view = context.view
    pointers = [mark.pointer for mark in view.marks]
    automatic = automatic_end(context.provider, view) if view.request_mark is not None else None
    return [*pointers, automatic.pointer] if automatic is not None else pointers


def endings(pair: Pair) -> Iterator[Diagnostic]:
    """More message endings were added than are looked up without a marker, or the mode changed with none."""
    rules, view = pair.after.provider.cache, pair.after.view
    if rules.endings is None or pair.fork:
        return
    name = str(pair.after.provider.feature("options_field"))
    was = as_mapping(pair.before.view.body.get(name)).get("mode", "implicit")
    now = as_mapping(view.body.get(name)).get("mode", "implicit")
    old_end = pair.before.view.turns[-1].pointer if pair.before.view.turns else ""
    at_old_end = any(mark.pointer.startswith(f"{old_end}/") for mark in view.marks)
    if was == "implicit" and now == "explicit" and not at_old_end:
        yield finding(
            "PC626",
            "caching changes from `implicit` to `explicit`, and no marker stands where the last request ended",
            f"/{name}/mode",
            help="mark that place once, or keep the mode",
        )
    added = [turn for turn in view.turns[len(pair.before.view.turns) :] if turn.role in ("user", "tool")]
    if now == "implicit" and len(added) > rules.endings.value and not view.marks:
        yield finding(
            "PC624",
            f"{len(added)} messages were added, and only {rules.endings.value} earlier endings are looked up",
            added[-1].pointer,
            help="mark the end of the last request",
        )


def boundary(pair: Pair) -> Iterator[Diagnostic]:
    """A shared text that is cut where token encodings merge across the cut; of interest where sharing is planned."""
    if not pair.fork or pair.after.provider.cache.kind not in _TOKEN_LEVEL:
        return
    found = diverge(pair, spoken(pair.before), spoken(pair.after))
    if found is None or found.was is None or found.now is None:
        return
    old, new = found.was.text or "", found.now.text or ""
    shared = next((i for i, (a, b) in enumerate(zip(old, new, strict=False)) if a != b), min(len(old), len(new)))
    around = {text[shared - 1 : shared + 1] for text in (old, new)}
    if shared and any(_UNSAFE.fullmatch(cut) for cut in around):
        yield finding(
            "PC660",
            "the shared text ends inside what tokenizers may merge, so up to 4 tokens more are lost",
            found.now.text_pointer,
            notes=(f"it ends after {shared} characters",),
            help="end shared text at a line end or a message end",
        )


def partial_block(pair: Pair) -> Iterator[Diagnostic]:
    """Shared tokens that fill no whole block; of interest where sharing is planned."""
    rules, count = pair.after.provider.cache, pair.after.options.count
    if not pair.fork or rules.kind != "block-chain" or rules.granularity is None or count is None:
        return
    order = pair.after.provider.prefix_order.value
    was, now = pair.before.view.blocks(order), pair.after.view.blocks(order)
    found = diverge(pair, was, now)
    shared = now[: found.index] if found is not None else now[: len(was)]
    counts = [count(b.text or str(b.raw)) for b in shared]
    tokens, size = sum(c.value for c in counts), rules.granularity.value
    if found is not None and tokens % size:
        about = "" if all(c.exact for c in counts) else "about "
        yield finding(
            "PC662",
            f"{about}{tokens} tokens are shared, and {about}{tokens % size} of them fill no block of {size}",
            pointer_of(found, now, ""),
            help="this costs less than one block a request; pad only where that matters",
        )


def rendered_continues(before: str, after: str) -> Diagnostic | None:
    """Whether a chat template renders a longer conversation as a continuation of the shorter one.

    Args:
        before: The rendered prompt of one turn, generation prompt included.
        after: That of the next.
    """
    if after.startswith(before):
        return None
    shared = next((i for i, (a, b) in enumerate(zip(before, after, strict=False)) if a != b), len(after))
    return finding(
        "PC661",
        f"the template rewrites the conversation from character {shared} of {len(before)} on",
        "",
        notes=("some templates drop earlier reasoning, or move late system text to the head",),
        help="choose options of the template that keep what was rendered",
    )


def usage_problem(usage: Mapping[str, object], context: Context) -> Diagnostic | None:
    """Counts that do not fit the provider's own convention, so that a comparison would be wrong."""
    rules = context.provider.usage
    if rules is None:
        return None
    total, read = _at(usage, rules.input), _at(usage, rules.read)
    if rules.input_includes_cached.value and total is not None and read is not None and read > total:
        return finding(
            "PC643",
            f"{read} tokens were read from the cache and {total} are counted as input, which should contain them",
            f"/usage/{rules.input.replace('.', '/')}",
            notes=("some APIs count cached tokens in the input and some beside it",),
            help="normalise the counts before comparing them",
        )
    return None


def _at(usage: Mapping[str, object], path: str) -> int | None:
    value: object = usage
    for key in path.split("."):
        value = value.get(key) if isinstance(value, Mapping) else None
    return value if isinstance(value, int) and not isinstance(value, bool) else None


RULES = (rewritten, binding, lookback, endings, boundary, partial_block)
