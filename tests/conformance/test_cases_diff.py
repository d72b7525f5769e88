"""The published answers of the diff and control cases: relation, pointers, classes, breakpoints, reads."""

from pathlib import Path
from typing import Any

import pytest
import yaml

from promptc.compare.diff import compare_streams
from promptc.providers.registry import resolve
from promptc.streams.json_value import member
from promptc.streams.model import PrefixStream
from promptc.streams.read import read_stream
from promptc.streams.result import Comparison
from promptc.streams.rules import CacheRules, cache_rules
from support.shared import shared_folder

CASES = shared_folder("cases")
FOLDERS = sorted(path for path in CASES.glob("0*") if path.is_dir()) if CASES else []
if not FOLDERS:
    pytest.skip("the shared cases are not at hand (PROMPTC_SHARED)", allow_module_level=True)


def _case(folder: Path) -> dict[str, Any]:
    loaded = yaml.safe_load((folder / "case.yaml").read_text("utf-8"))
    assert isinstance(loaded, dict)
    return loaded


def _stream(folder: Path, name: str, case: dict[str, Any]) -> PrefixStream:
    stream, found = read_stream((folder / name).read_bytes(), name, case["provider"], tuple(case["prefix_order"]))
    assert found == ()
    assert stream is not None
    return stream


def _rules(stream: PrefixStream, case: dict[str, Any]) -> CacheRules:
    model = member(stream.attributes, "model")
    name = model if isinstance(model, str) else None
    return cache_rules(resolve(case["provider"], name), name)


def _compare(folder: Path) -> tuple[dict[str, Any], Comparison]:
    case = _case(folder)
    a, b = _stream(folder, "a.json", case), _stream(folder, "b.json", case)
    return case, compare_streams(a, b, _rules(a, case))


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda path: path.name)
def test_case_gives_the_published_answer(folder: Path) -> None:
    case, result = _compare(folder)
    expect = case["expect"]
    first = result.findings[0] if result.findings else None
    assert result.relation == expect["relation"]
    assert result.common_prefix_through == expect["common_prefix_through"]
    assert list(result.params_changed) == expect["params_changed"]
    assert list(result.breakpoints_surviving) == expect["breakpoints_surviving"]
    assert list(result.breakpoints_lost) == expect["breakpoints_lost"]
    assert result.cache_read_through == expect["cache_read_through"]
    assert (first.change_class if first else None) == expect["change_class"]
    assert (first.text_class if first else None) == expect["text_class"]
    wanted = expect["first_divergence"]
    assert (first is None) == (wanted is None)
    if first is None or wanted is None:
        return
    assert (first.pointer_a, first.pointer_b) == (wanted["pointer_a"], wanted["pointer_b"])
    for rest, start in ((first.rest_a, wanted["rest_a_starts_with"]), (first.rest_b, wanted["rest_b_starts_with"])):
        if start is not None:
            assert rest is not None
            assert rest.startswith(start)
            # An empty start means that nothing follows; any text would start with it.
            assert start != "" or rest == ""


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda path: path.name)
def test_case_gives_the_published_offsets_and_counts(folder: Path) -> None:
    facts = yaml.safe_load((folder / "facts.json").read_text("utf-8"))
    _, result = _compare(folder)
    assert (result.a.elements, result.b.elements) == (facts["elements_a"], facts["elements_b"])
    if "char_offset" in facts:
        assert result.findings[0].char_offset == facts["char_offset"]
        assert result.findings[0].byte_offset == facts["utf8_offset"]


@pytest.mark.parametrize("folder", [path for path in FOLDERS if "-control-" in path.name], ids=lambda path: path.name)
def test_control_gives_no_finding_and_no_break(folder: Path) -> None:
    case, result = _compare(folder)
    assert case["mode"] == "control"
    assert result.findings == ()
    assert result.verdict == "same"


def test_all_cases_are_at_hand() -> None:
    assert len(FOLDERS) == 39
    assert sum(_case(folder)["mode"] == "control" for folder in FOLDERS) == 5
