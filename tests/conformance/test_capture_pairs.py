"""Neighbouring requests of real captures stand in the relation that an independent script found."""

import json
from pathlib import Path
from typing import Any

import pytest

from promptc.compare.diff import compare_streams
from promptc.streams.model import PrefixStream
from promptc.streams.read import read_stream
from support.shared import shared_folder

CORPORA = shared_folder("corpora")
if CORPORA is None:
    pytest.skip("the shared corpora are not at hand (PROMPTC_SHARED)", allow_module_level=True)
RELATIONS = {
    "identical": "identical",
    "extension": "extends",
    "shrunk": "truncates",
    "diverges": "diverges",
    "other-conversation": "diverges",
}
FORMATS = {
    "anthropic-messages": "anthropic-messages",
    "anthropic-messages-on-bedrock": "anthropic-messages",
    "bedrock-converse": "bedrock-converse",
    "openai-chat": "openai-chat",
    "openai-responses": "openai-responses",
    "gemini": "gemini-generate",
    "swe-agent-history": "openai-chat",
    "openhands-prompt-log": "openai-chat",
}
# Shapes whose elements are the blocks that the script counted; in others it counted messages or deferred tools.
WHOLE_MESSAGES = ("openai-chat", "swe-agent-history", "openhands-prompt-log")


def _load(path: Path) -> dict[str, Any]:
    loaded = json.loads(path.read_text("utf-8"))
    return loaded if isinstance(loaded, dict) and "pairs" in loaded else {}


CAPTURES = [path for path in sorted((CORPORA / "captures").glob("*.json")) if _load(path)]


def _streams(capture: dict[str, Any]) -> list[PrefixStream]:
    streams: list[PrefixStream] = []
    for request in capture["requests"]:
        data = json.dumps(request["body"], ensure_ascii=False).encode("utf-8", "surrogatepass")
        stream, _ = read_stream(data, "request")
        assert stream is not None
        assert stream.format == FORMATS[capture["shape"]]
        streams.append(stream)
    return streams


def _shared(a: PrefixStream, b: PrefixStream) -> int:
    pairs = enumerate(zip(a.elements, b.elements, strict=False))
    return next((i for i, (x, y) in pairs if not x.same_as(y)), min(len(a.elements), len(b.elements)))


@pytest.mark.parametrize("path", CAPTURES, ids=lambda path: path.stem)
def test_pairs_have_the_relation_found_independently(path: Path) -> None:
    capture = _load(path)
    streams = _streams(capture)
    for index, pair in enumerate(capture["pairs"]):
        result = compare_streams(streams[index], streams[index + 1])
        assert result.relation == RELATIONS[pair["relation"]], (index, pair, result.findings[:1])
        assert bool(result.findings) == (result.relation == "diverges")
        if "shared_blocks" in pair and capture["shape"] in WHOLE_MESSAGES:
            assert _shared(streams[index], streams[index + 1]) == pair["shared_blocks"]
