"""The prompt of many targets from the command line: every command takes any of them."""

import json
import shutil
from pathlib import Path

import pytest

from support.checkout import ROOT, promptc
from support.many_targets import PROMPTS, prompt

SPEC = "specs/many_targets"


def test_every_target_is_built_and_what_was_built_is_verified(tmp_path: Path) -> None:
    built = promptc(["build", SPEC, "--out", str(tmp_path)], ROOT)
    one = tmp_path / "one"
    one.mkdir()
    for path in tmp_path.glob("desk_gemini.*"):
        shutil.copy(path, one)
    checked = promptc(["verify", str(one)], ROOT)
    compared = promptc(["breaking", SPEC, "--against", str(tmp_path)], ROOT)

    assert (built.code, checked.code, compared.code) == (0, 0, 0)
    assert len(list(tmp_path.glob("*.py"))) == 11


@pytest.mark.parametrize(
    ("name", "said"), [("desk_chat", "no cache markers"), ("desk_converse", "cache markers behind")]
)
def test_a_listing_says_whether_markers_are_written(name: str, said: str) -> None:
    assert said in promptc(["ls", SPEC, "--prompt", name], ROOT).stdout.decode()


def test_what_is_rendered_is_clean_when_it_is_checked(tmp_path: Path) -> None:
    rendered = promptc(["render", SPEC, "--prompt", "desk_converse"], ROOT)
    (tmp_path / "request.json").write_text(rendered.stdout.decode(), encoding="utf-8")
    checked = promptc(["check", "request.json", "--target", "bedrock-claude", "--no-sizes"], tmp_path)

    assert json.loads(rendered.stdout.decode())
    assert (checked.code, checked.stdout) == (0, b"")


def test_a_preview_shows_every_byte_of_another_wire() -> None:
    done = promptc(["preview", SPEC, "--prompt", "desk_responses_marked"], ROOT)
    assert "cache marker" in done.stdout.decode()
    assert "Be brief and kind." in done.stdout.decode()


def test_a_day_is_played_through_a_cache_without_markers() -> None:
    done = promptc(["simulate", SPEC, "--prompt", "desk_chat", "--turns", "2"], ROOT)
    assert done.code == 0


def test_one_prompt_is_the_same_sections_in_the_same_order_everywhere() -> None:
    orders = {tuple(s.name for b in prompt(name).program.system for s in b.sections) for name in PROMPTS}
    assert orders == {("role", "manner", "house")}
