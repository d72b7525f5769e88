"""Whether the prefixes of specs are long enough to be cached, as far as a spec can tell."""

from collections.abc import Iterable, Iterator, Mapping

from promptc.diagnostics.model import Diagnostic, Label, Severity
from promptc.ir.model import Const, Program
from promptc.lowering.manifest import build_manifest
from promptc.lowering.program import lower
from promptc.pipeline import Compilation
from promptc.planning.elements import elements_of
from promptc.planning.model import PromptPlan
from promptc.providers.model import Fact, Provider
from promptc.semantics.facts import Facts, Placed
from promptc.semantics.sizes import size_of
from promptc.source import Span
from promptc.streams.manifest_model import BranchPiece, Manifest, ManifestBreakpoint, ManifestElement, Piece, TextPiece
from promptc.syntax.bodies_ast import BodySource, Output
from promptc.syntax.elements import body_sources
from promptc.syntax.expressions import Name


def size_findings(compilations: Iterable[Compilation]) -> tuple[Diagnostic, ...]:
    """Markers whose whole prefix is literal text and too short, here or on another platform of the same model.

    Nothing is said about a prefix with inserted values or lists of tools: those may fill it. Token counts are
    estimates, so the findings are hints.

    Diagnostics:
        PC615, PC616.
    """
    return tuple(found for compilation in compilations for found in sizes_of(compilation))


def sizes_of(compilation: Compilation) -> Iterator[Diagnostic]:
    """The findings of one compilation, which has none of another kind to say when it has errors.

    Prompts that were not lowered yet are lowered, where anything can come of it.
    """
    if compilation.failed:
        return
    for name, plan in compilation.plans.items():
        program = compilation.programs.get(name)
        if program is None:
            if _is_long_or_open(compilation, plan):
                continue
            program = lower(compilation.facts, plan)
        yield from _prompt(compilation, plan, program)


def _is_long_or_open(compilation: Compilation, plan: PromptPlan) -> bool:
    """Whether it is plain that no marker has too short a prefix: the first one is far behind, or holds values."""
    provider = compilation.registry.provider(plan.target)
    others = [compilation.registry.provider(name) for name in provider.feature("sibling_platforms") or ()]
    facts = compilation.facts
    tokens = 0
    marked: int | None = None  # the first block that a marker ends
    for element in elements_of(facts, plan.layout, provider):
        if marked is not None and element.block != marked:
            break
        if not isinstance(element.node, Placed):
            return True
        if any(_inserts(facts, source) for source in body_sources((element.node.decl,))):
            return True
        tokens += size_of(facts, element.node.decl).tokens
        if element.block is not None and plan.blocks[element.block].scope is not None:
            marked = element.block
    largest = max((e.fact.value for p in (provider, *others) for e in p.minimums), default=0)
    # Two estimates of one text are never that far apart.
    return tokens > 4 * largest


def _inserts(facts: Facts, source: BodySource) -> bool:
    """Whether a body certainly writes the value of an input."""
    body = facts.bodies.get(source)
    for part in body.parts if body is not None else ():
        if isinstance(part, Output) and isinstance(part.value, Name):
            found = facts.names.get(part.value)
            if found is not None and found.kind == "input":
                return True
    return False


def _prompt(compilation: Compilation, plan: PromptPlan, program: Program) -> Iterator[Diagnostic]:
    model = str(program.model.value) if isinstance(program.model, Const) else None
    provider = compilation.registry.resolve(plan.provider.id, model)
    minimum = _minimum(provider, model)
    manifest = build_manifest(compilation.facts, plan, program, compilation.sources)
    traffic = compilation.facts.traffic
    told = traffic.sizes if traffic is not None else {}
    for mark in manifest.breakpoints:
        tokens, at = _literal_tokens(manifest, mark, told), _place(plan, mark)
        if tokens is None or at is None or minimum is None:
            continue
        if tokens < minimum.value:
            yield _below(tokens, minimum, model, at)
        elif model is not None:
            for name in provider.feature("sibling_platforms") or ():
                other = compilation.registry.provider(name)
                theirs = other.minimum_tokens(model)
                if theirs is not None and tokens < theirs.value:
                    yield _differs(tokens, minimum, other, theirs, model, at)


def _minimum(provider: Provider, model: str | None) -> Fact[int] | None:
    """The model's minimum; the least of all where the model is not known, so that what is below it is below any."""
    if model is not None:
        return provider.minimum_tokens(model)
    return min((entry.fact for entry in provider.minimums), key=lambda fact: fact.value, default=None)


def _literal_tokens(manifest: Manifest, mark: ManifestBreakpoint, told: Mapping[str, int]) -> int | None:
    """Estimated tokens up to a marker; None where the prefix holds anything that a spec does not know.

    Args:
        told: Elements that hold more than their text, as the traffic says.
    """
    names = [element.name for element in manifest.elements]
    if mark.after not in names:
        return None
    prefix = manifest.elements[: names.index(mark.after) + 1]
    return sum(e.tokens for e in prefix) if all(_is_literal(e) and e.name not in told for e in prefix) else None


def _is_literal(element: ManifestElement) -> bool:
    return element.kind == "section" and all(map(_is_text, element.pieces))


def _is_text(piece: Piece) -> bool:
    if isinstance(piece, BranchPiece):
        return all(_is_text(inner) for arm in piece.arms for inner in arm.then) and all(map(_is_text, piece.orelse))
    return isinstance(piece, TextPiece)


def _place(plan: PromptPlan, mark: ManifestBreakpoint) -> Span | None:
    node = plan.blocks[mark.block].block.node if mark.block is not None else None
    return node.scope.span if node is not None and node.scope is not None else None


def _below(tokens: int, minimum: Fact[int], model: str | None, at: Span) -> Diagnostic:
    of = f"`{model}`" if model is not None else "any model"
    return Diagnostic(
        "PC615",
        f"the prefix up to this marker has about {tokens:,} tokens, and {of} caches from {minimum.value:,} on",
        Label(at),
        notes=(
            "the request goes through, and nothing is written or read here",
            f"the minimum is {minimum.certainty} ({minimum.source}, {minimum.dated})",
        ),
        help="merge the block with the next one, or leave it uncached",
        severity=Severity.HINT,
    )


def _differs(tokens: int, minimum: Fact[int], other: Provider, theirs: Fact[int], model: str, at: Span) -> Diagnostic:
    return Diagnostic(
        "PC616",
        f"this prefix of about {tokens:,} tokens is cached here and not on {other.platform}, where `{model}` "
        f"needs {theirs.value:,}",
        Label(at),
        notes=(f"here the minimum is {minimum.value:,}",),
        help="make the prefix longer if the prompt is to run on both",
        severity=Severity.HINT,
    )
