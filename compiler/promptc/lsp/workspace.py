"""A project while it is edited: open documents over files, and compilations that are kept until something changes."""

import os
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TypeAlias

from promptc.diagnostics.model import Diagnostic, Label
from promptc.diagnostics.sink import Sink
from promptc.lsp.documents import Document
from promptc.pipeline import Compilation, compile_root, parse_source, roots_of
from promptc.prefix_sizes import sizes_of
from promptc.project import CONFIG_NAME, Project, Reader, find_project, find_specs, provider_facts
from promptc.providers.registry import BUILTIN, Registry
from promptc.source import AnchoredSource, Source, SourceSet, Span, TextMap
from promptc.syntax import bodies_ast, nodes
from promptc.syntax.bodies import parse_body
from promptc.syntax.incremental import IncrementalModule

Stamp: TypeAlias = tuple[object, ...]
"""What tells one state of a file from another: the version of an open document, or what the file system says."""


@dataclass(frozen=True, slots=True)
class _Read:
    stamp: Stamp
    source: Source
    found: tuple[Diagnostic, ...]


@dataclass(slots=True)
class _Compiled:
    """A compilation with the state of every file that it asked for.

    Attributes:
        sizes: What is found about the sizes of its prefixes; None while nobody has asked.
    """

    stamps: dict[str, Stamp]
    compilation: Compilation
    sizes: tuple[Diagnostic, ...] | None = None


@dataclass(frozen=True)
class Checked:
    """What is known about a project at one moment.

    Attributes:
        compilations: One a root module, by path; what `promptc check` compiles.
        diagnostics: What `promptc check` reports, places in the normalised texts.
    """

    compilations: tuple[Compilation, ...]
    diagnostics: tuple[Diagnostic, ...]
    sources: SourceSet
    registry: Registry


class EditedReader(Reader):
    """Reads sources of a project, open documents before files, and remembers what did not change."""

    def __init__(self, project: Project, documents: dict[str, Document]) -> None:
        super().__init__(project)
        self.documents = documents
        self.asked: dict[str, Stamp] = {}
        self._stamps: dict[str, Stamp] = {}
        self._reads: dict[str, _Read] = {}
        self._modules: dict[str, IncrementalModule] = {}
        self._yaml: dict[str, tuple[Source, nodes.Module, tuple[Diagnostic, ...]]] = {}
        self._bodies: dict[int, tuple[TextMap, bodies_ast.Body, tuple[Diagnostic, ...]]] = {}
        self._files: dict[tuple[str, str], tuple[bodies_ast.Body, tuple[Diagnostic, ...]]] = {}
        self._used: set[int] = set()

    # -- files -------------------------------------------------------------------------------------

    def begin(self) -> None:
        """Begin a check: what the file system says is asked once a file."""
        self._stamps.clear()
        self._used.clear()

    def stamp(self, path: str) -> Stamp:
        """The state of a file now."""
        found = self._stamps.get(path)
        if found is None:
            found = self._stamps[path] = self._stamp(path)
        return found

    def _stamp(self, path: str) -> Stamp:
        document = self.documents.get(path)
        if document is not None:
            return ("open", document.uri, document.version, id(document))
        try:
            info = (self.project.root / path).stat()
        except (OSError, ValueError):
            # Why it cannot be read is said by the reader, each time.
            return ("absent",)
        return (info.st_mtime_ns, info.st_size, info.st_ino, info.st_dev, info.st_mode)

    def read(self, path: str, at: Span | None, sink: Sink) -> Source | None:
        """As `Reader.read`; the source of a module has the offsets that the module keeps."""
        stamp = self.asked[path] = self.stamp(path)
        known = self._reads.get(path)
        if known is None or known.stamp != stamp:
            found = Sink()
            self._sources.pop(path, None)
            source = super().read(path, at, found)
            if source is None:
                self._reads.pop(path, None)
                sink.extend(found.sorted())
                return None
            if path.endswith(".promptc"):
                source = self._module(path, source.text).source
            known = self._reads[path] = _Read(stamp, source, found.sorted())
        sink.extend(known.found)
        return known.source

    def _bytes(self, path: str, at: Span | None, sink: Sink) -> bytes | None:
        document = self.documents.get(path)
        return document.data if document is not None else super()._bytes(path, at, sink)

    def _module(self, path: str, text: str) -> IncrementalModule:
        module = self._modules.get(path)
        if module is None:
            module = self._modules[path] = IncrementalModule(path, text)
        else:
            module.update(text)
        return module

    # -- trees -------------------------------------------------------------------------------------

    def module(self, source: Source, sink: Sink) -> nodes.Module:
        """The module of a source that was read here."""
        if isinstance(source, AnchoredSource):
            kept = self._modules[source.path]
            sink.extend(kept.found)
            return kept.module
        known = self._yaml.get(source.path)
        if known is None or known[0] is not source:
            found = Sink()
            module = parse_source(source, found)
            known = self._yaml[source.path] = (source, module, found.sorted())
        sink.extend(known[2])
        return known[1]

    def body(self, text: str, text_map: TextMap, sink: Sink) -> bodies_ast.Body:
        """A body; that of a template that stayed is not parsed again, nor that of a file with the same text."""
        known = self._bodies.get(id(text_map))
        if known is None or known[0] is not text_map:
            file = self._files.get((text_map.path, text)) if text_map.path not in self._modules else None
            if file is None:
                found = Sink()
                body = parse_body(text, text_map, found)
                file = (body, found.sorted())
                if text_map.path not in self._modules and text_map.path not in self._yaml:
                    self._files[(text_map.path, text)] = file
            known = self._bodies[id(text_map)] = (text_map, *file)
        self._used.add(id(text_map))
        sink.extend(known[2])
        return known[1]

    def forget(self) -> None:
        """Drop bodies that are no longer in use, when there are many."""
        used = self._used
        if len(self._bodies) < 2 * len(used) + 2000:
            return
        self._bodies = {key: known for key, known in self._bodies.items() if key in used}
        paths = {known[0].path for known in self._bodies.values()}
        self._files = {key: known for key, known in self._files.items() if key[0] in paths}


@dataclass
class EditedProject:
    """One project with its open documents.

    Attributes:
        documents: By project-relative path.
    """

    project: Project
    config: Stamp
    documents: dict[str, Document] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.reader = EditedReader(self.project, self.documents)
        self.specs: tuple[str, ...] | None = None
        self._compiled: dict[str, _Compiled] = {}
        self._registry = BUILTIN

    @staticmethod
    def of(path: Path) -> "EditedProject":
        """The project of a file."""
        project = find_project(path, Sink())
        return EditedProject(project, config_stamp(project.root))

    def relative(self, path: Path) -> str | None:
        """Project-relative path of a file; None outside."""
        # The last part is not resolved, as where specs are searched for.
        full = Path(os.path.realpath(path.parent)) / path.name
        return full.relative_to(self.project.root).as_posix() if full.is_relative_to(self.project.root) else None

    def look_again(self) -> None:
        """Search for specs anew at the next check: files were made or removed."""
        self.specs = None
        self._compiled = {p: c for p, c in self._compiled.items() if ("absent",) not in c.stamps.values()}

    def check(self) -> Checked:
        """What `promptc check` finds in the texts as they are now."""
        self.reader.begin()
        known = Sink()
        registry = provider_facts(self.project, self.reader, known)
        if registry.source is self._registry.source:
            registry = self._registry
        self._registry = registry
        sink = Sink()
        sink.extend(known.sorted())
        # Without the project's own facts a target that they declare would be unknown: one cause, one finding.
        paths = () if known.has_errors else self._roots(sink)
        compiled = {path: self._compile(path, registry) for path in paths}
        self._compiled = {path: self._compiled[path] for path in paths}
        roots = roots_of(compiled)
        sources = SourceSet()
        if registry.source is not None:
            sources.add(registry.source)
        for compilation in roots:
            sources.by_path.update(compilation.sources.by_path)
            found = (*compilation.diagnostics, *self._sizes(compilation))
            sink.extend(placed(d, compilation.sources) for d in found)
        self.reader.forget()
        return Checked(roots, sink.sorted(), sources, registry)

    def _sizes(self, compilation: Compilation) -> tuple[Diagnostic, ...]:
        known = self._compiled[compilation.root]
        if known.sizes is None:
            known.sizes = tuple(sizes_of(compilation))
        return known.sizes

    def _roots(self, sink: Sink) -> tuple[str, ...]:
        if self.specs is None:
            self.specs = find_specs(self.project, (), Sink())
        opened = (path for path in self.documents if path.endswith((".promptc", ".promptc.yaml", ".promptc.yml")))
        return tuple(sorted({*self.specs, *opened}))

    def _compile(self, path: str, registry: Registry) -> Compilation:
        known = self._compiled.get(path)
        reader = self.reader
        if (
            known is not None
            and known.compilation.registry is registry
            and all(reader.stamp(name) == stamp for name, stamp in known.stamps.items())
        ):
            return known.compilation
        reader.asked = {}
        compilation = compile_root(path, reader, registry, reader, to_programs=False)
        self._compiled[path] = _Compiled(dict(reader.asked), compilation)
        return compilation


def config_stamp(root: Path) -> Stamp:
    """The state of a project's configuration."""
    try:
        info = (root / CONFIG_NAME).stat()
    except OSError:
        return ("absent",)
    return (info.st_mtime_ns, info.st_size, info.st_ino)


def placed(diagnostic: Diagnostic, sources: SourceSet) -> Diagnostic:
    """A finding with its places in the texts themselves."""
    fix = diagnostic.fix
    if fix is not None:
        fix = replace(fix, edits=tuple(replace(e, span=real_span(e.span, sources)) for e in fix.edits))
    primary = diagnostic.primary
    return replace(
        diagnostic,
        primary=None if primary is None else _label(primary, sources),
        secondary=tuple(_label(label, sources) for label in diagnostic.secondary),
        fix=fix,
    )


def _label(label: Label, sources: SourceSet) -> Label:
    return replace(label, span=real_span(label.span, sources))


def real_span(span: Span, sources: SourceSet) -> Span:
    """A span in the text itself."""
    source = sources.get(span.path)
    return source.real_span(span) if isinstance(source, AnchoredSource) else span


def spans_of(diagnostic: Diagnostic) -> Iterator[Span]:
    """All places that a finding names."""
    for label in (diagnostic.primary, *diagnostic.secondary):
        if label is not None:
            yield label.span
