"""Broken and repaired request bodies from public fault reports: the broken one gives its finding, the repaired none."""

import json
import os
from datetime import date
from pathlib import Path
from typing import Any

import pytest
import yaml

from promptc.diagnostics.model import Diagnostic, Severity
from promptc.diagnostics.registry import lookup
from promptc.diagnostics.sink import severity_of
from promptc.providers.checks.run import check_request
from promptc.providers.model import Provider
from promptc.providers.overrides import load_overrides
from promptc.providers.registry import resolve

_CHECKOUT = Path(__file__).resolve().parents[2]
_CASES = Path(os.environ.get("PROMPTC_SHARED", _CHECKOUT.parent / "shared")) / "cases"


def _lint_cases() -> list[Path]:
    if not _CASES.is_dir():
        return []
    return [path for path in sorted(_CASES.iterdir()) if path.is_dir() and path.name.startswith("1")]


def _case(folder: Path) -> dict[str, Any]:
    loaded: dict[str, Any] = yaml.safe_load((folder / "case.yaml").read_text(encoding="utf-8"))
    return loaded


def _check(folder: Path, name: str, provider: str) -> tuple[Diagnostic, ...]:
    raw = (folder / name).read_bytes()
    body = json.loads(raw)
    return check_request(body, resolve(provider, body.get("model")), raw)


@pytest.mark.skipif(not _CASES.is_dir(), reason="the shared cases are not at hand; set PROMPTC_SHARED")
def test_all_lint_cases_are_at_hand() -> None:
    assert len(_lint_cases()) == 19
    assert all(_case(folder)["mode"] == "lint" for folder in _lint_cases())


@pytest.mark.parametrize("folder", _lint_cases(), ids=lambda path: path.name)
def test_broken_body_gives_exactly_the_expected_finding(folder: Path) -> None:
    case = _case(folder)
    expect = case["expect"]
    found = _check(folder, "a.json", case["provider"])
    assert [d.pointer for d in found if lookup(d.code).slug == expect["rule"]] == expect["a_findings"]
    assert {severity_of(d).value for d in found if lookup(d.code).slug == expect["rule"]} == {expect["severity"]}
    assert [d for d in found if severity_of(d) is Severity.ERROR and lookup(d.code).slug != expect["rule"]] == []


@pytest.mark.parametrize("folder", _lint_cases(), ids=lambda path: path.name)
def test_repaired_body_gives_no_such_finding_and_no_error(folder: Path) -> None:
    case = _case(folder)
    expect = case["expect"]
    found = _check(folder, "b.json", case["provider"])
    assert [d.pointer for d in found if lookup(d.code).slug == expect["rule"]] == expect["b_findings"]
    assert [d for d in found if severity_of(d) is Severity.ERROR] == []


def test_a_project_can_say_that_its_template_refuses_system_turns() -> None:
    registry = load_overrides(
        {"ours": {"extends": "openai-chat", "system_role": {"in_messages": "leading"}}}, date(2026, 1, 1)
    )
    ours: Provider = registry.provider("ours")
    turns = [("system", "s"), ("user", "u"), ("assistant", "a"), ("system", "more"), ("user", "v")]
    body = {"model": "any", "messages": [{"role": role, "content": text} for role, text in turns]}
    assert [(d.code, d.pointer) for d in check_request(body, ours)] == [("PC671", "/messages/3")]
    assert check_request(body, resolve("openai-chat", "gpt-5")) == ()
