"""Run an audit for the command line: progress on a terminal, a stop that keeps the work, the report."""

import gc
import os
import re
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from promptc.audit.as_html import report_as_html
from promptc.audit.as_text import report_as_markdown, report_as_text
from promptc.audit.log import has_msgspec
from promptc.audit.report import Report, report_of
from promptc.audit.run import Audit, Options
from promptc.audit.store import StateProblem, Store
from promptc.cli import exits
from promptc.cli.attributing import attributor
from promptc.cli.console import deliver, say, show, stop
from promptc.cli.loading import registry_here
from promptc.diagnostics.model import Diagnostic
from promptc.source import SourceSet

_TIME = re.compile(r"\d{4}-\d{2}(-\d{2}(T[0-9:.]*)?)?")
# From this size on a second process is worth its start, and the faster reader worth being told of.
_LARGE = 64 * 1024 * 1024


def _as_json(report: Report) -> str:
    return report.model_dump_json(indent=2) + "\n"


WRITERS: dict[str, Callable[[Report], str]] = {
    "text": report_as_text,
    "json": _as_json,
    "markdown": report_as_markdown,
    "html": report_as_html,
}


def audited(
    logs: Sequence[Path],
    state: Path | None,
    manifests: Sequence[Path],
    options: Options,
    format: str,
    output: Path | None,
) -> int:
    """Audit and report; the exit code.

    Args:
        logs: Files, or `-`.
        state: Database of the audit; None for one that is thrown away.
        manifests: Built manifests, or folders of them.
        options: What is asked for.
        format: One of `WRITERS`.
        output: File to write; stdout where None.
    """
    for path in logs:
        _must_be_file(path)
    for value in (options.since, options.until):
        if value is not None and not _TIME.fullmatch(value):
            stop(f"`{value}` is no day or time", help="such as `2026-11-01` or `2026-11-01T12:00`")
    registry = registry_here()
    if options.target is not None and options.target not in registry.ids():
        try:
            registry.provider(options.target)
        except KeyError:
            stop(f"there are no facts about `{options.target}`", help="known: " + ", ".join(registry.ids()))
    known = attributor(manifests)
    if sum(path.stat().st_size for path in logs if str(path) != "-") >= _LARGE and (os.cpu_count() or 1) > 1:
        options = replace(options, jobs=2)
    _hint_at_reader(logs)
    try:
        with Store(state) as store, _interruptible() as stopping, _progress() as told, _few_collections():
            audit = Audit(store, options, registry, known.index if known is not None else None, told, stopping)
            ended = audit.run(logs)
            show(audit.problems, SourceSet(), "text")
            if not ended:
                kept = (
                    "go on with the same command" if state is not None else "give `--state FILE` to go on another time"
                )
                stop(f"stopped before the end: {kept}")
            report = report_of(store, options.redact)
    except StateProblem as fault:
        _refuse_state(state, str(fault))
    except OSError as fault:
        stop(f"`{fault.filename}` cannot be read: {(fault.strerror or 'unknown reason').lower()}")
    if not report.requests:
        if not audit.problems:
            found = Diagnostic("PC871", "no request is of the time that was asked for", None)
            show((found,), SourceSet(), "text")
        return exits.USAGE
    deliver(WRITERS[format](report), output)
    return exits.FINDINGS if report.breaks else exits.CLEAN


def _must_be_file(path: Path) -> None:
    if str(path) == "-":
        return
    if path.is_dir():
        stop(f"`{path.as_posix()}` is a folder")
    if not path.exists():
        stop(f"`{path.as_posix()}` does not exist")


def _hint_at_reader(logs: Sequence[Path]) -> None:
    sizes = [path.stat().st_size for path in logs if str(path) != "-"]
    if sum(sizes) >= _LARGE and not has_msgspec():
        say("the log is read several times as fast with the extra `pip install 'promptc-lang[audit]'`")


def _refuse_state(state: Path | None, reason: str) -> None:
    name = state.as_posix() if state is not None else "the database"
    found = Diagnostic(
        "PC870",
        f"`{name}` is no state that this audit can go on with",
        None,
        notes=(reason,),
        help="name another file, or remove that one",
    )
    show((found,), SourceSet(), "text")
    stop("nothing was read")


@contextmanager
def _interruptible() -> Iterator[Callable[[], bool]]:
    """Whether the user has asked to stop; asking twice ends at once."""
    asked: list[int] = []
    before = signal.getsignal(signal.SIGINT)

    def ask(number: int, frame: object) -> None:
        asked.append(number)
        signal.signal(signal.SIGINT, before)

    signal.signal(signal.SIGINT, ask)
    try:
        yield lambda: bool(asked)
    finally:
        signal.signal(signal.SIGINT, before)


@contextmanager
def _few_collections() -> Iterator[None]:
    """Collect garbage seldom: nothing of an audit is held in a circle, and there is much to look through."""
    before = gc.get_threshold()
    gc.collect()
    gc.freeze()
    gc.set_threshold(100_000, 50, 50)
    try:
        yield
    finally:
        gc.set_threshold(*before)
        gc.unfreeze()


@contextmanager
def _progress() -> Iterator[Callable[[str, int, int | None], None]]:
    """A line on a terminal that says how far the work is; nothing elsewhere."""
    if not sys.stderr.isatty():
        yield lambda name, done, whole: None
        return

    def told(name: str, done: int, whole: int | None) -> None:
        share = f"{done / whole:.0%} of {whole / 1e9:.1f} GB" if whole else f"{done:,} records"
        sys.stderr.write(f"\r\x1b[Kreading: {share}")
        sys.stderr.flush()

    try:
        yield told
    finally:
        sys.stderr.write("\r\x1b[K")
        sys.stderr.flush()
