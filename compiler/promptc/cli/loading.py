"""Compile what a command names: find the project, the specs, and run the pipeline over each root."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from promptc.diagnostics.model import Diagnostic
from promptc.diagnostics.sink import Sink
from promptc.pipeline import Compilation, compile_roots
from promptc.project import Project, Reader, find_project, find_specs
from promptc.source import SourceSet


@dataclass(frozen=True)
class Workspace:
    """Every compilation that a command asked for.

    Attributes:
        compilations: One a root module, by path. A module that another of them uses is no root.
        diagnostics: Of all of them and of the files, each once.
    """

    project: Project
    reader: Reader
    compilations: tuple[Compilation, ...]
    diagnostics: tuple[Diagnostic, ...]
    sources: SourceSet


def load(paths: Sequence[Path]) -> Workspace:
    """Compile the specs at some places; all specs of the project for none."""
    sink = Sink()
    project = find_project(paths[0] if paths else Path.cwd(), sink)
    reader = Reader(project)
    roots = compile_roots(find_specs(project, paths, sink), reader)
    sources = SourceSet()
    for compilation in roots:
        sink.extend(compilation.diagnostics)
        sources.by_path.update(compilation.sources.by_path)
    return Workspace(project, reader, roots, sink.sorted(), sources)
