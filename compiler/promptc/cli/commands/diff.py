"""`promptc diff`: where two prefixes part."""

import gc
from pathlib import Path
from typing import Annotated

import typer

from promptc.cli import exits
from promptc.cli.attributing import attributor
from promptc.cli.console import deliver, say, show, stop
from promptc.cli.diff_sides import large_pair, side
from promptc.cli.diff_views import view_of_requests
from promptc.cli.loading import registry_here
from promptc.cli.recording_diff import HowToRead, diff_recording
from promptc.cli.spec_diff import diff_specs, names_specs
from promptc.compare.diff import compare_streams
from promptc.diagnostics.model import Severity
from promptc.diagnostics.sink import severity_of
from promptc.providers.registry import Registry
from promptc.report.attribution import Pair
from promptc.report.diff_html import diff_html
from promptc.report.diff_json import diff_as_json_text
from promptc.report.diff_text import diff_as_text
from promptc.source import SourceSet
from promptc.streams.json_value import member
from promptc.streams.model import LANES, PrefixStream
from promptc.streams.read import agreed
from promptc.streams.rules import UNKNOWN_TARGET, CacheRules, cache_rules


def diff(
    a: Annotated[
        Path,
        typer.Argument(
            help="The earlier one: a request body, a request of a recording (`FILE#3`), a text, a built manifest, a spec, "
            "a folder of specs, or a git ref (`.git#tag=v1`). Alone: a recording, whose requests are compared."
        ),
    ],
    b: Annotated[Path | None, typer.Argument(help="The later one, of the same kind.")] = None,
    target: Annotated[
        str | None, typer.Option("--target", help="Provider whose cache rules count; detected where it can be.")
    ] = None,
    order: Annotated[
        str | None, typer.Option("--order", help="Cache order of the lanes, such as `tools,system,messages`.")
    ] = None,
    format: Annotated[str, typer.Option("--format", "-f", help="text, json or html.")] = "text",
    output: Annotated[Path | None, typer.Option("--output", "-o", help="File to write; stdout by default.")] = None,
    manifest: Annotated[
        list[Path] | None,
        typer.Option(
            "--manifest", help="Built manifest, or a folder of them, to name sections by; the project's by default."
        ),
    ] = None,
) -> None:
    """Show every independent place where two prefixes part, and what it costs.

    Of one recording alone, each request is compared with the earlier one that it continues.

    Exit codes: 0 the second one keeps or extends the first, 1 they diverge, 2 wrong arguments or unreadable files.
    """
    if format not in ("text", "json", "html"):
        stop(f"`{format}` is no format", help="`--format text`, `--format json` or `--format html`")
    if names_specs(a) or (b is not None and names_specs(b)):
        if b is None:
            stop(
                "one side of the comparison is missing",
                help="`promptc breaking` compares specs with their last release",
            )
        if manifest:
            stop("`--manifest` is for captured requests", help="specs and manifests name their sections themselves")
        raise typer.Exit(diff_specs(a, b, format, output))
    lanes = _lanes(order) if order is not None else None
    # Bodies are trees of many small values without cycles: looking for cycles in them takes as long as reading them.
    gc.disable()
    registry = registry_here()
    known = attributor(manifest or [])
    if b is None:
        reading = HowToRead(target, lanes, registry, _Rules(target, registry), known)
        raise typer.Exit(diff_recording(a, reading, format, output))
    first, second, found = large_pair(a, b, target, lanes, registry) or agreed(
        side(a, target, lanes, registry), side(b, target, lanes, registry)
    )
    show(found, SourceSet(), "text")
    if first is None or second is None:
        raise typer.Exit(exits.USAGE)
    if any(severity_of(d) is Severity.ERROR for d in found):
        raise typer.Exit(exits.USAGE)
    attributed: Pair = (None, None)
    if known is not None:
        first, second, attributed = known.attribute_pair(first, second)
    comparison = compare_streams(first, second, _Rules(target, registry)(first))
    if format == "json":
        deliver(diff_as_json_text(comparison, attributed), output)
    elif format == "html":
        deliver(diff_html([view_of_requests(first, second, comparison, attributed)]), output)
    else:
        deliver(diff_as_text(comparison, attributed), output)
    raise typer.Exit(exits.FINDINGS if comparison.relation == "diverges" else exits.CLEAN)


def _lanes(order: str) -> tuple[str, ...]:
    # A lane that the order does not name is outside the prefix: a misspelt one would make every diff clean.
    lanes = tuple(lane.strip() for lane in order.split(","))
    for lane in lanes:
        if lane not in LANES:
            stop(f"`{lane}` is no lane", help=f"the lanes are {', '.join(LANES)}")
    if len(set(lanes)) < len(lanes):
        stop("`--order` names a lane twice")
    return lanes


class _Rules:
    """The cache rules for a stream; each target is named once."""

    def __init__(self, target: str | None, registry: Registry) -> None:
        self._target = target
        self._registry = registry
        self._said: set[str] = set()

    def __call__(self, stream: PrefixStream) -> CacheRules:
        wanted = self._target or stream.target
        if wanted is None:
            return UNKNOWN_TARGET
        named = member(stream.attributes, "model")
        model = named if isinstance(named, str) else None
        try:
            provider = self._registry.resolve(wanted, model)
        except KeyError:
            if self._target is not None:
                stop(f"there are no facts about `{wanted}`", help="known: " + ", ".join(self._registry.ids()))
            return UNKNOWN_TARGET
        if self._target is None and provider.id not in self._said:
            self._said.add(provider.id)
            say(f"target: {provider.id} (detected from the shape; `--target` names another)")
        return cache_rules(provider, model)
