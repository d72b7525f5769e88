"""Compare the specs of a project with a baseline, for the commands that judge and accept breaks."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

import typer

from promptc.baseline import manifests_of, parse_ref, read_baseline
from promptc.breaking.judge import judge
from promptc.breaking.model import Report
from promptc.cli import exits
from promptc.cli.console import exit_code, show, stop
from promptc.cli.loading import Workspace, load
from promptc.diagnostics.model import Diagnostic
from promptc.diagnostics.sink import Sink
from promptc.emit.lock import LOCK_NAME, Lock, read_lock
from promptc.project import Category, Project
from promptc.source import Span


@dataclass(frozen=True)
class Compared:
    """A comparison that took place.

    Attributes:
        lock: The lock of the project; None where none is written yet.
        remarks: What there is to say about ignores and acceptances.
    """

    workspace: Workspace
    report: Report
    lock: Lock | None
    remarks: tuple[Diagnostic, ...]

    @property
    def declared(self) -> dict[str, Span]:
        """Where each prompt is declared."""
        return {n: d.name.span for c in self.workspace.compilations for n, d in c.facts.symbols.prompts.items()}


def lock_path(project: Project, out: Path | None) -> Path:
    """Where the lock of a project is."""
    return (out if out is not None else project.root / project.config.out) / LOCK_NAME


def compare_with(
    against: str, paths: Sequence[Path], fail_on: Category | None, out: Path | None, format: str
) -> Compared:
    """Compare the specs at some places with a baseline. Ends the command with exit code 2 where that cannot be done."""
    workspace = load(paths)
    if exit_code(workspace.diagnostics):
        _end(workspace.diagnostics, workspace, format)
    sink = Sink()
    config = workspace.project.config.breaking
    lock = _lock(lock_path(workspace.project, out), sink)
    ref = parse_ref(against, sink)
    baseline = read_baseline(ref, workspace.project, paths, sink) if ref is not None else None
    if baseline is None or sink.has_errors:
        _end(sink.sorted(), workspace, format)
    report = judge(
        baseline.manifests,
        manifests_of(workspace.compilations),
        against,
        fail_on or config.fail_on,
        config.ignore,
        lock.breaks if lock is not None else (),
        sink,
        workspace.registry,
    )
    if not report.prompts:
        message = f"no prompt is both in `{against}` and in the specs as they are now, so nothing was compared"
        sink.report(Diagnostic("PC832", message, None, notes=("a gate that had nothing to compare fails",)))
    if sink.has_errors:
        _end(sink.sorted(), workspace, format)
    return Compared(workspace, report, lock, sink.sorted())


def _lock(path: Path, sink: Sink) -> Lock | None:
    if not path.is_file():
        return None
    try:
        lock, found = read_lock(path.read_bytes())
    except OSError as fault:
        stop(f"`{LOCK_NAME}` cannot be read: {(fault.strerror or 'unknown reason').lower()}")
    sink.extend(found)
    return lock


def _end(found: Sequence[Diagnostic], workspace: Workspace, format: str) -> NoReturn:
    show(found, workspace.sources, format)
    raise typer.Exit(exits.USAGE)
