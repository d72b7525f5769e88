"""Schema, vectors, verification, and inputs from plain JSON."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from promptc.emit.inputs import read_inputs
from promptc.emit.python import emit_python
from promptc.emit.schema import input_schema
from promptc.emit.target import emit, locator
from promptc.emit.vectors import Sample, vectors
from promptc.emit.verify import verify_module
from promptc.source import Source, SourceSet, Span
from support.ir_programs import AGENT, AGENT_INPUTS

GOLDEN = Path(__file__).parents[2] / "golden" / "emit"
HELLO: dict[str, object] = {"role": "user", "content": "hello – 😀"}
SAMPLE = Sample("default", AGENT_INPUTS, ([HELLO], [HELLO, {"role": "assistant", "content": "hi"}, HELLO]))


@pytest.mark.parametrize(
    ("name", "produce"),
    [("agent.schema.json", lambda: input_schema(AGENT)), ("agent.vectors.json", lambda: vectors(AGENT, (SAMPLE,)))],
)
def test_files_are_the_golden_ones(name: str, produce: Any, update: bool) -> None:
    produced = produce()
    if update:
        (GOLDEN / name).write_bytes(produced)

    assert produced == (GOLDEN / name).read_bytes()


def test_a_schema_requires_what_has_no_default() -> None:
    schema = json.loads(input_schema(AGENT))

    assert schema["required"] == ["mode", "tools", "cwd", "plan_mode"]
    assert schema["$defs"]["@turn"]["required"] == ["plan_mode"]
    assert schema["properties"]["git_status"] == {"type": ["string", "null"]}


@pytest.fixture
def built(tmp_path: Path) -> tuple[Path, Path]:
    module, recorded = tmp_path / "agent.py", tmp_path / "agent.vectors.json"
    module.write_bytes(emit_python(AGENT, lambda span: (1, 1), standalone=True).data)
    recorded.write_bytes(vectors(AGENT, (SAMPLE,)))
    return module, recorded


def test_an_assembler_agrees_with_its_vectors(built: tuple[Path, Path]) -> None:
    assert verify_module(*built) == ()


def test_a_changed_text_is_found(built: tuple[Path, Path]) -> None:
    module, recorded = built
    module.write_bytes(module.read_bytes().replace(b"Be brief.", b"Be brisk."))

    found = verify_module(module, recorded)

    assert [diagnostic.code for diagnostic in found] == ["PC920", "PC920"]
    assert found[0].message == "request 1 of sample `default`: `agent.py` gives another content"


def test_an_assembler_that_cannot_run_is_reported(built: tuple[Path, Path]) -> None:
    module, recorded = built
    module.write_text("raise ValueError('no')")

    (found,) = verify_module(module, recorded)

    assert (found.code, found.notes) == ("PC921", ("ValueError: no",))


def test_an_assembler_that_refuses_a_sample_is_reported(built: tuple[Path, Path]) -> None:
    module, recorded = built
    changed = json.loads(recorded.read_bytes())
    changed["samples"][0]["inputs"]["cwd"] = 1
    recorded.write_text(json.dumps(changed))

    (found,) = verify_module(module, recorded)

    assert found.notes[1] == "found: InputError: cwd: expected a text"


@pytest.mark.slow
def test_an_assembler_that_never_ends_is_stopped(built: tuple[Path, Path]) -> None:
    module, recorded = built
    module.write_text("while True: pass")

    (found,) = verify_module(module, recorded, timeout=1)

    assert found.code == "PC921"


def test_inputs_are_read_with_one_report_for_each_that_does_not_fit() -> None:
    data = {**AGENT_INPUTS, "mode": "gui", "tools": [{"name": 1}], "colour": 1}
    del data["cwd"]

    inputs, found = read_inputs(AGENT, data)

    assert sorted(inputs) == ["git_status", "note", "plan_mode"]
    assert [(one.code, one.pointer, one.message) for one in found] == [
        ("PC911", "/colour", "`colour` is not an input of this prompt"),
        ("PC913", "/mode", "the input `mode` must be one of `tty`, `pipe`"),
        ("PC913", "/tools/0/name", "the input `tools[0].name` is not usable: expected a text"),
        ("PC912", "/cwd", "the input `cwd` is missing"),
    ]


def test_a_member_that_a_record_does_not_declare_is_reported_at_its_record() -> None:
    tool = {**AGENT_INPUTS["tools"][0], "nmae": "x"}

    _, found = read_inputs(AGENT, {**AGENT_INPUTS, "tools": [tool], "a[0].b/c": 1})

    assert [(one.code, one.pointer) for one in found] == [("PC911", "/a[0].b~1c"), ("PC913", "/tools/0")]
    assert "`nmae`" in found[1].message


def test_inputs_that_are_no_object_are_reported_once() -> None:
    assert [one.code for one in read_inputs(AGENT, [])[1]] == ["PC910"]


def test_a_format_that_a_target_cannot_write_is_a_diagnostic() -> None:
    artifact, found = emit("python", replace(AGENT, wire="smoke-signals"), SourceSet())

    assert artifact is None
    assert [one.code for one in found] == ["PC902"]


def test_places_are_baked_in_from_the_sources() -> None:
    sources = SourceSet()
    sources.add(Source("a", "one\ntwo"))

    assert locator(sources)(Span("a", 5, 6)) == (2, 2)
    assert locator(sources)(Span("b", 5, 6)) == (1, 1)


def test_a_program_that_is_not_well_formed_is_an_internal_error() -> None:
    artifact, found = emit("python", replace(AGENT, inputs=()), SourceSet())

    assert artifact is None
    assert [one.code for one in found] == ["PC901"]


def test_a_file_name_cannot_put_code_into_an_assembler() -> None:
    hostile = Span("a\nraise SystemExit\n#", 0, 1)
    section = replace(AGENT.system[0].sections[0], span=hostile)
    blocks = (replace(AGENT.system[0], sections=(section,)), *AGENT.system[1:])
    artifact, _ = emit("python", replace(AGENT, system=blocks), SourceSet())

    assert artifact is not None
    assert b"\nraise SystemExit" not in artifact.data
