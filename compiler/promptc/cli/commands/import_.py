"""`promptc import`: a spec from a prompt that was written for another tool."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from promptc.artifact import Artifact
from promptc.cli import exits
from promptc.cli.console import exit_code, product, say, show, stop
from promptc.cli.loading import registry_here
from promptc.diagnostics.model import Diagnostic, Severity
from promptc.diagnostics.render.as_json import as_data
from promptc.diagnostics.sink import Sink, severity_of
from promptc.emit.target import TARGETS
from promptc.importing.detect import TITLES, Format
from promptc.importing.jinja import JinjaOptions
from promptc.importing.run import Imported, Options, import_source
from promptc.output import WriteError, write_all
from promptc.pipeline import compile_root
from promptc.project import Reader, find_project, find_specs, provider_facts
from promptc.providers.registry import Registry
from promptc.source import Source, SourceSet

FORMAT = "promptc.import/1"


@dataclass(frozen=True, slots=True)
class _Job:
    """One file of the command line, and what became of it.

    Attributes:
        named: As the user wrote it.
        imported: None where the file cannot be read.
    """

    named: Path
    imported: Imported | None
    text: str | None
    diagnostics: tuple[Diagnostic, ...]
    sources: SourceSet


def import_(
    files: Annotated[list[Path], typer.Argument(help="Prompts of other tools.")],
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Folder to write specs to; stdout by default, for one file.")
    ] = None,
    to: Annotated[str, typer.Option("--to", help="Surface of the spec: `dsl` or `yaml`.")] = "dsl",
    format: Annotated[str, typer.Option("--format", "-f", help="How the report is shown: `text` or `json`.")] = "text",
    origin: Annotated[
        str | None,
        typer.Option("--from", help=f"Format of the files, where it is not to be detected: {', '.join(TITLES)}."),
    ] = None,
    target: Annotated[
        str | None, typer.Option("--target", help="Target of the spec, where it is not to be guessed.")
    ] = None,
    trim_blocks: Annotated[
        bool, typer.Option("--trim-blocks", help="Jinja2: no line feed behind a block tag.")
    ] = False,
    lstrip_blocks: Annotated[
        bool, typer.Option("--lstrip-blocks", help="Jinja2: no blanks before a block tag.")
    ] = False,
    force: Annotated[bool, typer.Option("--force", help="Replace specs that are there.")] = False,
) -> None:
    """Import prompts of other tools as specs, and say what could not be carried over.

    Exit codes: 0 imported, 1 a file cannot be imported, 2 wrong arguments, unreadable files, or a file in the way.
    """
    jinja = JinjaOptions(trim_blocks=trim_blocks, lstrip_blocks=lstrip_blocks)
    registry = registry_here()
    options = Options(_format(origin), _target(target, registry), partial(_is_writable, registry), jinja)
    if to not in ("dsl", "yaml"):
        stop(f"`{to}` is no surface", help="`--to dsl` or `--to yaml`")
    if format not in ("text", "json"):
        stop(f"`{format}` is no format of this report", help="`--format text` or `--format json`")
    if output is None and len(files) > 1:
        stop("several files need a folder to write to", help="name it with `-o`")
    goals = [_goal(path, to) for path in files]
    if output is not None:
        _refuse_clashes(output, goals, force)
    jobs = [_import(path, to, options) for path in files]
    if output is not None:
        _write(output, [Artifact(g, j.text.encode()) for g, j in zip(goals, jobs, strict=True) if j.text is not None])
    if format == "json":
        product(json.dumps(_report(jobs, goals, output), indent=2))
    else:
        for job in jobs:
            _tell(job)
        if output is None and jobs[0].text is not None:
            product(jobs[0].text)
    codes = [exit_code(job.diagnostics) for job in jobs]
    raise typer.Exit(max(codes, default=exits.CLEAN))


def _import(path: Path, to: str, options: Options) -> _Job:
    sink = Sink()
    sources = SourceSet()
    if path.is_dir():
        stop(f"`{path.as_posix()}` is a folder", help="name the files to import")
    project = find_project(path, sink)
    reader = Reader(project)
    found = find_specs(project, [path], sink)
    source = reader.read(found[0], None, sink) if found else None
    if source is None:
        return _Job(path, None, None, sink.sorted(), sources)
    sources.add(source)
    imported = import_source(source, _fetcher(reader, source.path), options)
    for part in imported.parts:
        sources.add(part)
    sink.extend(imported.diagnostics)
    text = None
    if imported.spec is not None:
        text = imported.spec.yaml if to == "yaml" else imported.spec.dsl
        _check(text, source.path, to, project_reader=Reader(project, {_spec_path(source.path, to): text}), sink=sink)
    return _Job(path, imported, text, sink.sorted(), sources)


def _spec_path(path: str, to: str) -> str:
    return f"{path}.imported.promptc" + (".yaml" if to == "yaml" else "")


def _check(text: str, path: str, to: str, *, project_reader: Reader, sink: Sink) -> None:
    """Compile the spec as it will be written: an import never leaves a spec with errors unsaid."""
    registry = provider_facts(project_reader.project, project_reader, sink)
    compiled = compile_root(_spec_path(path, to), project_reader, registry)
    errors = [d for d in compiled.diagnostics if severity_of(d) is Severity.ERROR]
    if errors:
        notes = tuple(f"{d.code}: {d.message}" for d in errors)
        help = "the spec is written all the same: mend it by hand, and run `promptc check`"
        sink.report(
            Diagnostic("PC953", f"the spec for `{path}` has {len(errors)} errors", None, notes=notes, help=help)
        )


def _fetcher(reader: Reader, base: str) -> Callable[[str], Source | None]:
    """Reads what stands beside the imported file; anything outside the project is as good as absent."""

    def fetch(name: str) -> Source | None:
        quiet = Sink()
        path = reader.resolve(name, base, None, quiet)
        return reader.read(path, None, quiet) if path is not None else None

    return fetch


# -- arguments -----------------------------------------------------------------------------------


def _format(name: str | None) -> Format | None:
    known = next((key for key in TITLES if key == name), None)
    if name is not None and known is None:
        stop(f"`{name}` is no format that promptc imports", help=f"one of {', '.join(TITLES)}")
    return known


def _target(name: str | None, registry: Registry) -> str | None:
    ids = registry.ids()
    known = None if name is None else next((id for id in ids if id in (name, name.replace("_", "-"))), None)
    if name is not None and known is None:
        stop(f"`{name}` is no target", help="`promptc providers` lists them")
    return known


def _is_writable(registry: Registry, target: str) -> bool:
    """Whether an assembler can be written for a target."""
    return any(registry.provider(target).format in language.wires for language in TARGETS.values())


# -- outputs -------------------------------------------------------------------------------------


def _goal(path: Path, to: str) -> str:
    return path.stem + (".promptc.yaml" if to == "yaml" else ".promptc")


def _refuse_clashes(folder: Path, goals: list[str], force: bool) -> None:
    for goal in goals:
        if goals.count(goal) > 1:
            stop(f"two files would be written as `{goal}`", help="import them into two folders")
        if not force and (folder / goal).exists():
            stop(f"`{(folder / goal).as_posix()}` exists already", help="`--force` replaces it", finding="PC951")


def _write(folder: Path, artifacts: list[Artifact]) -> None:
    try:
        for name in write_all(folder, artifacts):
            say(f"written: {(folder / name).as_posix()}")
    except WriteError as fault:
        stop(str(fault))


def _tell(job: _Job) -> None:
    if job.imported is not None and job.imported.format is not None:
        say(f"{job.named.as_posix()}: {TITLES[job.imported.format]}, since {job.imported.how}")
    show(job.diagnostics, job.sources, "text")


def _report(jobs: list[_Job], goals: list[str], output: Path | None) -> dict[str, object]:
    return {
        "format": FORMAT,
        "files": [
            {
                "source": job.named.as_posix(),
                "detected": job.imported.format if job.imported else None,
                "since": job.imported.how if job.imported else None,
                "spec": (output / goal).as_posix() if output is not None and job.text is not None else None,
                "text": job.text,
                "findings": as_data(job.diagnostics, job.sources),
            }
            for job, goal in zip(jobs, goals, strict=True)
        ],
    }
