"""The variants of a prompt as a tree of conditions in HTML, the worst branch first."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from promptc.report.diff_words import VERDICTS, where
from promptc.report.page import safe
from promptc.streams.result import Comparison

_SHOWN = 500
_CONDITION = 200
# Levels that are unfolded along the worst branch.
_OPEN = 2
_ORDER = ("same", "tail", "break")


@dataclass(frozen=True, slots=True)
class VariantFate:
    """What becomes of one variant.

    Attributes:
        truths: Conditions that it decides, in cache order, and whether they hold.
        comparison: The variant before and after.
    """

    truths: tuple[tuple[str, bool], ...]
    comparison: Comparison


@dataclass(slots=True)
class _Node:
    label: str
    branches: dict[tuple[str, bool], "_Node"] = field(default_factory=dict)
    fates: list[Comparison] = field(default_factory=list)

    def all(self) -> Iterator[Comparison]:
        yield from self.fates
        for branch in self.branches.values():
            yield from branch.all()

    @property
    def rank(self) -> tuple[int, int]:
        """The worst comes first: by verdict, then by what it loses."""
        return min(_rank(fate) for fate in self.all())


def _rank(fate: Comparison) -> tuple[int, int]:
    return -_ORDER.index(fate.verdict), -fate.prefix.bytes.lost


def variant_tree(fates: Sequence[VariantFate]) -> Iterator[str]:
    """The tree; what is beyond its limit is counted."""
    ranked = sorted(fates, key=lambda fate: _rank(fate.comparison))
    root = _Node("")
    for fate in ranked[:_SHOWN]:
        node = root
        for condition, holds in fate.truths:
            label = condition if holds else f"not ({condition})"
            node = node.branches.setdefault((condition, holds), _Node(label))
        node.fates.append(fate.comparison)
    yield '<div class="tree">'
    for alone in root.fates:
        yield from _leaf(alone, "always")
    yield from _branches(root, _OPEN)
    yield "</div>"
    if len(ranked) > _SHOWN:
        yield f'<p class="soft">and {len(ranked) - _SHOWN:,} more; <code>--format json</code> lists all</p>'


def _branches(node: _Node, opened: int) -> Iterator[str]:
    for index, branch in enumerate(sorted(node.branches.values(), key=lambda branch: branch.rank)):
        labels = [branch.label]
        # A condition without an alternative is no fork here; it is named with what follows.
        while len(branch.branches) == 1 and not branch.fates:
            branch = next(iter(branch.branches.values()))
            labels.append(branch.label)
        label = ", ".join(labels)
        if not branch.branches:
            for fate in branch.fates:
                yield from _leaf(fate, label)
            continue
        inner = sorted(branch.all(), key=_rank)
        worst = inner[0]
        open_here = opened > 0 and index == 0 and worst.verdict != "same"
        yield f"<details{' open' if open_here else ''}><summary>{_badge(worst)} {_when(label)}"
        yield f'<span class="soft">{len(inner)} variants, {_amount(worst)} in the worst</span></summary>'
        for fate in branch.fates:
            yield from _leaf(fate, "whatever else holds")
        yield from _branches(branch, opened - 1 if open_here else 0)
        yield "</details>"


def _leaf(fate: Comparison, label: str) -> Iterator[str]:
    size = fate.prefix.bytes
    yield f"<details><summary>{_badge(fate)} {_when(label)}"
    yield f'<span class="soft">{_amount(fate)}</span></summary>'
    yield f"<p>{VERDICTS[fate.verdict].capitalize()}.</p>"
    yield "<ul>"
    for scope in fate.prefix.scopes:
        yield f"<li>scope {safe(scope.scope, 60)}: {scope.kept:,} of {scope.kept + scope.lost:,} bytes kept</li>"
    if not fate.prefix.scopes:
        yield f"<li>{size.kept:,} of {size.kept + size.lost:,} bytes kept</li>"
    if fate.findings:
        first = fate.findings[0]
        section = f", section <code>{safe(first.section, 60)}</code>" if first.section is not None else ""
        yield f"<li>parts at <code>{safe(where(first, '→'), _CONDITION)}</code>{section}</li>"
    for name, pointers in (("alive", fate.breakpoints_surviving), ("lost", fate.breakpoints_lost)):
        if pointers:
            yield f"<li>breakpoints {name}: <code>{safe(', '.join(pointers), _CONDITION)}</code></li>"
    yield "</ul></details>"


def _when(label: str) -> str:
    return f"<code>{safe(label, _CONDITION)}</code> "


def _amount(fate: Comparison) -> str:
    size = fate.prefix.bytes
    return f"{size.lost:,} of {size.kept + size.lost:,} bytes lost" if size.lost else f"all {size.kept:,} bytes kept"


def _badge(fate: Comparison) -> str:
    return f'<strong class="badge {fate.verdict}">{fate.verdict}</strong>'
