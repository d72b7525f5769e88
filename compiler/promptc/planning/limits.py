"""Hold a plan to the limits that the spec declares."""

from collections.abc import Mapping

from promptc.diagnostics.model import Diagnostic, Label
from promptc.diagnostics.sink import Sink
from promptc.planning.model import PromptPlan
from promptc.semantics.facts import Facts, Placed
from promptc.semantics.sizes import size_of
from promptc.source import Span
from promptc.syntax import nodes


def check_limits(facts: Facts, plans: Mapping[str, PromptPlan], sink: Sink) -> None:
    """Check every `limit` against every prompt that has its subject.

    Diagnostics:
        PC218 unknown subject, PC505 limit exceeded.
    """
    for limit in facts.symbols.limits:
        found = False
        for name, plan in plans.items():
            measured = _measure(facts, limit, plan, name)
            if measured is None:
                continue
            found = True
            if measured > limit.bound:
                _exceeded(facts, limit, plan, name, measured, sink)
        if not found and plans:
            subjects = (
                "a scope, a prompt"
                if limit.metric == "variants"
                else "`system`, `preamble`, `tail`, a section, a prompt"
            )
            sink.report(
                Diagnostic(
                    "PC218",
                    f"`{limit.metric}({limit.subject.name})` measures nothing in any prompt",
                    Label(limit.subject.span),
                    help=f"the subject is {subjects}",
                )
            )


def _measure(facts: Facts, limit: nodes.LimitDecl, plan: PromptPlan, prompt: str) -> int | None:
    subject = limit.subject.name
    if limit.metric == "variants":
        if any(place in facts.misplaced for place in _places(plan)):
            # What is reported for standing in the wrong place will go; how often it forks the prefix there is no news.
            return 0
        if subject == prompt:
            return plan.variants
        counts = [b.variants for b in plan.blocks if b.scope == subject and b.variants is not None]
        return max(counts, default=None)
    sections = _sections(plan, subject, prompt)
    if sections is None:
        return None
    sizes = [size_of(facts, s.decl) for s in sections]
    return sum(s.tokens for s in sizes) if limit.metric == "tokens" else sum(s.bytes for s in sizes)


def _places(plan: PromptPlan) -> tuple[Span, ...]:
    sections = plan.layout.sections
    return (
        *(t.name.span for t in plan.layout.tools),
        *(s.at for s in sections),
        *(s.decl.name.span for s in sections),
    )


def _in_front(plan: PromptPlan, scope: str) -> set[str]:
    """Names of everything in the prefixes that end in a block of a scope."""
    last = max((i for i, b in enumerate(plan.blocks) if b.scope == scope), default=len(plan.blocks))
    layout = plan.layout
    names = {t.name.name for t in layout.tools} | {s.name for b in layout.system[: last + 1] for s in b.sections}
    if last == len(plan.blocks):
        names |= {s.name for s in layout.sections}
    return names


def _sections(plan: PromptPlan, subject: str, prompt: str) -> tuple[Placed, ...] | None:
    layout = plan.layout
    if subject == prompt:
        return layout.sections
    if subject == "system":
        return tuple(s for b in layout.system for s in b.sections)
    if subject == "preamble":
        return layout.preamble.sections if layout.preamble else None
    if subject == "tail":
        return layout.tail.sections if layout.tail else None
    named = tuple(s for s in layout.sections if s.name == subject)
    return named or None


def _exceeded(facts: Facts, limit: nodes.LimitDecl, plan: PromptPlan, prompt: str, measured: int, sink: Sink) -> None:
    notes: tuple[str, ...] = ()
    secondary: tuple[Label, ...] = ()
    if limit.metric == "variants":
        counted = _in_front(plan, limit.subject.name)
        own = [f for f in plan.forks if f.element in counted]
        costly = sorted(own, key=lambda f: (f.before - f.after, f.at))[:5]
        secondary = tuple(
            Label(f.at, f"`{f.element}` takes the count from {f.before:,} to {f.after:,}")
            for f in costly
            if f.after > f.before
        )
        notes = ("every switch in front of a shared prefix multiplies the number of prefixes that must be kept warm",)
        fix = "merge switches, move gated sections behind the shared block, or rule out combinations with `require`"
    else:
        unit = "estimated tokens" if limit.metric == "tokens" else "bytes"
        notes = (f"counted: literal text of all branches, in {unit}",)
        fix = "shorten the text, or raise the limit with a reason in its commit"
    sink.report(
        Diagnostic(
            "PC505",
            f"`{limit.metric}({limit.subject.name})` is {measured:,} in prompt `{prompt}`, the limit is {limit.bound:,}",
            Label(limit.span),
            secondary,
            notes,
            help=fix,
        )
    )
