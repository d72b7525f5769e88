"""Check captured request bodies."""

import json
from pathlib import Path

from promptc.cli import exits
from promptc.cli.console import exit_code, say, show, stop
from promptc.cli.files import read_file
from promptc.diagnostics.model import Diagnostic
from promptc.providers.checks.run import check_document
from promptc.providers.registry import provider_ids, resolve
from promptc.source import SourceSet
from promptc.streams.json_decode import decode_json
from promptc.streams.read import stream_of_body


def check_request_file(path: Path, target: str | None, format: str) -> int:
    """Check one file with a request body and show what was found; the exit code."""
    data = read_file(path)
    body, found = decode_json(data, path.name)
    if body is None and found:
        show(found, SourceSet(), format, are_product=True)
        return exit_code(found) or exits.FINDINGS
    plain = json.loads(data)
    said = target
    if target is None:
        stream, _ = stream_of_body(body, path.name)
        if stream is None:
            stop(f"`{path.name}` has the shape of no known request", help="name the provider: `--target anthropic`")
        said = stream.target
        say(f"target: {said} (detected from the shape; `--target` names another)")
    try:
        provider = resolve(said or "", _model(plain))
    except KeyError:
        stop(f"there are no facts about `{said}`", help="known: " + ", ".join(provider_ids()))
    diagnostics: tuple[Diagnostic, ...] = check_document(plain, provider, data)
    show(diagnostics, SourceSet(), format, are_product=True)
    if not diagnostics and format == "text":
        say(f"clean: {path.name}")
    return exit_code(diagnostics)


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
