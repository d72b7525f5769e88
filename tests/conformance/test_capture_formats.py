"""Every file of the captures is read in the form that the list of captures says, with as many requests."""

import json
from typing import Any

import pytest

from promptc.streams.read import stream_of_body
from promptc.streams.sources.read import open_recording
from support.shared import shared_folder

CORPORA = shared_folder("corpora")
if CORPORA is None:
    pytest.skip("the shared corpora are not at hand (PROMPTC_SHARED)", allow_module_level=True)
ENTRIES = json.loads((CORPORA / "captures" / "manifest.json").read_text("utf-8"))["entries"]
# Recorded as, and the shape of each request.
READ_AS = {
    "anthropic-messages": ("bodies", "anthropic-messages"),
    "anthropic-messages-on-bedrock": ("bodies", "anthropic-messages"),
    "bedrock-converse": ("bodies", "bedrock-converse"),
    "openai-chat": ("bodies", "openai-chat"),
    "openai-responses": ("bodies", "openai-responses"),
    "gemini": ("bodies", "gemini-generate"),
    "swe-agent-history": ("bodies", "openai-chat"),
    "openhands-prompt-log": ("bodies", "openai-chat"),
    "claude-code-transcript-jsonl": ("claude-code", "anthropic-messages"),
    "codex-session-jsonl": ("codex", "openai-responses"),
}


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: str(entry["file"]).removeprefix("captures/"))
def test_capture_is_read_in_its_form(entry: dict[str, Any]) -> None:
    assert CORPORA is not None
    path = CORPORA / entry["file"]
    with path.open("rb") as raw:
        recording, found = open_recording(raw, path.name)
        assert recording is not None, found
        captures = list(recording)
    format, shape = READ_AS[entry["shape"]]
    assert recording.format.name == format
    for capture in captures:
        stream, _ = stream_of_body(capture.body, "request")
        assert stream is not None and stream.format == shape
    if entry["requests"] is None:
        # Files of counts alone hold no messages, so they hold no request either; that is said.
        assert bool(captures) == ('"content"' in path.read_text("utf-8"))
        assert bool(captures) != any(d.code == "PC853" for d in recording.diagnostics())
    else:
        assert len(captures) == entry["requests"] and recording.diagnostics() == ()
