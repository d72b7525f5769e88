"""Manifests read back: faults are findings, and streams of two builds part where their prompts do."""

import pytest

from promptc.compare.diff import compare_streams
from promptc.emit.manifest_json import manifest_text
from promptc.semantics.passes.check_expansion import MAX_TAGS
from promptc.streams.manifest import paired_variants, read_manifest, stream_of_manifest, variant_name
from promptc.streams.manifest_model import HolePiece, Manifest, TextPiece
from promptc.streams.manifest_pieces import template_text
from support.manifests import GOLDEN, manifest_of

SPEC = (GOLDEN / "agent.promptc").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def manifest() -> Manifest:
    return manifest_of(SPEC)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\xff\xfe",
        b"[]",
        b"{}",
        b'{"format": "promptc.manifest/0"}',
        b"[" * 100_000,
        b'{"format": "promptc.manifest/1", "elements": ' + b'[{"pieces": ' * 5_000,
    ],
)
def test_what_is_no_manifest_is_one_finding(data: bytes) -> None:
    found, diagnostics = read_manifest(data, "agent.manifest.json")
    assert found is None
    assert [d.code for d in diagnostics] == ["PC930"]


def test_an_unknown_key_is_told_by_its_place(manifest: Manifest) -> None:
    text = manifest.model_dump_json(by_alias=True, exclude_defaults=True).replace('"max_tokens"', '"most_tokens"')
    _, (found,) = read_manifest(text.encode(), "agent.manifest.json")
    assert found.pointer in ("/max_tokens", "/most_tokens")


def test_a_variant_is_named_by_what_holds(manifest: Manifest) -> None:
    last = manifest.variants.listed[-1]
    assert variant_name(manifest, last) == "not (tools), not (interactive), big, not (branch is defined and branch)"


def test_equal_builds_give_identical_streams(manifest: Manifest) -> None:
    for variant in (None, *manifest.variants.listed):
        stream = stream_of_manifest(manifest, "agent", variant)
        assert compare_streams(stream, stream_of_manifest(manifest_of(SPEC), "agent", variant)).relation == "identical"


def test_an_edit_is_found_in_its_section(manifest: Manifest) -> None:
    changed = manifest_of(SPEC.replace("Directory: ", "Folder: "))
    old, new = manifest.variants.listed[0], changed.variants.listed[0]
    made = compare_streams(stream_of_manifest(manifest, "a", old), stream_of_manifest(changed, "b", new))
    (finding,) = made.findings
    assert finding.section == "environment"
    assert finding.pointer_a == "/system/1"
    assert finding.rest_a is not None and finding.rest_a.startswith("Directory: {{ cwd | trim }}")
    assert list(made.breakpoints_surviving) == ["/system/0"]


def test_markers_stand_where_the_blocks_end(manifest: Manifest) -> None:
    first = stream_of_manifest(manifest, "agent", manifest.variants.listed[0])
    assert [(b.pointer, b.scope, b.ttl) for b in first.breakpoints] == [
        ("/system/0", "session", "5m"),
        ("/system/1", "session", "5m"),
        ("/messages/0", None, "5m"),
    ]
    last = stream_of_manifest(manifest, "agent", manifest.variants.listed[-1])
    assert next((b.scope, b.ttl) for b in last.breakpoints) == ("global", "1h")


def test_variants_of_one_build_pair_with_themselves_only(manifest: Manifest) -> None:
    pairs = list(paired_variants(manifest, manifest))
    assert all(a is b for a, b in pairs)
    assert len(pairs) == 12


def test_a_new_gate_pairs_each_old_variant_with_both_ways(manifest: Manifest) -> None:
    text = SPEC.replace("input cwd", "input extra : bool @static\ninput cwd", 1).replace(
        "    cache session {",
        '    cache global fallback session { section more @static when extra "More." }\n    cache session {',
    )
    changed = manifest_of(text)
    assert changed.variants.total == 24
    pairs = list(paired_variants(manifest, changed))
    assert len(pairs) == 24


def test_literal_braces_are_never_a_hole() -> None:
    hole = (TextPiece(text="a "), HolePiece(hole="x", cls="static"))
    assert template_text(hole) == "a {{ x }}"
    assert template_text((TextPiece(text="a {{ x }}"),)) != template_text(hole)
    assert template_text((TextPiece(text="{"), HolePiece(hole="x", cls="static"))) != "{{{ x }}"
    assert template_text((TextPiece(text="a { b"),)) == "a { b"


def _deep(body: str) -> Manifest:
    return manifest_of(
        "language 1\nscope global holds static\ninput f : bool @static\n"
        f'prompt p {{ target anthropic model "m" max_tokens 8 system {{ cache global {{ section a @static "{body}" }} }} }}\n'
    )


@pytest.mark.parametrize(
    "body",
    [
        "{% if f %}x" * MAX_TAGS + "{% endif %}" * MAX_TAGS,
        "{{ " + " if f else ".join(f"'a{i}'" for i in range(90)) + " }}",
        "{% if f %}a{% else %}" * MAX_TAGS + "b" + "{% endif %}" * MAX_TAGS,
    ],
    ids=["branches", "choices", "else"],
)
def test_the_deepest_texts_of_the_language_are_read_back(body: str) -> None:
    manifest = _deep(body)
    again, found = read_manifest(manifest_text(manifest).encode(), "p.manifest.json")
    assert found == ()
    assert again == manifest


def test_a_lane_that_the_provider_does_not_cache_is_outside() -> None:
    manifest = manifest_of(
        'language 1\nprompt p { target bedrock_nova model "m" max_tokens 8 '
        'tools { tool x @static { description "d" schema "{}" } } '
        'system { uncached { section a @static "Hi." } } }\n'
    )
    for variant in (None, *manifest.variants.listed):
        stream = stream_of_manifest(manifest, "p", variant)
        assert stream.outside == ("/tools/x",)
        assert [e.pointer for e in stream.elements] == ["/system/0", "/messages/0"]
    assert [e.name for e in manifest.elements] == ["a", "conversation", "x"]
