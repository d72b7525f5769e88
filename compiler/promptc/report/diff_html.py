"""A comparison as one HTML page for a person: nothing is fetched, nothing runs, every text is escaped."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from promptc.report.close_up import close_up
from promptc.report.diff_style import diff_style
from promptc.report.diff_words import (
    PARAM_ADVICE,
    RELATIONS,
    VERDICTS,
    advice,
    kind_of,
    shown_pointer,
    sureness,
    where,
    written_by,
)
from promptc.report.page import page, safe
from promptc.report.prefix_bar import legend, parts_of, parts_table, prefix_bar
from promptc.report.texts_at import TextPair, by_place, texts_at
from promptc.report.variant_tree import VariantFate, variant_tree
from promptc.streams.model import LANES, PrefixStream
from promptc.streams.result import Comparison, Finding, ParamChange, Verdict

_OPEN = 3
_LINE = 400
_SUMMARY = 160


@dataclass(frozen=True, slots=True)
class DiffView:
    """Two streams, what their comparison says, and what is known of them beside it.

    Attributes:
        verdict: The worst of all variants, where there are some.
        prompt: Name of the prompt; None for what no spec wrote.
        chain: Stability classes of the first side, lowest first; empty without a spec.
        classes: Class of each section and tool, by lane and name.
        variants: Each variant that both sides have and a build lists.
        shapes: How many variants the first side has.
    """

    a: PrefixStream
    b: PrefixStream
    comparison: Comparison
    verdict: Verdict
    prompt: str | None = None
    chain: tuple[str, ...] = ()
    classes: Mapping[tuple[str, str], str] = field(default_factory=dict)
    variants: tuple[VariantFate, ...] = ()
    shapes: int = 0

    @property
    def level(self) -> int:
        """The level of its headings: below that of its prompt, where it has one."""
        return 2 if self.prompt is None else 3

    @property
    def groups(self) -> tuple[str, ...]:
        """What colours the bar: classes, and lanes for what has none."""
        if self.a.format == "text":
            return ("text",)
        return (*self.chain, *(lane for lane in LANES if lane not in self.chain))


def diff_html(compared: Sequence[DiffView], added: Sequence[str] = (), removed: Sequence[str] = ()) -> str:
    """The page.

    Args:
        compared: At least one; several are prompts of one project.
        added: Prompts that only the second side has.
        removed: Prompts that only the first side has.
    """
    first = compared[0].comparison
    colours = max(len(one.groups) for one in compared)
    title = f"promptc diff: {first.a.name[:_SUMMARY]} → {first.b.name[:_SUMMARY]}"
    return page(title, diff_style(colours), _body(compared, added, removed))


def _body(compared: Sequence[DiffView], added: Sequence[str], removed: Sequence[str]) -> Iterator[str]:
    first = compared[0].comparison
    many = len(compared) > 1 or bool(added) or bool(removed)
    verdict = max((one.verdict for one in compared), key=list(VERDICTS).index)
    # A prompt that is gone takes what was cached of it along.
    verdict = "break" if removed else verdict
    yield "<header>"
    said = VERDICTS[verdict] if many or compared[0].variants else f"{RELATIONS[first.relation]}; {VERDICTS[verdict]}"
    yield f'<h1><span class="badge {verdict}">{verdict}</span> {said[0].upper()}{said[1:]}</h1>'
    yield f'<dl class="names"><dt>was</dt><dd><code>{safe(first.a.name, _LINE)}</code></dd>'
    yield f"<dt>is</dt><dd><code>{safe(first.b.name, _LINE)}</code></dd></dl>"
    yield "</header>"
    if many:
        yield from _contents(compared, added, removed)
    yield "<main>"
    for number, one in enumerate(compared, start=1):
        label = one.prompt if one.prompt is not None else "the comparison"
        yield f'<section id="prompt-{number}" aria-label="{safe(label, _SUMMARY)}">'
        if one.prompt is not None:
            yield f"<h2>Prompt <code>{safe(one.prompt, _SUMMARY)}</code> {_badge(one.verdict)}</h2>"
        yield from _one(one)
        yield "</section>"
    yield "</main>"


def _contents(compared: Sequence[DiffView], added: Sequence[str], removed: Sequence[str]) -> Iterator[str]:
    yield '<nav aria-label="prompts"><ul>'
    for number, one in enumerate(compared, start=1):
        name = safe(one.prompt or "", _SUMMARY)
        yield f'<li>{_badge(one.verdict)} <a href="#prompt-{number}">{name}</a></li>'
    for name in added:
        yield f"<li>added: {safe(name, _SUMMARY)}</li>"
    for name in removed:
        yield f"<li>removed: {safe(name, _SUMMARY)}</li>"
    yield "</ul></nav>"


def _one(one: DiffView) -> Iterator[str]:
    result = one.comparison
    yield f'<p class="soft">{_read_as(result)}</p>'
    yield from _prefix(one)
    yield from _breakpoints(result)
    count = len(result.findings) + result.findings_left_out
    if count:
        yield _heading(one, f"{count:,} {'place parts' if count == 1 else 'places part'}")
    places_a, places_b = by_place(one.a), by_place(one.b)
    for number, found in enumerate(result.findings, start=1):
        yield from _finding(number, found, texts_at(found, places_a, places_b), one)
    if result.findings_left_out:
        yield f'<p class="soft">and {result.findings_left_out:,} more</p>'
    if result.param_changes:
        yield _heading(one, "Parameters")
    for change in result.param_changes:
        yield from _param(change, one)
    if one.variants:
        count = len(one.variants)
        yield _heading(one, f"{count:,} {'variant' if count == 1 else 'variants'}, the worst first")
        yield from variant_tree(one.variants)
    elif one.shapes > 1:
        yield _heading(one, f"{one.shapes:,} variants")
        yield "<p>They are too many to list; the prefix above is all of them at once, with its conditions as tags.</p>"
    if result.limits or result.notes:
        yield _heading(one, "Limits and notes")
        yield "<ul>"
        yield from (f"<li>{_with_code(text)}</li>" for text in (*result.limits, *result.notes))
        yield "</ul>"


def _read_as(result: Comparison) -> str:
    a, b = result.a, result.b
    formats = a.format if a.format == b.format else f"{a.format} and {b.format}"
    target = f" for {a.target}" if a.target else ""
    order = f", in the order {', '.join(a.order)}" if len(a.order) > 1 else ""
    return safe(f"Read as {formats}{target}{order}.", _LINE)


def _prefix(one: DiffView) -> Iterator[str]:
    result = one.comparison
    size, tokens = result.prefix.bytes, result.prefix.tokens
    yield _heading(one, "The prefix of the first one")
    if not size.kept + size.lost:
        yield "<p>It is empty.</p>"
        return
    yield (
        f"<p>{size.kept:,} of {size.kept + size.lost:,} bytes kept, about {tokens.kept:,} of "
        f'{tokens.kept + tokens.lost:,} tokens <span class="soft">({safe(tokens.method, _LINE)})</span></p>'
    )
    parts = parts_of(one.a, one.classes)
    yield prefix_bar(parts, one.groups, result, one.a)
    yield from legend(parts, one.groups, result)
    if result.prefix.scopes:
        yield "<ul>"
        for scope in result.prefix.scopes:
            whole = scope.kept + scope.lost
            yield f"<li>scope {safe(scope.scope, _SUMMARY)}: {scope.kept:,} of {whole:,} bytes kept</li>"
        yield "</ul>"
    yield from parts_table(parts, size.kept, "class" if one.chain else "lane")


def _breakpoints(result: Comparison) -> Iterator[str]:
    yield '<dl class="facts">'
    if result.common_prefix_through is not None:
        yield f"<dt>same through</dt><dd>{_code(shown_pointer(result.common_prefix_through))}</dd>"
    for name, pointers in (("alive", result.breakpoints_surviving), ("lost", result.breakpoints_lost)):
        if pointers:
            yield f"<dt>breakpoints {name}</dt><dd>{', '.join(_code(shown_pointer(p)) for p in pointers)}</dd>"
    read = result.cache_read_through
    yield "<dt>read from the cache</dt>"
    yield f"<dd>{'nothing for certain' if read is None else f'through {_code(shown_pointer(read))}'}</dd></dl>"


def _finding(number: int, found: Finding, pair: TextPair | None, one: DiffView) -> Iterator[str]:
    title = f"{number}. {_code(where(found, '→'), _SUMMARY)}"
    yield f"<details{' open' if number <= _OPEN else ''}><summary>{_title(one, title)} "
    yield f'<span class="soft">{safe(kind_of(found))}</span></summary>'
    yield from close_up(found, pair)
    yield f'<dl class="facts"><dt>why</dt><dd>{safe(found.cause, _LINE)}{safe(sureness(found.certainty))}</dd>'
    if found.section is not None:
        yield f"<dt>from</dt><dd>{_with_code(written_by(found))}</dd>"
    yield f"<dt>do</dt><dd>{safe(advice(found))}</dd></dl></details>"


def _param(change: ParamChange, one: DiffView) -> Iterator[str]:
    was, now = ("left out" if value is None else _code(value) for value in (change.was, change.now))
    why = f"it is part of the key for {', '.join(change.loses)}{sureness(change.certainty)}"
    yield f"<details open><summary>{_title(one, _code(change.pointer))}</summary>"
    yield f'<dl class="facts"><dt>was</dt><dd>{was}</dd><dt>is</dt><dd>{now}</dd>'
    yield f"<dt>why</dt><dd>{safe(why, _LINE)}</dd><dt>do</dt><dd>{safe(PARAM_ADVICE)}</dd></dl></details>"


def _heading(one: DiffView, text: str) -> str:
    return f"<h{one.level}>{text}</h{one.level}>"


def _title(one: DiffView, markup: str) -> str:
    """The heading of something that unfolds."""
    return f"<h{one.level + 1}>{markup}</h{one.level + 1}>"


def _with_code(text: str) -> str:
    """A sentence of promptc's own; what stands in backticks is code."""
    parts = text.split("`")
    return "".join(_code(part) if index % 2 else safe(part, _LINE) for index, part in enumerate(parts))


def _code(text: str, limit: int = _LINE) -> str:
    return f"<code>{safe(text, limit)}</code>"


def _badge(verdict: Verdict) -> str:
    return f'<strong class="badge {verdict}">{verdict}</strong>'
