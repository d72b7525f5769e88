"""Check each request of a recording; a finding that several of them have is shown once."""

from dataclasses import dataclass, field, replace

from promptc.cli import exits
from promptc.cli.attributing import Attributor, with_sections
from promptc.cli.console import exit_code, say, show, stop
from promptc.cli.recordings import announce, fails
from promptc.cli.tokenizing import Counting
from promptc.diagnostics.model import Diagnostic
from promptc.providers.checks.run import check_request
from promptc.providers.registry import Registry
from promptc.source import SourceSet
from promptc.streams.json_value import JsonObject, member, plain
from promptc.streams.read import stream_of_body
from promptc.streams.sources.read import Recording

# Findings whose words differ from request to request are listed so often a code; the rest is counted.
_KEPT = 20
_NAMED = 5


@dataclass
class _Seen:
    """A finding, and the requests that have it."""

    first: Diagnostic
    count: int = 0
    requests: list[int] = field(default_factory=list)

    def add(self, number: int) -> None:
        self.count += 1
        if len(self.requests) < _NAMED and number not in self.requests:
            self.requests.append(number)

    @property
    def diagnostic(self) -> Diagnostic:
        shown = ", ".join(f"#{number}" for number in self.requests)
        more = f" and {self.count - len(self.requests):,} more" if self.count > len(self.requests) else ""
        noun = "request" if self.count == 1 else "requests"
        return replace(self.first, notes=(*self.first.notes, f"found in {noun} {shown}{more}"))


@dataclass
class _Findings:
    """What was found, each thing once, in the order in which it was first seen."""

    seen: dict[tuple[str, str], _Seen] = field(default_factory=dict)
    kinds: dict[str, int] = field(default_factory=dict)

    def add(self, diagnostic: Diagnostic, number: int) -> None:
        key = (diagnostic.code, diagnostic.message)
        if key not in self.seen:
            kinds = self.kinds.get(diagnostic.code, 0)
            if kinds >= _KEPT:
                key = next(known for known in self.seen if known[0] == diagnostic.code)
            else:
                self.kinds[diagnostic.code] = kinds + 1
                self.seen[key] = _Seen(diagnostic)
        self.seen[key].add(number)


def check_recording(
    recording: Recording,
    target: str | None,
    format: str,
    counting: Counting,
    registry: Registry,
    known: Attributor | None,
) -> int:
    """Check and show; the exit code.

    Args:
        recording: The recording, open.
        target: Provider whose rules count; detected for each request where None.
        format: How findings are shown.
        counting: How tokens are counted.
        registry: What is known about providers.
        known: Names the sections that wrote the parts that findings are about.
    """
    findings = _Findings()
    targets: dict[str, None] = {}
    for capture in recording:
        found, used = _check(capture.body, target, counting, registry, known)
        targets[used] = None
        for diagnostic in found:
            findings.add(diagnostic, capture.index)
    announce(recording)
    if targets and target is None:
        say(f"target: {', '.join(targets)} (detected from the shape; `--target` names another)")
    about = recording.diagnostics()
    diagnostics = (*about, *(seen.diagnostic for seen in findings.seen.values()))
    show(diagnostics, SourceSet(), format, are_product=True)
    if counting.estimates and any(d.code in ("PC615", "PC616") for d in diagnostics):
        say("token counts are estimates; `--no-sizes` leaves them out")
    if not diagnostics and format == "text":
        say(f"clean: {recording.name}, requests: {recording.tally.requests:,}")
    return exits.USAGE if fails(about) else exit_code(diagnostics)


def _check(
    body: JsonObject, target: str | None, counting: Counting, registry: Registry, known: Attributor | None
) -> tuple[tuple[Diagnostic, ...], str]:
    """What is wrong with one body, and the provider that it was held to."""
    stream, _ = stream_of_body(body, "request", target, registry=registry)
    said = target or (stream.target if stream is not None else None)
    named = member(body, "model") or member(body, "modelId")
    model = named if isinstance(named, str) else None
    try:
        provider = registry.resolve(said or "", model)
    except KeyError:
        stop(f"there are no facts about `{said}`", help="known: " + ", ".join(registry.ids()))
    options = counting.options(provider, model, registry)
    found = check_request(plain(body), provider, None, options)
    attribution = known.attribute(stream) if known is not None and stream is not None and found else None
    return (found if attribution is None else with_sections(found, attribution)), provider.id
