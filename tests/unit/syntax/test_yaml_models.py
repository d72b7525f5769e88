"""The published schema and the reader agree on what a module may look like."""

import copy
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from promptc.diagnostics.model import Severity
from promptc.diagnostics.sink import Sink, severity_of
from promptc.source import Source
from promptc.syntax.canonical import KIND_ORDER, LANE_ORDER
from promptc.syntax.yaml_models import Surface, surface_schema
from promptc.syntax.yaml_nodes import YamlMapping, YamlNode, YamlScalar, compose
from promptc.syntax.yaml_prompt_models import keys_of
from promptc.syntax.yaml_reader import parse_yaml_module
from promptc.syntax.yaml_values import core_value

MODULE = Path(__file__).parents[2] / "golden" / "yaml" / "library_desk" / "module.promptc.yaml"

# Findings about what texts say, which a schema cannot see, and about keys that go together.
BEYOND_SHAPE = {"PC100", "PC111", "PC116", "PC118", "PC160", "PC162", "PC165"}


def _data(node: YamlNode) -> Any:
    if isinstance(node, YamlScalar):
        return core_value(node)
    if isinstance(node, YamlMapping):
        return {key.value: _data(value) for key, value in node.pairs}
    return [_data(item) for item in node.items]


def _module() -> dict[str, Any]:
    root, _ = compose(Source("a", MODULE.read_text(encoding="utf-8")), Sink())
    assert root is not None
    data: dict[str, Any] = _data(root)
    return data


def _yaml(value: Any) -> str:
    """Data as flow YAML with every text quoted."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{_yaml(key)}: {_yaml(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(_yaml(item) for item in value) + "]"
    if isinstance(value, str):
        escaped = value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
        return f'"{escaped}"'
    if value is None:
        return "null"
    return str(value).lower() if isinstance(value, bool) else str(value)


def _places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    yield path
    children = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in children:
        yield from _places(item, (*path, key))


def _put(data: Any, path: tuple[Any, ...], value: Any) -> Any:
    if not path:
        return value
    changed = copy.deepcopy(data)
    parent = changed
    for key in path[:-1]:
        parent = parent[key]
    parent[path[-1]] = value
    return changed


def _without(data: Any, path: tuple[Any, ...]) -> Any:
    changed = copy.deepcopy(data)
    parent = changed
    for key in path[:-1]:
        parent = parent[key]
    del parent[path[-1]]
    return changed


def _reader_accepts(data: Any) -> tuple[bool, list[str]]:
    sink = Sink()
    parse_yaml_module(Source("a.promptc.yaml", _yaml(data) + "\n"), sink)
    errors = [d for d in sink.sorted() if severity_of(d) is Severity.ERROR and d.code not in BEYOND_SHAPE]
    return not errors, [f"{d.code} {d.message}" for d in errors]


def _models_accept(data: Any) -> tuple[bool, str]:
    try:
        Surface.model_validate(data)
    except ValidationError as error:
        return False, str(error)
    return True, ""


def test_models_and_reader_accept_the_whole_language() -> None:
    assert _reader_accepts(_module()) == (True, [])
    assert _models_accept(_module()) == (True, "")


@pytest.mark.parametrize("wrong", [None, 7, "a text", {"no_such_key": 1}])
def test_models_and_reader_refuse_the_same_values(wrong: Any) -> None:
    module = _module()
    for path in _places(module):
        if not path and wrong is None:
            continue  # an empty file is an empty module
        changed = _put(module, path, wrong)
        reader, models = _reader_accepts(changed), _models_accept(changed)
        assert reader[0] == models[0], (path, wrong, reader[1], models[1])


def test_models_and_reader_miss_the_same_keys() -> None:
    module = _module()
    for path in _places(module):
        if path:
            changed = _without(module, path)
            reader, models = _reader_accepts(changed), _models_accept(changed)
            assert reader[0] == models[0], (path, reader[1], models[1])


def _objects(schema: Any) -> Iterator[dict[str, Any]]:
    if isinstance(schema, dict):
        if schema.get("type") == "object":
            yield schema
        for value in schema.values():
            yield from _objects(value)
    elif isinstance(schema, list):
        for value in schema:
            yield from _objects(value)


def test_the_schema_is_closed_and_describes_every_key() -> None:
    for shape in _objects(surface_schema()):
        assert "additionalProperties" in shape
        assert shape["additionalProperties"] is False or "properties" not in shape
        for name, value in shape.get("properties", {}).items():
            assert "description" in value, name


def test_the_order_of_kinds_is_that_of_the_keys() -> None:
    assert len(keys_of(Surface)) == len(KIND_ORDER)
    words = [kind.__name__.lower().removesuffix("decl") for kind in KIND_ORDER]
    for key, word in zip(keys_of(Surface), words, strict=True):
        assert key.startswith(word[:5]), (key, word)
    assert set(LANE_ORDER) < set(surface_schema()["$defs"]["Prompt"]["properties"])
