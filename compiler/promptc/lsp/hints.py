"""Inlay hints and code lenses: what each element and block costs, in the lines themselves."""

from collections.abc import Iterator

from lsprotocol import types as lsp

from promptc.lsp.costs import BlockCost, Cost, costs_of, inferred
from promptc.lsp.session import ProjectView
from promptc.lsp.workspace import real_span
from promptc.pipeline import Compilation
from promptc.source import Span

PREVIEW = "promptc.preview"


def inlay_hints(view: ProjectView, path: str, start: int, end: int) -> list[lsp.InlayHint]:
    """The hints between two offsets of a file: class and running tokens of each element, and what is stranded."""
    lines = view.lines(path)
    found: dict[int, lsp.InlayHint] = {}
    for compilation in view.compilations(path):
        for costs in costs_of(compilation):
            for cost in costs.elements:
                at = real_span(cost.element.at, compilation.sources)
                if at.path == path and start <= at.end <= end and at.end not in found:
                    found[at.end] = lsp.InlayHint(
                        position=lines.position(at.end),
                        label=_label(compilation, cost),
                        padding_left=True,
                        tooltip=_tooltip(cost),
                    )
    return [hint for _, hint in sorted(found.items())]


def _label(compilation: Compilation, cost: Cost) -> str:
    effective = inferred(compilation.facts, cost.node)
    declared = cost.node.cls.name if cost.node.cls is not None else None
    # A class that is written right beside the name is no news.
    included = cost.element.at != cost.node.name.span
    parts = [f"@{effective}"] if included or effective != declared else []
    parts.append(f"{cost.tokens_before + cost.size.tokens:,} tok")
    if cost.stranded_by is not None:
        parts.append("stranded")
    return " · ".join(parts)


def _tooltip(cost: Cost) -> str:
    text = f"about {cost.size.tokens:,} tokens of its own"
    if cost.stranded_by is not None:
        text += f"; stranded behind {cost.stranded_by}, which changes more often"
    return text


def code_lenses(view: ProjectView, path: str) -> list[lsp.CodeLens]:
    """A lens above every cached block and every prompt of a file."""
    found: dict[Span, lsp.CodeLens] = {}
    for compilation in view.compilations(path):
        for place, title, prompt in _titles(compilation):
            if place.path == path and place not in found:
                command = lsp.Command(title, PREVIEW, arguments=[view.uri(path), prompt])
                found[place] = lsp.CodeLens(view.lines(path).range(place.start, place.start), command)
    return [lens for _, lens in sorted(found.items())]


def _titles(compilation: Compilation) -> Iterator[tuple[Span, str, str]]:
    for costs in costs_of(compilation):
        prompt = costs.plan.layout.prompt
        size = sum(c.size.bytes for c in costs.elements)
        tokens = sum(c.size.tokens for c in costs.elements)
        title = f"{size:,} bytes · {tokens:,} tokens · {_count(costs.plan.variants, 'variant')}"
        yield real_span(prompt.name.span, compilation.sources), title, prompt.name.name
        for block in costs.blocks:
            yield real_span(block.node.span, compilation.sources), _block(block), prompt.name.name


def _block(block: BlockCost) -> str:
    plan = block.plan
    parts = [str(plan.scope)]
    if plan.fallback is not None:
        parts[0] = f"always {plan.fallback}" if plan.always else f"{plan.scope} or {plan.fallback}"
    parts += [f"{block.size.bytes:,} bytes", f"{block.size.tokens:,} tokens"]
    if plan.variants is not None:
        parts.append(_count(plan.variants, "variant"))
    parts.append(f"breakpoint {block.breakpoint} of {block.breakpoints}")
    return " · ".join(parts)


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
