"""Compile what a command names: find the project, the specs, and run the pipeline over each root."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import typer

from promptc.cli import exits
from promptc.cli.console import exit_code, show
from promptc.diagnostics.model import Diagnostic
from promptc.diagnostics.sink import Sink
from promptc.pipeline import Compilation, compile_roots
from promptc.project import Project, Reader, below_repository, find_project, find_specs, provider_facts
from promptc.providers.registry import Registry
from promptc.source import SourceSet


@dataclass(frozen=True)
class Workspace:
    """Every compilation that a command asked for.

    Attributes:
        compilations: One a root module, by path. A module that another of them uses is no root.
        diagnostics: Of all of them and of the files, each once.
        registry: What is known about providers in this project.
    """

    project: Project
    reader: Reader
    compilations: tuple[Compilation, ...]
    diagnostics: tuple[Diagnostic, ...]
    sources: SourceSet
    registry: Registry


def load(paths: Sequence[Path]) -> Workspace:
    """Compile the specs at some places; all specs of the project for none."""
    sink = Sink()
    project = find_project(paths[0] if paths else Path.cwd(), sink)
    reader = Reader(project)
    known = Sink()
    registry = provider_facts(project, reader, known)
    sink.extend(known.sorted())
    # Without the project's own facts a target that they declare would be unknown: one cause, one finding.
    found = () if known.has_errors else find_specs(project, paths, sink)
    roots = compile_roots(found, reader, registry)
    sources = SourceSet(prefix=below_repository(project.root))
    if registry.source is not None:
        sources.add(registry.source)
    for compilation in roots:
        sink.extend(compilation.diagnostics)
        sources.by_path.update(compilation.sources.by_path)
    return Workspace(project, reader, roots, sink.sorted(), sources, registry)


def registry_here() -> Registry:
    """What is known about providers in the project of the working directory, for commands that name no spec.

    Ends the command where the project's own facts cannot be read: nothing is judged by other facts than were meant.
    """
    sink = Sink()
    project = find_project(Path.cwd(), sink)
    registry = provider_facts(project, Reader(project), sink)
    sources = SourceSet()
    if registry.source is not None:
        sources.add(registry.source)
    show(sink.sorted(), sources, "text")
    if exit_code(sink.sorted()):
        raise typer.Exit(exits.USAGE)
    return registry
