"""`promptc init` writes a project that every other command takes as it is, in either surface."""

import json
from pathlib import Path

import pytest

from promptc.cli import app, exits


def run(*arguments: str, monkeypatch: pytest.MonkeyPatch) -> int:
    monkeypatch.setattr("sys.argv", ["promptc", *arguments])
    with pytest.raises(SystemExit) as end:
        app.main()
    return end.value.code if isinstance(end.value.code, int) else 0


@pytest.fixture(params=["dsl", "yaml"])
def project(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that `init` has written to, which is also the working directory."""
    monkeypatch.chdir(tmp_path)
    assert run("init", *(["--yaml"] if request.param == "yaml" else []), monkeypatch=monkeypatch) == exits.CLEAN
    return tmp_path


def test_a_new_project_is_clean_formatted_and_can_be_built(
    project: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    # A project that has just begun is shorter than any provider caches.
    for command in (
        ["check", "--no-sizes"],
        ["fmt", "--check"],
        ["build"],
        ["build", "--check"],
        ["verify"],
        ["render"],
        ["ls"],
    ):
        assert run(*command, monkeypatch=monkeypatch) == exits.CLEAN, capsys.readouterr().err
    assert (project / "gen" / "assistant.py").exists()
    out, err = capsys.readouterr()
    assert "warning" not in err and "hint" not in err and "warning" not in out


def test_both_surfaces_begin_with_the_same_prompt(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    prefixes = []
    for name, options in (("dsl", []), ("yaml", ["--yaml"])):
        folder = tmp_path / name
        folder.mkdir()
        monkeypatch.chdir(folder)
        assert run("init", *options, monkeypatch=monkeypatch) == exits.CLEAN
        capsys.readouterr()
        assert run("render", "--pretty", monkeypatch=monkeypatch) == exits.CLEAN
        prefixes.append(json.loads(capsys.readouterr().out))
    assert prefixes[0] == prefixes[1]


def test_nothing_that_exists_is_overwritten(
    project: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (project / "promptc.toml").unlink()
    (project / "specs" / "text" / "tone.md").write_text("Mine.")
    assert run("init", monkeypatch=monkeypatch) == exits.USAGE
    assert run("init", "--yaml", monkeypatch=monkeypatch) == exits.USAGE
    assert (project / "specs" / "text" / "tone.md").read_text() == "Mine."
    assert not (project / "promptc.toml").exists()
