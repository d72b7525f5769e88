"""`promptc import`: files in, specs out, and a report that names every loss."""

import json
from pathlib import Path

import pytest

from promptc.cli import app, exits

_PROMPTY = "---\nname: desk\nmodel:\n  provider: anthropic\n  id: claude-sonnet-4-5\n---\nsystem:\nYou greet {{ name }}.\n\nuser:\n{{ question }}\n"


def run(*arguments: str, monkeypatch: pytest.MonkeyPatch) -> int:
    monkeypatch.setattr("sys.argv", ["promptc", *arguments])
    with pytest.raises(SystemExit) as end:
        app.main()
    return end.value.code if isinstance(end.value.code, int) else 0


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "desk.prompty").write_text(_PROMPTY, encoding="utf-8")
    return tmp_path


def test_one_file_goes_to_stdout_and_the_report_to_stderr(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("import", "desk.prompty", monkeypatch=monkeypatch) == exits.CLEAN
    out, err = capsys.readouterr()
    assert out.startswith("# Imported from desk.prompty (Prompty).\n")
    assert "desk.prompty: Prompty, since its name ends in `.prompty`" in err
    assert "PC946" in err and "desk.prompty:8:11" in err


@pytest.mark.parametrize("surface", ["dsl", "yaml"])
def test_what_is_written_checks_builds_and_renders(
    surface: str, folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("import", "desk.prompty", "-o", "specs", "--to", surface, monkeypatch=monkeypatch) == exits.CLEAN
    spec = "specs/desk.promptc" + (".yaml" if surface == "yaml" else "")
    assert (folder / spec).exists()
    (folder / "promptc.toml").write_text("", encoding="utf-8")
    for command in (["check", spec], ["build", spec]):
        assert run(*command, monkeypatch=monkeypatch) == exits.CLEAN, capsys.readouterr().err
    if surface == "dsl":
        assert run("fmt", "--check", spec, monkeypatch=monkeypatch) == exits.CLEAN


def test_nothing_is_overwritten_without_force(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "desk.promptc").write_text("mine", encoding="utf-8")
    assert run("import", "desk.prompty", "-o", ".", monkeypatch=monkeypatch) == exits.USAGE
    assert "PC951" in capsys.readouterr().err
    assert (folder / "desk.promptc").read_text(encoding="utf-8") == "mine"
    assert run("import", "desk.prompty", "-o", ".", "--force", monkeypatch=monkeypatch) == exits.CLEAN
    assert (folder / "desk.promptc").read_text(encoding="utf-8").startswith("# Imported")


def test_the_json_report_has_format_places_and_the_spec(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "bad.j2").write_text("{% if %}", encoding="utf-8")
    arguments = ["import", "desk.prompty", "bad.j2", "-o", "out", "--format", "json"]
    assert run(*arguments, monkeypatch=monkeypatch) == exits.FINDINGS
    report = json.loads(capsys.readouterr().out)
    assert report["format"] == "promptc.import/1"
    good, bad = report["files"]
    assert good["detected"] == "prompty" and good["spec"] == "out/desk.promptc"
    assert good["text"] == (folder / "out" / "desk.promptc").read_text(encoding="utf-8")
    assert {d["code"] for d in good["findings"]["diagnostics"]} == {"PC946", "PC949"}
    assert bad["spec"] is None and bad["findings"]["summary"]["error"] == 1


@pytest.mark.parametrize(
    "arguments",
    [
        ["missing.j2"],
        ["desk.prompty", "desk.prompty"],
        ["desk.prompty", "--to", "toml"],
        ["desk.prompty", "--format", "html"],
        ["desk.prompty", "--from", "word"],
        ["desk.prompty", "--target", "nowhere"],
        ["."],
        ["desk.prompty", "sub/desk.j2", "-o", "out"],
    ],
)
def test_wrong_arguments_write_nothing(
    arguments: list[str], folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("import", *arguments, monkeypatch=monkeypatch) == exits.USAGE
    assert not (folder / "out").exists()
    assert "Traceback" not in capsys.readouterr().err


def test_a_part_outside_the_project_is_not_read(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "inside").mkdir()
    (folder / "inside" / "promptc.toml").write_text("", encoding="utf-8")
    (folder / "secret.j2").write_text("SECRET", encoding="utf-8")
    (folder / "inside" / "a.j2").write_text('Hello.{% include "../secret.j2" %}', encoding="utf-8")
    assert run("import", "inside/a.j2", monkeypatch=monkeypatch) == exits.CLEAN
    out, err = capsys.readouterr()
    assert "SECRET" not in out and "PC950" in err


def test_a_spec_with_errors_is_written_and_said(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "odd.j2").write_text("{% if a > 1 %}{% for x in a %}{{ x }}{% endfor %}{% endif %}", encoding="utf-8")
    assert run("import", "odd.j2", monkeypatch=monkeypatch) == exits.FINDINGS
    out, err = capsys.readouterr()
    assert out.startswith("# Imported") and "PC953" in err
