"""The whole comparison: every prompt judged, what is ignored or accepted marked, and what that leaves to say."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from promptc.breaking.contract import judge_contract, judge_removed
from promptc.breaking.model import Break, PrefixRow, Report
from promptc.breaking.prefixes import judge_prefixes
from promptc.breaking.rules import RULES, find_rule
from promptc.compare.prompts import compare_prompts, pair_prompts
from promptc.diagnostics.model import Diagnostic
from promptc.diagnostics.sink import Sink
from promptc.diagnostics.suggest import suggest
from promptc.emit.lock import AcceptedBreak
from promptc.project import CONFIG_NAME, Category, Ignore
from promptc.providers.registry import BUILTIN, Registry
from promptc.streams.manifest_model import Manifest


def judge(
    before: Mapping[str, Manifest],
    after: Mapping[str, Manifest],
    against: str,
    fail_on: Category,
    ignores: Sequence[Ignore] = (),
    accepted: Sequence[AcceptedBreak] = (),
    sink: Sink | None = None,
    registry: Registry = BUILTIN,
) -> Report:
    """Compare the prompts of a baseline with those that are there now.

    Args:
        before: Of the baseline, by name.
        after: As they are now.
        against: The baseline as it was named.
        fail_on: Least category that fails.
        ignores: Findings that do not count.
        accepted: Breaks that the lock records.
        sink: Takes what there is to say about ignores and acceptances.
        registry: What is known about providers.

    Diagnostics:
        PC834 an ignore that matches nothing, PC835 an acceptance of another step, PC836 an ignore of no rule.
    """
    sink = sink if sink is not None else Sink()
    pairs = pair_prompts(before, after)
    rows: list[PrefixRow] = []
    breaks: list[Break] = []
    for old, new in pairs.both:
        diff = compare_prompts(old, new, against, "now", registry)
        own_rows, own = judge_prefixes(diff)
        rows += own_rows
        breaks += [*own, *judge_contract(old, new)]
    breaks += [judge_removed(manifest) for manifest in pairs.removed]
    breaks = _without_ignored(breaks, ignores, sink)
    breaks = _without_accepted(breaks, accepted, before, sink)
    names = tuple(new.prompt for _, new in pairs.both)
    return Report(against, fail_on, names, tuple(m.prompt for m in pairs.added), tuple(rows), tuple(breaks))


def _without_ignored(breaks: Sequence[Break], ignores: Sequence[Ignore], sink: Sink) -> list[Break]:
    used: set[int] = set()
    out: list[Break] = []
    for found in breaks:
        match = next((i for i, ignore in enumerate(ignores) if _matches(ignore, found)), None)
        if match is None:
            out.append(found)
        else:
            used.add(match)
            out.append(replace(found, standing="ignored", why=ignores[match].reason))
    for index, ignore in enumerate(ignores):
        if find_rule(ignore.rule) is None:
            near = suggest(ignore.rule, [rule.id for rule in RULES])
            help = f"did you mean `{near}`?" if near else "`promptc breaking --rules` lists them"
            sink.report(
                Diagnostic("PC836", f"`{CONFIG_NAME}` ignores the unknown rule `{ignore.rule}`", None, help=help)
            )
        elif index not in used:
            where = "".join(
                f" {what} `{name}`" for what, name in (("prompt", ignore.prompt), ("section", ignore.section)) if name
            )
            what = f"the ignore of `{ignore.rule}`{' for' + where if where else ''} in `{CONFIG_NAME}` matches nothing"
            sink.report(
                Diagnostic(
                    "PC834", what, None, help="remove it, so that it does not hide the next finding of that rule"
                )
            )
    return out


def _matches(ignore: Ignore, found: Break) -> bool:
    return (
        ignore.rule == found.rule.id
        and ignore.prompt in (None, found.prompt)
        and ignore.section in (None, found.section)
    )


def _without_accepted(
    breaks: Sequence[Break], accepted: Sequence[AcceptedBreak], before: Mapping[str, Manifest], sink: Sink
) -> list[Break]:
    used: set[int] = set()
    out: list[Break] = []
    for found in breaks:
        match = next((i for i, record in enumerate(accepted) if _accepts(record, found)), None)
        if match is None or found.standing != "open":
            out.append(found)
        else:
            used.add(match)
            out.append(replace(found, standing="accepted", why=accepted[match].reason))
    # A record of a step from another baseline has done its work; one from this baseline ought to fit.
    starts = {b.was for b in breaks} | {m.digest for m in before.values()}
    for index, record in enumerate(accepted):
        if index not in used and record.was in starts:
            where = f" of scope `{record.scope}`" if record.scope else ""
            what = f"the accepted break of prompt `{record.prompt}`{where} is not the one that is there now"
            help = "look at what is there now, and accept that with `promptc accept` if it is meant"
            sink.report(Diagnostic("PC835", what, None, notes=(f"it was accepted with: {record.reason}",), help=help))
    return out


def _accepts(record: AcceptedBreak, found: Break) -> bool:
    step = (record.prompt, record.was, record.now)
    return step == (found.prompt, found.was, found.now) and record.scope in ("", found.scope)
