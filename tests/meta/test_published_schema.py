"""The published JSON Schema: in step with the models, true to every spec in YAML, and against faulty ones."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from promptc.cli import app, exits
from promptc.diagnostics.sink import Sink
from promptc.pipeline import parse_source
from promptc.source import Source
from promptc.syntax.yaml_models import SCHEMA_ID, surface_schema_text
from promptc.syntax.yaml_nodes import YamlMapping, YamlNode, YamlScalar, compose
from promptc.syntax.yaml_values import core_value
from promptc.syntax.yaml_writer import write_yaml

REPOSITORY = Path(__file__).parents[2]
PUBLISHED = REPOSITORY / "editors" / "schema" / "promptc.schema.json"
FOLDERS = ("specs", "tests/conformance/accept", "tests/golden")


def _specs(ending: str) -> list[Path]:
    return sorted(path for folder in FOLDERS for path in (REPOSITORY / folder).rglob(f"*{ending}"))


def _data(node: YamlNode) -> Any:
    if isinstance(node, YamlScalar):
        return core_value(node)
    if isinstance(node, YamlMapping):
        return {key.value: _data(value) for key, value in node.pairs}
    return [_data(item) for item in node.items]


def _read(text: str) -> Any:
    root, _ = compose(Source("a.promptc.yaml", text), Sink())
    assert root is not None
    return _data(root)


def _faults(text: str) -> list[str]:
    validator = Draft202012Validator(json.loads(PUBLISHED.read_text(encoding="utf-8")))
    return sorted(fault.json_path for fault in validator.iter_errors(_read(text)))


def test_the_published_file_is_what_the_models_say() -> None:
    assert PUBLISHED.read_text(encoding="utf-8") == surface_schema_text(), (
        "run `promptc convert --schema -o editors/schema/promptc.schema.json`"
    )


def test_the_schema_is_one_and_names_no_host() -> None:
    schema = json.loads(surface_schema_text())
    Draft202012Validator.check_schema(schema)
    assert schema["$id"] == SCHEMA_ID
    assert "://" not in json.dumps({**schema, "$schema": ""})


def _objects(schema: Any) -> Iterator[dict[str, Any]]:
    if isinstance(schema, dict):
        if "properties" in schema:
            yield schema
        for value in schema.values():
            yield from _objects(value)
    elif isinstance(schema, list):
        for value in schema:
            yield from _objects(value)


def test_every_key_is_described_and_no_other_is_taken() -> None:
    shapes = list(_objects(json.loads(PUBLISHED.read_text(encoding="utf-8"))))
    assert len(shapes) > 30
    for shape in shapes:
        assert shape["additionalProperties"] is False
        for name, value in shape["properties"].items():
            assert value["description"].endswith("."), name


@pytest.mark.parametrize("path", _specs(".promptc.yaml"), ids=lambda path: path.name)
def test_every_spec_in_yaml_is_accepted(path: Path) -> None:
    assert _faults(path.read_text(encoding="utf-8")) == []


def test_every_spec_in_the_dsl_is_accepted_as_yaml() -> None:
    seen = 0
    for path in _specs(".promptc"):
        source = Source(path.name, path.read_text(encoding="utf-8"))
        module = parse_source(source, Sink())
        if not module.broken:
            seen += 1
            assert _faults(write_yaml(module, source)) == [], path
    assert seen > 40


@pytest.mark.parametrize(
    ("text", "at"),
    [
        ("inputz: {}", "$"),
        ("language: one", "$.language"),
        ("scopes: {everyone: {ttl: 5m}}", "$.scopes.everyone"),
        ("scopes: {everyone: {holds: static, ttl: 5 minutes}}", "$.scopes.everyone.ttl"),
        ("scopes: {everyone: {holds: static, lasts: 5m}}", "$.scopes.everyone"),
        ("inputs: {name: text}", "$.inputs.name"),
        ("inputs: {name: {class: user}}", "$.inputs.name"),
        ("inputs: {name: {type: text, class: user, max: 80}}", "$.inputs.name.max"),
        ("inputs: {name: {type: text, untrusted: 'yes'}}", "$.inputs.name.untrusted"),
        ("gates: {late: [evening]}", "$.gates.late"),
        ("require: [{that: evening}]", "$.require[0]"),
        ("sections: {role: {class: static, deliver: sometimes}}", "$.sections.role.deliver"),
        ("prompts: {desk: {system: [{section: role, klass: static}]}}", "$.prompts.desk.system[0]"),
        ("prompts: {desk: {system: [{group: mine, from: tools}]}}", "$.prompts.desk.system[0]"),
        ("prompts: {desk: {conversation: [{cache: first}]}}", "$.prompts.desk.conversation[0]"),
        ("prompts: {desk: {edits: [{replace: role}]}}", "$.prompts.desk.edits[0]"),
        ("samples: [{for: desk}]", "$.samples[0]"),
        ("limits: [{variants: everyone}]", "$.limits[0]"),
        ("traffic: {sessions: [{count: 3, per: month}]}", "$.traffic.sessions[0].per"),
    ],
)
def test_a_faulty_spec_is_refused_where_its_fault_is(text: str, at: str) -> None:
    assert at in _faults(text)
    sink = Sink()
    assert parse_source(Source("a.promptc.yaml", text + "\n"), sink).broken or sink.sorted()


def _run(*arguments: str, monkeypatch: pytest.MonkeyPatch) -> int:
    monkeypatch.setattr("sys.argv", ["promptc", "convert", *arguments])
    with pytest.raises(SystemExit) as end:
        app.main()
    return end.value.code if isinstance(end.value.code, int) else 0


def test_convert_prints_the_schema(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    assert _run("--schema", monkeypatch=monkeypatch) == exits.CLEAN
    assert capsys.readouterr().out == surface_schema_text()


@pytest.mark.parametrize("arguments", [(), ("--schema", "a.promptc"), ("--schema", "--to", "yaml")])
def test_convert_asks_for_a_spec_or_for_the_schema(
    arguments: tuple[str, ...], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert _run(*arguments, monkeypatch=monkeypatch) == exits.USAGE
    assert "--schema" in capsys.readouterr().err
