"""The shipped specs through the command line, in a copy: exit codes and what a person reads."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from support.specs import SPECS

ENVIRONMENT = "      include environment when in_place\n"
IDENTITY = "      include identity when preset\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A copy of all specs as a project of its own."""
    shutil.copytree(SPECS, tmp_path / "specs")
    (tmp_path / "promptc.toml").write_text('specs = ["specs"]\n', encoding="utf-8")
    return tmp_path


def run(*arguments: object) -> tuple[int, str]:
    """Exit code and everything printed."""
    command = [sys.executable, "-m", "promptc", *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", timeout=120, check=False)
    return done.returncode, done.stdout + done.stderr


def edit(path: Path, *edits: tuple[str, str]) -> None:
    """Replace the first occurrence of each old text in a file."""
    text = path.read_text(encoding="utf-8")
    for old, new in edits:
        assert old in text
        text = text.replace(old, new, 1)
    path.write_text(text, encoding="utf-8")


def test_the_shipped_specs_are_clean(folder: Path) -> None:
    """The hazards are a project of their own, and not met here."""
    code, output = run("check", folder / "specs")
    assert code == 0
    assert "error" not in output and "warning" not in output and "hint" not in output


def test_a_misplaced_environment_fails_the_check(folder: Path) -> None:
    """One finding, which names both sections, the stranded tokens and the repair."""
    edit(folder / "specs/coding_agent/agent.promptc", (ENVIRONMENT, ""), (IDENTITY, ENVIRONMENT + IDENTITY))
    code, output = run("check", folder / "specs/coding_agent")
    assert code == 1
    assert output.count("error[") == 1
    assert "error[PC401]" in output
    for part in ("`environment`", "`identity`", "tokens of literal text", "move `environment` behind"):
        assert part in output


def test_every_hazard_fails_and_every_repair_passes(folder: Path) -> None:
    assert run("check", folder / "specs/hazards")[0] == 1
    assert run("check", folder / "specs/hazards/repaired")[0] == 0
