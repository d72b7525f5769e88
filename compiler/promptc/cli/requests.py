"""Check captured request bodies: one file of them, or each request of a recording."""

import io
from pathlib import Path

from promptc.cli import exits
from promptc.cli.attributing import Attributor, fits_nothing, with_sections
from promptc.cli.console import exit_code, say, show, stop
from promptc.cli.files import read_file
from promptc.cli.loading import registry_here
from promptc.cli.recording_check import check_recording
from promptc.cli.recordings import open_file, refuse
from promptc.cli.tokenizing import Counting
from promptc.diagnostics.model import Diagnostic
from promptc.providers.checks.run import check_document
from promptc.providers.registry import Registry
from promptc.providers.tokens import token_family
from promptc.source import SourceSet
from promptc.streams.json_decode import decode_json
from promptc.streams.json_value import JsonValue, plain
from promptc.streams.read import stream_of_body
from promptc.streams.sources.read import open_recording

# What is said about the size of a prefix rests on a count of its tokens.
_SIZE_CODES = frozenset({"PC615", "PC616"})
# Names of files that hold requests rather than specs.
RECORDED = (".json", ".jsonl", ".ndjson", ".har", ".gz", ".zst", ".flow", ".flows", ".mitm", ".dump", ".log")


def check_request_file(
    path: Path, target: str | None, format: str, counting: Counting, known: Attributor | None = None
) -> int:
    """Check one file with requests and show what was found; the exit code.

    Args:
        counting: How tokens are counted.
        known: Names the sections that wrote the parts that findings are about.
    """
    registry = registry_here()
    data = read_file(path) if str(path) == "-" else None
    with io.BytesIO(data) if data is not None else open_file(path) as raw:
        recording, found = open_recording(raw, "stdin" if data is not None else path.name)
        if recording is not None and (recording.packing or not recording.bare):
            return check_recording(recording, target, format, counting, registry, known)
    if recording is None and (found[0].code != "PC852" or path.suffix not in (".json", "")):
        refuse(found)
    return _check_bodies(read_file(path) if data is None else data, path, target, format, counting, registry, known)


def _check_bodies(
    data: bytes,
    path: Path,
    target: str | None,
    format: str,
    counting: Counting,
    registry: Registry,
    known: Attributor | None,
) -> int:
    body, found = decode_json(data, path.name)
    if body is None and found:
        show(found, SourceSet(), format, are_product=True)
        return exit_code(found) or exits.FINDINGS
    document = plain(body)
    said = target
    if target is None:
        stream, _ = stream_of_body(body, path.name, registry=registry)
        if stream is None:
            stop(f"`{path.name}` has the shape of no known request", help="name the provider: `--target anthropic`")
        said = stream.target
        say(f"target: {said} (detected from the shape; `--target` names another)")
    model = _model(document)
    try:
        provider = registry.resolve(said or "", model)
    except KeyError:
        stop(f"there are no facts about `{said}`", help="known: " + ", ".join(registry.ids()))
    options = counting.options(provider, model, registry)
    diagnostics: tuple[Diagnostic, ...] = check_document(document, provider, data, options)
    if known is not None:
        diagnostics = _attributed(diagnostics, body, path, target, known, registry)
    show(diagnostics, SourceSet(), format, are_product=True)
    if counting.estimates and any(found.code in _SIZE_CODES for found in diagnostics):
        family = token_family(model)
        say(
            f"token counts are estimates ({family.method}, mean error {family.error:.0%}); `--no-sizes` leaves them out"
        )
    if not diagnostics and format == "text":
        say(f"clean: {path.name}")
    return exit_code(diagnostics)


def _attributed(
    found: tuple[Diagnostic, ...],
    body: JsonValue,
    path: Path,
    target: str | None,
    known: Attributor,
    registry: Registry,
) -> tuple[Diagnostic, ...]:
    stream, _ = stream_of_body(body, path.name, target, registry=registry)
    attribution = known.attribute(stream) if stream is not None else None
    if attribution is not None:
        return with_sections(found, attribution)
    return (*found, fits_nothing(f"`{path.name}` fits")) if known.named else found


def _model(body: object) -> str | None:
    if isinstance(body, dict):
        model = body.get("model") or body.get("modelId")
        if isinstance(model, str):
            return model
        requests = body.get("requests")
        if isinstance(requests, list) and requests:
            return _model(requests[0])
    if isinstance(body, list) and body:
        return _model(body[0])
    return None
