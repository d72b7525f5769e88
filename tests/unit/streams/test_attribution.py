"""Captured requests attributed to built manifests: every byte to the section that wrote it, and how that is known."""

import json
from typing import Any

import pytest

from promptc.ir.interpret import assemble
from promptc.lowering.manifest import build_manifest
from promptc.lowering.samples import samples_of
from promptc.streams.attribution.index import AttributionIndex, index_of
from promptc.streams.attribution.match import fit
from promptc.streams.attribution.model import Attribution, Origin
from promptc.streams.attribution.pattern import block_pattern
from promptc.streams.manifest_model import HolePiece, Manifest, ManifestElement, Seams, TextPiece
from promptc.streams.model import Element, PrefixStream
from promptc.streams.read import read_stream
from support.manifests import GOLDEN, manifest_of
from support.shipped import bodies_of, compiled

SPEC = (GOLDEN / "agent.promptc").read_text(encoding="utf-8")
SEAMS = Seams(separator="\n\n", open="<x>", close="</x>")


def stream_of(body: bytes | dict[str, Any]) -> PrefixStream:
    data = body if isinstance(body, bytes) else json.dumps(body).encode()
    stream, _ = read_stream(data, "request.json")
    assert stream is not None
    return stream


def index_of_spec(spec: str) -> AttributionIndex:
    c = compiled(spec)
    return index_of([build_manifest(c.facts, c.plans[name], p, c.sources) for name, p in c.programs.items()])


def texts_by_section(found: Attribution) -> dict[str, list[str]]:
    """The bytes of each section, per element that holds it."""
    elements = {element.pointer: element for element in found.stream.elements}
    out: dict[str, list[str]] = {}
    for origin in found.origins:
        data = elements[origin.pointer].data
        for name, text in _sections(origin, data):
            out.setdefault(name, []).append(text)
    return out


def _sections(origin: Origin, data: bytes) -> list[tuple[str, str]]:
    out: list[tuple[str, str]] = []
    for r in origin.ranges:
        part = data[r.start : r.end].decode()
        if r.owner is not None and out and out[-1][0] == r.owner.name:
            out[-1] = (r.owner.name, out[-1][1] + part)
        elif r.owner is not None:
            out.append((r.owner.name, part))
    return out


@pytest.mark.parametrize("spec", ["coding_agent", "support_bot"])
def test_every_section_of_a_shipped_request_is_found_with_its_very_text(spec: str) -> None:
    index = index_of_spec(spec)
    c = compiled(spec)
    compared = 0
    for name, program in c.programs.items():
        made_of_values = {e.name for p in index.prompts for e in p.manifest.elements if e.bytes.literal == 0}
        for sample in samples_of(c.facts, program):
            made = assemble(program, sample.inputs, list(sample.messages), model="m" if program.model is None else None)
            found = index.attribute(stream_of(made.body))
            # With two groups and no literal tool between them nothing tells which one took a tool.
            assert [at for at in found.unattributed if not at.startswith("/tools/")] == []
            texts = texts_by_section(found)
            for section, text in made.texts:
                # Of two sections that are nothing but a value nothing tells which one wrote it.
                if section in made_of_values:
                    continue
                assert text in texts.get(section, []), (name, sample.name, section)
                compared += 1
    assert compared > 40


def test_ranges_cover_their_element_without_gaps() -> None:
    index = index_of_spec("coding_agent")
    for _, body in bodies_of("coding_agent"):
        found = index.attribute(stream_of(body))
        sizes = {element.pointer: element.size for element in found.stream.elements}
        for origin in found.origins:
            edges = [0, *(r.end for r in origin.ranges)]
            assert [r.start for r in origin.ranges] == edges[:-1]
            assert edges[-1] == sizes[origin.pointer]


def test_the_prompt_that_fits_best_is_chosen() -> None:
    index = index_of_spec("support_bot")
    chosen = {name: index.attribute(stream_of(body)).prompt for name, body in bodies_of("support_bot")}
    assert chosen["phone"] == "support_bot_phone"
    assert chosen["english_chat"] == "support_bot"


def body_of(**changes: Any) -> dict[str, Any]:
    return {
        "model": "m",
        "tools": [
            {"name": "finish", "description": "Say that the work is done.", "input_schema": {"type": "object"}},
            {"name": "search", "description": "Find.", "input_schema": {"type": "object"}},
        ],
        "system": [
            {"type": "text", "text": "You are an agent in a terminal.\n\nRules:\n- ask"},
            {"type": "text", "text": "Directory: /srv\nBranch: main\n- 1 search\n"},
        ],
        "messages": [{"role": "user", "content": "Hello"}],
        **changes,
    }


def attributed(body: dict[str, Any], spec: str = SPEC) -> Attribution:
    return index_of([manifest_of(spec)]).attribute(stream_of(body))


def owners(found: Attribution, pointer: str) -> list[tuple[str | None, str | None, bool]]:
    (origin,) = [o for o in found.origins if o.pointer == pointer]
    return [(r.owner.name if r.owner else None, r.by, r.literal) for r in origin.ranges]


def test_literal_tools_are_known_by_digest_and_others_by_their_group() -> None:
    found = attributed(body_of())
    assert owners(found, "/tools/0") == [("finish", "digest", True)]
    assert owners(found, "/tools/1") == [("connected", "group", False)]


def test_a_tool_with_another_text_is_known_by_its_name() -> None:
    body = body_of()
    body["tools"][0]["description"] = "Stop."
    assert owners(attributed(body), "/tools/0") == [("finish", "name", False)]


def test_values_are_told_from_text_of_the_spec() -> None:
    found = attributed(body_of(system=[{"type": "text", "text": "Directory: /srv\n"}]))
    parts = owners(found, "/system/0")
    assert parts[:2] == [("environment", "pattern", True), ("environment", "pattern", False)]
    assert found.certain


def test_an_edited_block_is_attributed_by_its_lines() -> None:
    text = "You are an agent in a terminal.\n\nRules of the house:\n- ask\n"
    spec = SPEC.replace("Rules:\n", "Rules that count here always:\n").replace(
        "You are an agent in a {{ 'terminal' if interactive else 'pipe' }}.", "You are an agent in a terminal."
    )
    found = attributed(body_of(system=[{"type": "text", "text": text}], tools=[]), spec)
    assert owners(found, "/system/0") == [("identity", "lines", True), (None, None, False)]
    element = found.stream.elements[0]
    assert element.piece_at(3) is not None
    assert element.piece_at(len(text) - 3) is None


def test_blocks_that_were_joined_into_one_text_are_found() -> None:
    text = "You are an agent in a pipe.\n\nRules:\n- do not ask {{x\n\nDirectory: /srv\n"
    found = attributed(body_of(system=text))
    names = dict.fromkeys(owner for owner, _, _ in owners(found, "/system") if owner)
    assert list(names) == ["identity", "rules", "environment"]


def test_what_no_spec_wrote_stays_unattributed() -> None:
    body = {"model": "m", "system": "Something else.", "messages": [{"role": "user", "content": "Directory: x"}]}
    found = attributed(body)
    assert found.prompt is None
    assert found.unattributed == ("/system",)
    assert found.others == 1


def test_a_user_who_quotes_the_prompt_is_no_section() -> None:
    said = [{"role": "user", "content": "You are an agent in a terminal.\n\nRules:\n- ask"}]
    assert attributed(body_of(messages=said)).others == 1


def test_pieces_of_a_request_lead_to_the_spec() -> None:
    element: Element = attributed(body_of()).stream.elements[2]
    piece = element.piece_at(40)
    assert piece is not None
    assert (piece.section, piece.path, piece.by) == ("rules", "spec.promptc", "pattern")
    assert piece.line == SPEC[: SPEC.index("rules @static")].count("\n") + 1


def element_of(*pieces: TextPiece | HolePiece, gate: str | None = None) -> ManifestElement:
    like = manifest_of(SPEC).elements[2]
    literal = sum(len(p.text) for p in pieces if isinstance(p, TextPiece))
    size = like.bytes.model_copy(update={"literal": literal, "least": literal, "most": literal})
    return like.model_copy(update={"name": f"s{literal}", "pieces": pieces, "gate": gate, "bytes": size})


def hole() -> HolePiece:
    return HolePiece.model_validate({"hole": "x", "class": "turn"})


def test_a_section_that_is_off_leaves_no_separator() -> None:
    pattern = block_pattern((element_of(TextPiece(text="aa"), gate="g"), element_of(TextPiece(text="bbb"))), SEAMS)
    assert fit(pattern, "<x>aa\n\nbbb</x>") is not None
    assert fit(pattern, "<x>bbb</x>") is not None
    assert fit(pattern, "<x>\n\nbbb</x>") is None
    assert fit(pattern, "<x>aa</x>") is None


def test_offsets_are_bytes() -> None:
    pattern = block_pattern((element_of(TextPiece(text="é:"), hole(), TextPiece(text=".")),), None)
    ranges = fit(pattern, "é:日本.")
    assert ranges is not None
    assert [(r.start, r.end, r.literal) for r in ranges] == [(0, 3, True), (3, 9, False), (9, 10, True)]


@pytest.mark.parametrize("text", ["ab" * 60_000, "a" * 120_000, " ".join("a" * 40_000)])
def test_hostile_texts_are_fitted_without_trying_anything_twice(text: str) -> None:
    pieces = [piece for _ in range(6) for piece in (hole(), TextPiece(text="a"), hole(), TextPiece(text="b"))]
    pattern = block_pattern((element_of(*pieces, TextPiece(text="c")),), None)
    assert fit(pattern, text) is None
    assert fit(pattern, text + "bababababababc") is not None


def test_the_same_manifest_twice_changes_nothing() -> None:
    manifest: Manifest = manifest_of(SPEC)
    once, twice = index_of([manifest]), index_of([manifest, manifest])
    stream = stream_of(body_of())
    assert once.attribute(stream).origins == twice.attribute(stream).origins
    # A second look takes the remembered fits.
    assert once.attribute(stream).origins == once.attribute(stream).origins
