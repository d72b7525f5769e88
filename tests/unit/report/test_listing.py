"""The listing of a prompt: every element, its numbers added up, and nothing hostile through to a terminal."""

import json

import pytest

from promptc.report.listing import cacheable, listing_json, listing_text
from promptc.streams.manifest_model import Manifest
from support.manifests import GOLDEN, manifest_of

SPEC = (GOLDEN / "agent.promptc").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def manifest() -> Manifest:
    return manifest_of(SPEC)


def test_listing_of_an_agent_is_as_recorded(manifest: Manifest, update: bool) -> None:
    golden = GOLDEN / "agent.ls.txt"
    text = listing_text(manifest)
    if update:
        golden.write_text(text, encoding="utf-8")
    assert text == golden.read_text(encoding="utf-8")


def test_bytes_so_far_add_up_to_the_total(manifest: Manifest) -> None:
    plain = listing_json(manifest)
    running = 0
    for row in plain["elements"]:
        running += row["bytes"]["literal"]
        assert row["so_far"] == running
    assert plain["totals"]["bytes"] == running
    texts = (
        'Say that the work is done.{"type":"object"}You are an agent in a terminalpipe.Rules:\n- ask\n- do not ask {{x'
    )
    texts += "Directory: \nBranch: \n-  \nPlan mode is on.Plan mode is onoff now.Plan mode is off again."
    assert running == len(texts.encode())


def test_cacheable_is_what_stands_in_front_of_the_last_marker(manifest: Manifest) -> None:
    found = cacheable(manifest)
    tail = next(e for e in manifest.elements if e.name == "mode")
    assert found.cached_bytes == found.bytes - tail.bytes.literal
    assert [s for s, _, _ in found.scopes] == ["global", "session"]


def test_without_a_marker_nothing_is_cacheable_where_markers_are_needed() -> None:
    text = 'language 1\nprompt p { target anthropic model "m" max_tokens 8 system { uncached { section a @static "Hi." } } }\n'
    assert cacheable(manifest_of(text)).cached_bytes == 0
    assert cacheable(manifest_of(text.replace("anthropic", "openai_chat"))).cached_bytes == 3


def test_json_holds_no_texts_and_serialises(manifest: Manifest) -> None:
    text = json.dumps(listing_json(manifest))
    assert "Directory" not in text
    assert json.loads(text)["format"] == "promptc.listing/1"


def test_no_control_character_reaches_the_terminal() -> None:
    manifest = manifest_of(
        "language 1\nscope global holds static\n"
        'input m : "a\\u{1b}[31m\\u{202e}b" | "c" @static\n'
        'prompt p { target anthropic model "m" max_tokens 8 '
        'system { cache global { section a @static when m == "a\\u{1b}[31m\\u{202e}b" "x" } } }\n'
    )
    assert all(line.isprintable() for line in listing_text(manifest).split("\n"))
