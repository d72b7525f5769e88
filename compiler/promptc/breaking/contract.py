"""What else a change does: to the key of the cache, to lifetimes, and to those who call the prompt."""

import hashlib
import json
from collections.abc import Iterator

from promptc.breaking.model import Break
from promptc.breaking.prefixes import scope_category
from promptc.breaking.rules import rule, widest
from promptc.project import Category
from promptc.streams.manifest_model import Manifest, ManifestInput


def settings_digest(manifest: Manifest) -> str:
    """SHA-256 of everything about a prompt that its own digest leaves out and that a rule looks at."""
    inputs = [i.model_dump(mode="json") for i in manifest.inputs]
    about = [manifest.target, manifest.wire, manifest.order, manifest.model, inputs, manifest.variants.total]
    return hashlib.sha256(json.dumps([manifest.digest, *about], sort_keys=True).encode()).hexdigest()


def widest_category(manifest: Manifest) -> Category:
    """The category of the prefix that most share; `metadata` for a prompt that caches nothing."""
    scopes = [s.name for s in manifest.scopes]
    unscoped = [{"conversation": "conversation", "tools": "tools"}.get(b.lane, "") for b in manifest.breakpoints]
    return widest([scope_category(manifest, name) for name in (*scopes, *unscoped) if name])


def judge_contract(old: Manifest, new: Manifest) -> tuple[Break, ...]:
    """What a change does to a prompt beside its bytes."""
    return (*_key(old, new), *_lifetimes(old, new), *_variants(old, new), *_inputs(old, new))


def judge_removed(old: Manifest) -> Break:
    """What the removal of a prompt does."""
    message = f"prompt `{old.prompt}` of the baseline is there no more"
    return Break(
        rule("PROMPT_REMOVED"),
        widest_category(old),
        old.prompt,
        "",
        "",
        None,
        message,
        (),
        settings_digest(old),
        "",
    )


def _make(id: str, old: Manifest, new: Manifest, message: str, **more: str) -> Break:
    found = rule(id)
    return Break(
        rule=found,
        category=found.category or widest_category(old),
        prompt=new.prompt,
        scope=more.get("scope", ""),
        section=more.get("section", ""),
        place=None,
        message=message,
        notes=(more["note"],) if "note" in more else (),
        was=settings_digest(old),
        now=settings_digest(new),
    )


def _key(old: Manifest, new: Manifest) -> Iterator[Break]:
    name = new.prompt
    if (old.target, old.wire, old.order) != (new.target, new.wire, new.order):
        what = f"`{old.target}` ({old.wire}) was the target of prompt `{name}`, now it is `{new.target}` ({new.wire})"
        yield _make("TARGET_CHANGED", old, new, what, note="no provider reads what another has cached")
    if old.model != new.model:
        was, now = old.model or "passed by the caller", new.model or "passed by the caller"
        what = f"the model of prompt `{name}` was `{was}`, now it is `{now}`"
        yield _make("MODEL_CHANGED", old, new, what, note="no model reads what another has cached")


def _lifetimes(old: Manifest, new: Manifest) -> Iterator[Break]:
    after = {(p.lane, p.scope): p.ttl for p in new.breakpoints}
    for point in old.breakpoints:
        key = (point.lane, point.scope)
        if key in after and after[key] != point.ttl:
            scope = point.scope or point.lane
            was, now = _seconds(point.ttl), _seconds(after[key])
            what = f"the `{scope}` prefix of prompt `{new.prompt}` lived {was}, now {now}"
            yield _make("TTL_CHANGED", old, new, what, scope=scope, section=point.after)


def _seconds(ttl: int | None) -> str:
    return "as long as the provider decides" if ttl is None else f"{ttl} s"


def _variants(old: Manifest, new: Manifest) -> Iterator[Break]:
    was, now = old.variants.total, new.variants.total
    if now > was:
        what = f"the prefix of prompt `{new.prompt}` had {was:,} {'variant' if was == 1 else 'variants'}, now {now:,}"
        yield _make("VARIANTS_ADDED", old, new, what, note="each of them is written and kept by itself")


def _inputs(old: Manifest, new: Manifest) -> Iterator[Break]:
    before = {i.name: i for i in old.inputs}
    after = {i.name: i for i in new.inputs}
    for name, own in before.items():
        if name not in after:
            yield _make(
                "INPUT_REMOVED", old, new, f"prompt `{new.prompt}` has no input `{name}` any more", section=name
            )
        else:
            yield from _same_input(old, new, own, after[name])
    for name, own in after.items():
        if name not in before:
            what = f"prompt `{new.prompt}` has the new input `{name}: {own.type}`"
            yield _make("INPUT_ADDED", old, new, what, section=name)


def _same_input(old: Manifest, new: Manifest, was: ManifestInput, now: ManifestInput) -> Iterator[Break]:
    name = was.name
    if was.type != now.type:
        what = f"the input `{name}` of prompt `{new.prompt}` was `{was.type}`, now it is `{now.type}`"
        yield _make("INPUT_TYPE_CHANGED", old, new, what, section=name)
    if was.cls != now.cls:
        what = f"the input `{name}` of prompt `{new.prompt}` was `@{was.cls}`, now it is `@{now.cls}`"
        yield _make("INPUT_CLASS_CHANGED", old, new, what, section=name)
