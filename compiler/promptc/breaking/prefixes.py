"""What a change does to the cached prefixes of one prompt, variant by variant and scope by scope."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from promptc.breaking.blame import Blame, blame_of
from promptc.breaking.model import Break, PrefixRow, Rewrite
from promptc.breaking.rules import CATEGORIES, category_of, rule
from promptc.compare.amounts import measure
from promptc.compare.prompts import Compared, PromptDiff
from promptc.project import Category
from promptc.streams.manifest_model import Manifest
from promptc.streams.manifest_variants import prefix_digests
from promptc.streams.model import Breakpoint, PrefixStream

_PREFIX_RULES: dict[Category, str] = {
    "global": "GLOBAL_PREFIX_CHANGED",
    "org": "ORG_PREFIX_CHANGED",
    "session": "SESSION_PREFIX_CHANGED",
    "tail": "TAIL_CHANGED",
    "metadata": "TAIL_CHANGED",
}
_WRITERS: dict[Category, str] = {
    "global": "once by everybody",
    "org": "by each who shares it",
    "session": "by every open conversation",
    "tail": "by the next request",
    "metadata": "by nobody",
}
_SHOWN_CONDITIONS = 3


@dataclass(frozen=True, slots=True)
class _Fate:
    """What became of one marker in one variant."""

    name: str
    point: Breakpoint
    compared: Compared
    lost: bool
    new: Breakpoint | None


def judge_prefixes(diff: PromptDiff) -> tuple[tuple[PrefixRow, ...], tuple[Break, ...]]:
    """The prefixes of a prompt that both sides have, and what breaks them, in cache order."""
    comparisons = diff.variants or (diff.whole,)
    fates: dict[str, list[_Fate]] = {}
    for compared in comparisons:
        for name, point in _points(compared):
            fates.setdefault(name, []).append(_fate(name, point, compared))
    ordered = sorted(fates.items(), key=lambda item: min(f.point.index for f in item[1]))
    breaks: dict[tuple[str, str], Break] = {}
    rows: list[PrefixRow] = []
    for name, own in ordered:
        rows.append(_row(diff, name, own))
        for found in _breaks(diff, name, own):
            key = (found.section, found.rule.id if found.rule.id in _SAME_BYTES else "")
            earlier = breaks.get(key)
            # One cause is one finding: of a prefix that stands behind, the finding of the one in front tells.
            breaks[key] = found if earlier is None else _with_consequence(earlier, found.scope)
    if not any(row.broken for row in rows):
        breaks |= {("", f"tail {b.section}"): b for b in _tail(diff, comparisons)}
    return tuple(rows), tuple(breaks.values())


_SAME_BYTES = frozenset({"MARKER_REMOVED", "SCOPE_DEMOTED"})


def scope_category(manifest: Manifest, scope: str) -> Category:
    """Whom the prefix of a scope concerns; of what has no scope, by the classes in front of the marker."""
    held = {s.name: s.holds for s in manifest.scopes}
    chain = manifest.chain
    if held.get(scope) in chain:
        return category_of(held[scope], chain)
    if scope == "tools":
        classes = [e.cls for e in manifest.elements if e.lane == "tools"]
        return category_of(max(classes, key=chain.index, default=chain[0]), chain)
    # Whatever ends in messages belongs to one conversation.
    inside = [e.cls for e in manifest.elements if e.scope == scope]
    return category_of(max(inside, key=chain.index), chain) if inside else "session"


def _points(compared: Compared) -> list[tuple[str, Breakpoint]]:
    stream = compared.old
    found = {_name(stream, point): point for point in stream.breakpoints}
    if not found:
        # A provider that caches by itself ends a prefix where nobody has marked one.
        ends = {*compared.comparison.breakpoints_lost, *compared.comparison.breakpoints_surviving}
        ended = [Breakpoint(i, e.pointer, implied=True) for i, e in enumerate(stream.elements) if e.pointer in ends]
        return [("conversation", point) for point in ended[-1:]]
    return list(found.items())


def _name(stream: PrefixStream, point: Breakpoint) -> str:
    if point.scope is not None:
        return point.scope
    return "tools" if stream.elements[point.index].kind == "tool" else "conversation"


def _fate(name: str, point: Breakpoint, compared: Compared) -> _Fate:
    lost = point.pointer in compared.comparison.breakpoints_lost
    same_name = [p for p in compared.new.breakpoints if _name(compared.new, p) == name]
    same_place = [p for p in compared.new.breakpoints if p.index == point.index]
    candidates = same_name[-1:] if lost else same_place
    return _Fate(name, point, compared, lost, next(iter(candidates), None))


def _row(diff: PromptDiff, name: str, fates: Sequence[_Fate]) -> PrefixRow:
    lost = [f for f in fates if f.lost]
    shown = lost[0] if lost else fates[0]
    rewrites = [_rewrite(f) for f in lost]
    return PrefixRow(
        prompt=diff.new.prompt,
        scope=name,
        category=scope_category(diff.old, name),
        before=_digest(diff.old, shown.compared, 0, shown.point),
        after=_digest(diff.new, shown.compared, 1, shown.new) if shown.new is not None else "",
        broken=len(lost),
        variants=len(fates),
        rewrite=max(rewrites, key=lambda r: r.bytes, default=Rewrite()),
    )


def _rewrite(fate: _Fate) -> Rewrite:
    """What stands in the new prefix behind the last entry that is still alive."""
    compared = fate.compared
    alive = [p.index for p in compared.old.breakpoints if p.pointer in compared.comparison.breakpoints_surviving]
    start = max(alive, default=-1) + 1
    weight = measure(compared.new)
    end = (fate.new.index if fate.new is not None else min(fate.point.index, len(weight.sizes) - 1)) + 1
    return Rewrite(sum(weight.sizes[start:end]), sum(weight.tokens[start:end]), weight.method)


def _digest(manifest: Manifest, compared: Compared, side: int, point: Breakpoint) -> str:
    """Digest of the prefix through a marker: of the manifest where it lists the variant."""
    stream = (compared.old, compared.new)[side]
    element = stream.elements[point.index]
    last = element.pieces[-1].section if element.pieces else ""
    if compared.variants is not None:
        listed = {b.element: b.digest for b in compared.variants[side].prefix}
        if last in listed:
            return listed[last]
        return compared.variants[side].prefix[-1].digest if compared.variants[side].prefix else ""
    digests = prefix_digests(manifest.elements, manifest.seams)
    return next((d for e, d in zip(manifest.elements, digests, strict=True) if e.name == last), digests[-1])


def _breaks(diff: PromptDiff, name: str, fates: Sequence[_Fate]) -> list[Break]:
    category = scope_category(diff.old, name)
    out: list[Break] = []
    if not any(f.compared.comparison.param_changes for f in fates):
        groups: dict[tuple[str, str], list[tuple[_Fate, Blame]]] = {}
        for fate in fates:
            if fate.lost:
                blame = blame_of(fate.compared, diff.old, diff.new)
                groups.setdefault((blame.section, blame.change), []).append((fate, blame))
        out += [_changed(diff, name, category, found, len(fates)) for found in groups.values()]
    kept = [f for f in fates if not f.lost]
    unmarked = [f for f in kept if f.new is None]
    if unmarked:
        message = f"the `{name}` prefix of prompt `{diff.new.prompt}` is not cached any more"
        out.append(_same_bytes(diff, "MARKER_REMOVED", name, category, message, unmarked, len(fates)))
    demoted = [f for f in kept if f.new is not None and _is_demoted(diff, f.name, _name(f.compared.new, f.new))]
    if demoted and demoted[0].new is not None:
        now = _name(demoted[0].compared.new, demoted[0].new)
        message = f"the `{name}` prefix of prompt `{diff.new.prompt}` is now shared as `{now}` only"
        out.append(_same_bytes(diff, "SCOPE_DEMOTED", name, category, message, demoted, len(fates)))
    return out


def _is_demoted(diff: PromptDiff, was: str, now: str) -> bool:
    before, after = scope_category(diff.old, was), scope_category(diff.new, now)
    return was != now and CATEGORIES.index(after) > CATEGORIES.index(before)


def _changed(
    diff: PromptDiff, name: str, category: Category, found: Sequence[tuple[_Fate, Blame]], total: int
) -> Break:
    fate, blame = max(found, key=lambda pair: _rewrite(pair[0]).bytes)
    if blame.cls is not None and not fate.compared.old.breakpoints:
        category = category_of(blame.cls, diff.old.chain)
    rewrite = _rewrite(fate)
    written = (
        f"about {rewrite.tokens:,} tokens ({rewrite.bytes:,} bytes; {rewrite.method}) are written again "
        f"{_WRITERS[category]}"
    )
    return Break(
        rule=rule("TOOLS_CHANGED" if blame.tool else _PREFIX_RULES[category]),
        category=category,
        prompt=diff.new.prompt,
        scope=name,
        section=blame.section,
        place=blame.place,
        message=f"the `{name}` prefix of prompt `{diff.new.prompt}` parts at byte {blame.byte:,}: {blame.words}",
        notes=(*blame.notes, *_where([f for f, _ in found], total, diff.new.variants.total), written),
        was=diff.old.digest,
        now=diff.new.digest,
    )


def _same_bytes(
    diff: PromptDiff, id: str, name: str, category: Category, message: str, fates: Sequence[_Fate], total: int
) -> Break:
    element = fates[0].compared.new.elements[fates[0].point.index]
    blamed = element.pieces[-1].section if element.pieces else ""
    place = next((e.span for e in diff.new.elements if e.name == blamed), None)
    where = (f"its bytes are the same, through `{blamed}`", *_where(fates, total, diff.new.variants.total))
    return Break(
        rule(id), category, diff.new.prompt, name, blamed, place, message, where, diff.old.digest, diff.new.digest
    )


def _where(fates: Sequence[_Fate], total: int, variants: int) -> tuple[str, ...]:
    """In which variants; nothing where there is only one."""
    if fates[0].compared.condition is None:
        return _all_at_once(variants)
    if total == 1:
        return ()
    shown = [f.compared.condition or "always" for f in fates[:_SHOWN_CONDITIONS]]
    more = f" and {len(fates) - len(shown)} more" if len(fates) > len(shown) else ""
    if len(fates) == total:
        return (f"in all {total} variants",)
    return (f"in {len(fates)} of {total} variants: {'; '.join(shown)}{more}",)


def _all_at_once(variants: int) -> tuple[str, ...]:
    if variants <= 1:
        return ()
    return (f"its {variants:,} variants are more than a manifest lists, and were compared all at once",)


def _with_consequence(found: Break, scope: str) -> Break:
    if scope in (found.scope, *found.also):
        return found
    return replace(found, also=(*found.also, scope))


def _tail(diff: PromptDiff, comparisons: Sequence[Compared]) -> list[Break]:
    """Bytes that differ behind everything that is cached; the first of them."""
    parted = [c for c in comparisons if c.comparison.relation != "identical" and not c.comparison.param_changes]
    if not parted:
        return []
    blame = blame_of(parted[0], diff.old, diff.new)
    return [
        Break(
            rule=rule("TAIL_CHANGED"),
            category="tail",
            prompt=diff.new.prompt,
            scope="",
            section=blame.section,
            place=blame.place,
            message=f"prompt `{diff.new.prompt}` differs only behind its cached prefixes: {blame.words}",
            notes=blame.notes,
            was=diff.old.digest,
            now=diff.new.digest,
        )
    ]
