"""The compiler on one screen: read, parse, analyze, plan, lower."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Protocol

from promptc.diagnostics.model import Diagnostic, Label, Severity
from promptc.diagnostics.sink import Sink, severity_of
from promptc.ir.model import Program
from promptc.lowering.program import lower
from promptc.planning.model import PromptPlan
from promptc.planning.plan import plan_prompts, resolve_targets
from promptc.providers.registry import BUILTIN, Registry
from promptc.semantics.analyze import analyze
from promptc.semantics.facts import Facts
from promptc.semantics.passes.apply_allows import apply_allows
from promptc.source import Source, SourceSet, Span, TextMap
from promptc.syntax import bodies_ast as ast
from promptc.syntax import nodes
from promptc.syntax.bodies import parse_body
from promptc.syntax.elements import body_sources
from promptc.syntax.parser import parse_module


@dataclass(frozen=True)
class Compilation:
    """Everything that is known about one root module.

    Attributes:
        root: Project-relative path of the root module.
        diagnostics: In the order of presentation, what `allow` accepts taken away.
        programs: By prompt name; empty when there is an error.
        registry: The providers that it was compiled for.
    """

    root: str
    modules: tuple[nodes.Module, ...]
    sources: SourceSet
    facts: Facts
    plans: dict[str, PromptPlan]
    programs: dict[str, Program]
    diagnostics: tuple[Diagnostic, ...]
    failed: bool
    registry: Registry = BUILTIN


class Loader(Protocol):
    """What the pipeline needs of a project: `project.Reader` is one, a test may be another."""

    def resolve(self, path: str, base: str, at: Span | None, sink: Sink) -> str | None:
        """Project-relative path of a path as named in a source."""
        ...

    def read(self, path: str, at: Span | None, sink: Sink) -> Source | None:
        """The source at a project-relative path."""
        ...


class Parsing(Protocol):
    """How texts become trees. An editor's remembers what it has parsed; what it gives is the same."""

    def module(self, source: Source, sink: Sink) -> nodes.Module:
        """The module of a source."""
        ...

    def body(self, text: str, text_map: TextMap, sink: Sink) -> ast.Body:
        """A template body."""
        ...


class Afresh:
    """Parses every text anew."""

    def module(self, source: Source, sink: Sink) -> nodes.Module:
        """See `parse_source`."""
        return parse_source(source, sink)

    def body(self, text: str, text_map: TextMap, sink: Sink) -> ast.Body:
        """See `parse_body`."""
        return parse_body(text, text_map, sink)


AFRESH: Parsing = Afresh()


def compile_root(
    path: str,
    loader: Loader,
    registry: Registry = BUILTIN,
    parsing: Parsing = AFRESH,
    *,
    to_programs: bool = True,
) -> Compilation:
    """Compile one root module with everything that it uses.

    Args:
        path: Project-relative path of the root module.
        loader: Reads sources; faults are reported to the sink that it is handed.
        registry: What is known about providers.
        parsing: How texts are parsed.
        to_programs: Whether prompts are lowered too; nothing is found any more by then.
    """
    sink = Sink()
    sources = SourceSet()
    if registry.source is not None:
        # Facts of the project's own are a source like any other: the lock digests it.
        sources.add(registry.source)
    modules = _load_modules(path, loader, parsing, sources, sink)
    bodies = _load_bodies(modules, loader, parsing, sources, sink)
    facts = analyze(modules, bodies, sources, sink)
    targets = resolve_targets(facts, sink, registry)
    plans: dict[str, PromptPlan] = {}
    # A plan needs names and types; faults of stability do not stand in its way.
    if not _has_errors(sink, below="PC400"):
        plans = plan_prompts(facts, targets, sink)
    diagnostics = apply_allows(modules, bodies, sink.sorted())
    failed = any(severity_of(d) is Severity.ERROR for d in diagnostics)
    programs = {} if failed or not to_programs else {name: lower(facts, plan) for name, plan in plans.items()}
    return Compilation(path, modules, sources, facts, plans, programs, diagnostics, failed, registry)


def compile_roots(paths: Iterable[str], loader: Loader, registry: Registry = BUILTIN) -> tuple[Compilation, ...]:
    """Compile every root among some modules, by path; see `roots_of`."""
    return roots_of({path: compile_root(path, loader, registry) for path in paths})


def roots_of(compiled: Mapping[str, Compilation]) -> tuple[Compilation, ...]:
    """The roots among some compilations, by path; a module that another of them uses is none, unless it has prompts."""
    used = {module.path for compilation in compiled.values() for module in compilation.modules[1:]}
    return tuple(c for path, c in compiled.items() if path not in used or _has_prompts(c))


def _has_prompts(compilation: Compilation) -> bool:
    return bool(compilation.modules) and any(
        isinstance(item, nodes.PromptDecl) for item in compilation.modules[0].items
    )


def _has_errors(sink: Sink, below: str) -> bool:
    return any(severity_of(d) is Severity.ERROR and d.code < below for d in sink.sorted())


def parse_source(source: Source, sink: Sink) -> nodes.Module:
    """Parse one module in the surface that its name tells."""
    if source.path.endswith((".yaml", ".yml")):
        # The models of the YAML surface take longer to import than a small spec to compile.
        from promptc.syntax.yaml_reader import parse_yaml_module

        return parse_yaml_module(source, sink)
    return parse_module(source, sink)


def _load_modules(
    root: str, loader: Loader, parsing: Parsing, sources: SourceSet, sink: Sink
) -> tuple[nodes.Module, ...]:
    loaded: dict[str, nodes.Module] = {}
    _load(root, None, loader, parsing, sources, sink, loaded, ())
    return tuple(loaded.values())


def _load(
    path: str,
    at: Span | None,
    loader: Loader,
    parsing: Parsing,
    sources: SourceSet,
    sink: Sink,
    loaded: dict[str, nodes.Module],
    open_paths: tuple[str, ...],
) -> None:
    if path in open_paths and at is not None:
        circle = " -> ".join((*open_paths[open_paths.index(path) :], path))
        sink.report(Diagnostic("PC208", f"modules use each other in a circle: {circle}", Label(at)))
        return
    if path in loaded:
        return
    source = loader.read(path, at, sink)
    if source is None:
        return
    sources.add(source)
    module = loaded[path] = parsing.module(source, sink)
    if not module.items and not module.broken:
        sink.report(Diagnostic("PC013", f"`{path}` declares nothing", Label(Span(path, 0, 0))))
    for item in module.items:
        if isinstance(item, nodes.Use):
            used = loader.resolve(item.path.value, path, item.path.span, sink)
            if used is not None:
                _load(used, item.path.span, loader, parsing, sources, sink, loaded, (*open_paths, path))


def _load_bodies(
    modules: tuple[nodes.Module, ...], loader: Loader, parsing: Parsing, sources: SourceSet, sink: Sink
) -> dict[ast.BodySource, ast.Body]:
    bodies: dict[ast.BodySource, ast.Body] = {}
    by_file: dict[str, ast.Body] = {}
    for module in modules:
        for source in body_sources(module.items):
            match source:
                case ast.Template(text=text, map=text_map):
                    bodies[source] = parsing.body(text, text_map, sink)
                case ast.FileRef(path=path, span=span):
                    target = loader.resolve(path, module.path, span, sink)
                    found = loader.read(target, span, sink) if target is not None else None
                    if found is None:
                        continue
                    if found.path not in by_file:
                        sources.add(found)
                        # The newline that ends a file is not part of the text, as the one before closing quotes.
                        text = found.text.removesuffix("\n")
                        by_file[found.path] = parsing.body(text, TextMap.identity(found.path, len(text)), sink)
                    bodies[source] = by_file[found.path]
    return bodies
