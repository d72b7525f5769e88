"""Codes that commands say about themselves: about outputs, input data, and a fault of promptc."""

from collections.abc import Callable
from pathlib import Path

import pytest

from promptc.cli import app, exits

_SPEC = """language 1

input who : text @session

prompt helper {
  target anthropic

  system {
    uncached {
      section user @session "The user is {{ who }}."
    }
  }
}

sample first for helper { who = "Ada" }
"""

Run = Callable[..., tuple[int, str]]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Run a command in a project that holds one spec; exit code and everything it said on stderr."""
    (tmp_path / "promptc.toml").write_text("")
    (tmp_path / "helper.promptc").write_text(_SPEC)
    monkeypatch.chdir(tmp_path)

    def command(*arguments: str) -> tuple[int, str]:
        monkeypatch.setattr("sys.argv", ["promptc", *arguments])
        with pytest.raises(SystemExit) as end:
            app.main()
        code = end.value.code
        return (code if isinstance(code, int) else 0), capsys.readouterr().err

    return command


def test_an_output_that_cannot_be_written_is_pc008_and_changes_nothing(run: Run, tmp_path: Path) -> None:
    (tmp_path / "gen").write_text("a file where the folder should be")
    code, said = run("build")
    assert code == exits.USAGE and "[PC008]" in said and "nothing was changed" in said
    assert (tmp_path / "gen").read_text() == "a file where the folder should be"


def test_files_that_differ_from_their_sources_are_pc009(run: Run, tmp_path: Path) -> None:
    assert run("build")[0] == exits.CLEAN
    code, said = run("build", "--check")
    assert code == exits.CLEAN and "PC009" not in said
    (tmp_path / "helper.promptc").write_text(_SPEC.replace("The user", "Our user"))
    code, said = run("build", "--check")
    assert code == exits.FINDINGS and "[PC009]" in said and "helper.py" in said


@pytest.mark.parametrize("data", ["{", "[1]", '"text"', "[" * 100_000])
def test_input_data_that_is_no_object_is_pc012(run: Run, tmp_path: Path, data: str) -> None:
    (tmp_path / "inputs.json").write_text(data)
    code, said = run("render", "helper.promptc", "--inputs", "inputs.json")
    assert code == exits.USAGE and "[PC012]" in said and "Traceback" not in said


def test_a_fault_of_promptc_is_pc901_and_says_so(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(names: object) -> None:
        raise ZeroDivisionError("boom")

    monkeypatch.setattr(app, "make_app", fail)
    code, said = run("check")
    assert code == exits.BUG and said.startswith("error[PC901]: this is a bug in promptc") and "boom" in said


def test_two_prompts_that_would_write_the_same_files_are_pc903(run: Run, tmp_path: Path) -> None:
    (tmp_path / "other.promptc").write_text(_SPEC)
    code, said = run("build")
    assert code == exits.FINDINGS and "PC903" in said and not (tmp_path / "gen").exists()


def test_a_sample_that_takes_too_long_to_render_is_pc324(run: Run, tmp_path: Path) -> None:
    numbers = ", ".join(f'"{n}"' for n in range(5_000))
    body = "{% for a in rows %}{% for b in rows %}{{ a }}{{ b }}{% endfor %}{% endfor %}"
    spec = _SPEC.replace("The user is {{ who }}.", "The user is {{ who }}." + body)
    spec = spec.replace("\nprompt", "input rows : list[text] @session\n\nprompt").replace(
        '"Ada"', f'"Ada"  rows = [{numbers}]'
    )
    (tmp_path / "helper.promptc").write_text(spec)
    code, said = run("build")
    assert code == exits.FINDINGS and "PC324" in said
