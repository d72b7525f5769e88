"""Compare the requests of one recording with each other and show it."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from promptc.cli import exits
from promptc.cli.attributing import Attributor
from promptc.cli.console import deliver, show
from promptc.cli.diff_views import view_of_requests
from promptc.cli.recordings import announce, fails, opened, refuse
from promptc.compare.diff import compare_streams
from promptc.compare.recording import Comparer, Step
from promptc.diagnostics.model import Diagnostic
from promptc.providers.registry import Registry
from promptc.report.attribution import Pair
from promptc.report.diff_html import diff_html
from promptc.report.recording_diff import RecordingDiff, Row, recording_as_json, recording_as_text, row_of
from promptc.source import SourceSet
from promptc.streams.model import PrefixStream
from promptc.streams.read import stream_of_body
from promptc.streams.rules import CacheRules

NOBODY: Pair = (None, None)


@dataclass(frozen=True, slots=True)
class HowToRead:
    """How the requests of a recording are read and compared.

    Attributes:
        target: Provider whose rules count; detected for each request where None.
        order: Lanes in cache order; the target's where None.
        registry: What is known about providers.
        rules_of: The cache rules for a stream.
        known: Names the sections that wrote the requests; None where no manifest is at hand.
    """

    target: str | None
    order: tuple[str, ...] | None
    registry: Registry
    rules_of: Callable[[PrefixStream], CacheRules]
    known: Attributor | None


def diff_recording(path: Path, how: HowToRead, format: str, output: Path | None) -> int:
    """Compare and show; the exit code.

    Args:
        path: The recording.
        how: How its requests are read and compared.
        format: text, json or html.
        output: File to write; stdout where None.
    """
    rows: list[Row] = []
    detail: Step | None = None
    comparer = Comparer()
    with opened(path) as (recording, problems):
        if recording is None:
            refuse(problems)
        for capture in recording:
            name = f"{recording.name}#{capture.index}"
            stream, _ = stream_of_body(capture.body, name, how.target, how.order, registry=how.registry)
            step = comparer.take(capture.index, capture.session, stream, how.rules_of(stream)) if stream else None
            if step is not None:
                rows.append(row_of(step.a, step.b, step.session, step.comparison))
                # The first break is shown in full; where nothing breaks, the last comparison is.
                detail = detail if detail is not None and detail.breaks else step
    found = recording.diagnostics()
    announce(recording)
    show(found, SourceSet(), "text")
    if fails(found):
        return exits.USAGE
    if detail is None:
        message = f"no request of `{recording.name}` continues another one, so nothing was compared"
        refuse((Diagnostic("PC859", message, None, notes=(f"requests: {recording.tally.requests:,}",)),))
    old, new, attributed = detail.old, detail.new, NOBODY
    if how.known is not None:
        old, new, attributed = how.known.attribute_pair(old, new)
    comparison = compare_streams(old, new, how.rules_of(old))
    first = comparison if detail.breaks else None
    result = RecordingDiff(
        recording.name, recording.format.name, recording.tally.requests, comparer.begun, rows, first, attributed
    )
    if format == "json":
        deliver(json.dumps(recording_as_json(result), indent=2, ensure_ascii=True) + "\n", output)
    elif format == "html":
        deliver(diff_html([view_of_requests(old, new, comparison, attributed)]), output)
    else:
        deliver(recording_as_text(result), output)
    return exits.FINDINGS if detail.breaks else exits.CLEAN
