"""What `promptc check` says of a spec whose prefixes are too short to be cached."""

import json
from pathlib import Path
from typing import Any

from support.checkout import promptc

_WORDS = "Weigh the flour and write it down. "


def _spec(text: str, model: str = 'model "claude-opus-4-7"', target: str = "anthropic") -> str:
    return f"""language 1
scope shared holds static
scope own holds session
input name : text @session
prompt baker {{
  target {target}
  {model}
  system {{
    cache shared {{ section rules @static "{text}" }}
    cache own {{ section who @session "The baker is {{{{ name }}}}." }}
  }}
}}
"""


def _check(folder: Path, text: str, *options: str) -> list[dict[str, Any]]:
    (folder / "baker.promptc").write_text(text)
    done = promptc(["check", "baker.promptc", "--format", "json", *options], folder)
    assert done.code == 0, done.stdout
    found: list[dict[str, Any]] = json.loads(done.stdout)["diagnostics"]
    return found


def test_a_literal_prefix_below_the_minimum_is_a_hint_at_its_marker(tmp_path: Path) -> None:
    spec = _spec(_WORDS)
    (found,) = _check(tmp_path, spec)
    assert (found["code"], found["severity"]) == ("PC615", "hint")
    assert "`claude-opus-4-7` caches from 2,048 on" in found["message"]
    shown = promptc(["check", "baker.promptc", "--format", "concise"], tmp_path).stdout.decode()
    assert shown.startswith("baker.promptc:9:11: ")
    assert _check(tmp_path, spec, "--no-sizes") == []


def test_a_prefix_that_one_platform_caches_and_another_does_not(tmp_path: Path) -> None:
    (found,) = _check(tmp_path, _spec(_WORDS * 300))
    assert found["code"] == "PC616"
    assert "Amazon Bedrock" in found["message"] and "4,096" in found["message"]
    assert _check(tmp_path, _spec(_WORDS * 700)) == []


def test_without_a_model_only_what_no_model_caches_is_said(tmp_path: Path) -> None:
    assert [d["code"] for d in _check(tmp_path, _spec(_WORDS, ""))] == ["PC615"]
    assert _check(tmp_path, _spec(_WORDS * 80, "")) == []


def test_inserted_values_may_fill_a_prefix(tmp_path: Path) -> None:
    spec = _spec("{{ name }}").replace("input name : text @session", "input name : text @static")
    assert [d["code"] for d in _check(tmp_path, spec) if d["code"] in ("PC615", "PC616")] == []


def test_sizes_that_the_traffic_tells_may_fill_a_prefix(tmp_path: Path) -> None:
    traffic = (
        "traffic { sessions 60 per hour turns 5 per session gaps 100% within 5m blocks 100% within 3 per turn "
        "tokens 900 per turn tokens 9000 in rules }\n"
    )
    head, _, body = _spec(_WORDS).partition("prompt baker {")
    body = body.replace("cache shared { ", "").replace("cache own { ", "").replace('" }', '"')
    spec = f"{head}{traffic}prompt baker {{\n  cache auto{body}"
    assert [d["code"] for d in _check(tmp_path, spec) if d["code"] in ("PC615", "PC616")] == []
