"""Captured requests, all real and all accepted, are built as their formats ask."""

import json
import os
from pathlib import Path
from typing import Any

import pytest

from promptc.diagnostics.model import Severity
from promptc.diagnostics.sink import severity_of
from promptc.providers.checks.run import check_request
from promptc.providers.registry import resolve

_CHECKOUT = Path(__file__).resolve().parents[2]
_CAPTURES = Path(os.environ.get("PROMPTC_SHARED", _CHECKOUT.parent / "shared")) / "corpora" / "captures"
_TARGETS = {
    "anthropic-messages": "anthropic",
    "anthropic-messages-on-bedrock": "bedrock-claude-invoke",
    "bedrock-converse": "bedrock-claude",
    "openai-chat": "openai-chat",
    "openai-responses": "openai-responses",
    "gemini": "gemini-implicit",
}
_SHAPE_CODES = ("PC690", "PC691", "PC692", "PC693", "PC694")


@pytest.mark.skipif(not _CAPTURES.is_dir(), reason="the captures are not at hand; set PROMPTC_SHARED")
def test_no_capture_gives_an_error_or_a_hint_about_its_shape() -> None:
    checked, said = 0, []
    for path in sorted(_CAPTURES.glob("*.json")):
        capture: dict[str, Any] = json.loads(path.read_bytes())
        target = _TARGETS.get(str(capture.get("shape")))
        for index, request in enumerate(capture.get("requests", ()) if target else ()):
            body = request["body"]
            model = body.get("model") or body.get("modelId")
            found = check_request(body, resolve(target or "", model if isinstance(model, str) else None))
            checked += 1
            said += [(path.name, index, d) for d in found if d.code in _SHAPE_CODES]
    assert checked > 300
    # One request counts tokens, which needs no bound on the answer.
    warned = [d for _, _, d in said if severity_of(d) is Severity.WARNING]
    assert [d.message for d in warned] == ["`max_tokens` is missing from the request"]
    assert [(name, index, d.message) for name, index, d in said if d not in warned] == []
