"""What a manifest says about a prompt is what the interpreter does with it."""

import hashlib
import json

import pytest

from promptc.emit.manifest_json import emit_manifest, manifest_text
from promptc.ir.interpret import assemble
from promptc.lowering.manifest import build_manifest
from promptc.streams.manifest import read_manifest
from promptc.streams.manifest_model import Manifest, TextPiece
from promptc.streams.manifest_variants import prefix_digests
from support.manifests import GOLDEN, inputs_of, manifest_of
from support.specs import compile_spec, compile_text

SPEC = (GOLDEN / "agent.promptc").read_text(encoding="utf-8")
TOOL = {"name": "search", "description": "Finds.", "input_schema": {}}
OTHERS: dict[str, object] = {
    "interactive": True,
    "model": "opus",
    "tools": [TOOL],
    "cwd": " /srv ",
    "branch": "main",
    "plan_mode": False,
}


@pytest.fixture(scope="module")
def manifest() -> Manifest:
    return manifest_of(SPEC)


def test_manifest_of_an_agent_is_as_recorded(manifest: Manifest, update: bool) -> None:
    golden = GOLDEN / "agent.manifest.json"
    text = manifest_text(manifest)
    if update:
        golden.write_text(text, encoding="utf-8")
    assert text == golden.read_text(encoding="utf-8")


def test_every_planned_variant_is_listed_and_an_input_leads_to_it(manifest: Manifest) -> None:
    compilation = compile_text(SPEC)
    program = compilation.programs["agent"]
    assert len(manifest.variants.listed) == compilation.plans["agent"].variants == 12
    for variant in manifest.variants.listed:
        made = assemble(program, inputs_of(manifest, variant, OTHERS))
        there = [b.element for b in variant.prefix if b.lane == "system"]
        assert [name for name, _ in made.texts if name != "mode"] == there
        tools = {"search": "connected"}
        sent = made.request.get("tools", [])
        assert isinstance(sent, list)
        assert [tools.get(t["name"], t["name"]) for t in sent] == [
            b.element for b in variant.prefix if b.lane == "tools"
        ]
        ttls = [block["cache_control"]["ttl"] for block in made.request["system"]]  # type: ignore[attr-defined]
        assert ttls == [{"global": "1h", "session": "5m"}[s or ""] for s in variant.scopes]


def test_prefix_digests_are_equal_exactly_where_the_bytes_are(manifest: Manifest) -> None:
    program = compile_text(SPEC).programs["agent"]
    seen: dict[str, str] = {}
    for variant in manifest.variants.listed:
        made = assemble(program, inputs_of(manifest, variant, OTHERS))
        texts = dict(made.texts)
        prefix = ""
        for boundary in variant.prefix:
            prefix += f"\x00{boundary.element}:{texts.get(boundary.element, '')}"
            assert seen.setdefault(boundary.digest, prefix) == prefix
    assert len(set(seen.values())) == len(seen)


def test_digest_of_a_literal_section_is_the_digest_of_its_bytes() -> None:
    manifest = manifest_of(
        "language 1\n"
        "scope global holds static\n"
        'prompt p { target anthropic model "m" max_tokens 8 '
        "system { cache global { section a @static \"Grüß Gott, {{ '{{' }}.\" } } }\n"
    )
    (element,) = [e for e in manifest.elements if e.name == "a"]
    assert element.pieces == (TextPiece(text="Grüß Gott, {{."),)
    assert element.bytes.literal == element.bytes.least == element.bytes.most == len("Grüß Gott, {{.".encode())
    plain = manifest_of(
        "language 1\n"
        "scope global holds static\n"
        'prompt p { target anthropic model "m" max_tokens 8 system { cache global { section a @static "Grüß Gott." } } }\n'
    )
    (element,) = [e for e in plain.elements if e.name == "a"]
    assert element.digest == hashlib.sha256("Grüß Gott.".encode()).hexdigest()


def test_manifest_reads_back_as_it_was(manifest: Manifest) -> None:
    artifact = emit_manifest(manifest)
    assert artifact.path == "agent.manifest.json"
    again, found = read_manifest(artifact.data, artifact.path)
    assert found == ()
    assert again == manifest


def test_manifest_names_every_element_in_cache_order(manifest: Manifest) -> None:
    assert [(e.lane, e.name) for e in manifest.elements] == [
        ("tools", "finish"),
        ("tools", "connected"),
        ("system", "identity"),
        ("system", "rules"),
        ("system", "environment"),
        ("conversation", "transcript"),
        ("tail", "mode"),
    ]


def test_spans_name_lines_of_the_source(manifest: Manifest) -> None:
    lines = SPEC.split("\n")
    for element in manifest.elements:
        assert lines[element.span.line - 1][element.span.column - 1 :].startswith(element.name)


def test_one_element_is_one_line_of_the_file(manifest: Manifest) -> None:
    lines = manifest_text(manifest).split("\n")
    for element in manifest.elements:
        assert sum(line.startswith(f'  {{"name": "{element.name}", "kind"') for line in lines) == 1
    assert lines[-1] == ""


def test_renaming_a_section_keeps_its_prefix_digests(manifest: Manifest) -> None:
    renamed = manifest_of(SPEC.replace("section rules", "section the_rules"))
    old = [[b.digest for b in v.prefix] for v in manifest.variants.listed]
    new = [[b.digest for b in v.prefix] for v in renamed.variants.listed]
    assert old == new
    assert manifest.digest == renamed.digest


@pytest.mark.parametrize(
    ("change", "first"),
    [
        (('section identity @static "You', 'section identity @static "I'), "identity"),
        (("- ask\n", "- ask more\n"), "rules"),
        (("cwd | trim", "cwd"), "environment"),
        (("order by name", "order by description, name"), "connected"),
        (('"Say that', '"Tell that'), "finish"),
        (('{"type": "object"}', '{"type":"object","x":1}'), "finish"),
    ],
)
def test_a_change_breaks_every_prefix_from_its_element_on(
    manifest: Manifest, change: tuple[str, str], first: str
) -> None:
    assert change[0] in SPEC
    changed = manifest_of(SPEC.replace(*change))
    touched = False
    for old, new in zip(manifest.variants.listed, changed.variants.listed, strict=True):
        differs = [a.element for a, b in zip(old.prefix, new.prefix, strict=True) if a.digest != b.digest]
        names = [b.element for b in old.prefix]
        if differs:
            touched = True
            assert differs == names[names.index(first) :]
    assert touched
    assert changed.digest != manifest.digest


def test_an_edit_in_a_branch_leaves_the_other_variants_alone(manifest: Manifest) -> None:
    changed = manifest_of(SPEC.replace("- ask\n", "- ask more\n"))
    condition = next(i for i, f in enumerate(manifest.forks) if f.element == "rules" and f.inside)
    for old, new in zip(manifest.variants.listed, changed.variants.listed, strict=True):
        same = [b.digest for b in old.prefix] == [b.digest for b in new.prefix]
        assert same is (old.holds[condition] is not True)


def test_the_order_of_the_parts_of_a_digest_is_told_apart() -> None:
    manifest = manifest_of(SPEC)
    elements = [e for e in manifest.elements if e.lane == "system"]
    one = prefix_digests(elements, manifest.seams)
    other = prefix_digests([elements[1], elements[0], elements[2]], manifest.seams)
    assert one[-1] != other[-1]


def test_many_variants_are_told_by_the_forks_alone() -> None:
    inputs = "".join(f"input g{i} : bool @static\n" for i in range(7))
    sections = "".join(f'section s{i} @static when g{i} "Part {i}." ' for i in range(7))
    manifest = manifest_of(
        f"language 1\nscope global holds static\n{inputs}"
        f'prompt p {{ target anthropic model "m" max_tokens 8 system {{ cache global {{ {sections} }} }} }}\n'
    )
    assert manifest.variants.total == 128
    assert manifest.variants.listed == ()
    assert [f.after for f in manifest.forks] == [2, 4, 8, 16, 32, 64, 128]


def test_a_local_is_never_taken_for_the_input_that_it_hides() -> None:
    manifest = manifest_of(
        "language 1\nscope session holds session\ninput names : list[text] @session\ninput flag : bool @session\n"
        'prompt p { target anthropic model "m" max_tokens 8 system { cache session { section a @session """\n'
        "  {% if flag %}\n  on\n  {% endif %}\n"
        "  {% for flag in names %}\n  {% if flag %}\n  - {{ flag }}\n  {% endif %}\n  {% endfor %}\n"
        '  end\n  """ } } }\n'
    )
    on, off = manifest.variants.listed
    assert on.prefix[-1].digest != off.prefix[-1].digest
    assert "$flag" in manifest_text(manifest)


def test_manifest_of_the_coding_agent_is_deterministic_json() -> None:
    compilation = compile_spec("coding_agent/agent.promptc")
    name = "coding_agent"
    arguments = (compilation.facts, compilation.plans[name], compilation.programs[name], compilation.sources)
    text = manifest_text(build_manifest(*arguments))
    assert text == manifest_text(build_manifest(*arguments))
    plain = json.loads(text)
    assert plain["variants"]["total"] == compilation.plans[name].variants
    assert {e["name"] for e in plain["elements"]} >= {"identity", "environment", "connected"}
