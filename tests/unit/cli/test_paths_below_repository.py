"""Annotations name files as the repository has them, also where a project is a folder of it."""

import json
from pathlib import Path

import pytest

from support.checkout import promptc

SPEC = 'language 1\ninput day : text @turn\nprompt p { target anthropic system { section s @static "{{ day }}" } }\n'


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "agents" / "mail"
    folder.mkdir(parents=True)
    (folder / "promptc.toml").write_text("", encoding="utf-8")
    (folder / "p.promptc").write_text(SPEC, encoding="utf-8")
    return folder


@pytest.mark.parametrize("where", ["agents/mail", "."])
def test_a_nested_project_is_named_from_the_top_of_its_repository(project: Path, tmp_path: Path, where: str) -> None:
    (tmp_path / ".git").mkdir()
    spec = str(project / "p.promptc")
    done = promptc(["check", spec, "--format", "github"], tmp_path / where)
    assert b"file=agents/mail/p.promptc," in done.stdout
    log = json.loads(promptc(["check", spec, "--format", "sarif"], tmp_path / where).stdout)
    location = log["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]
    assert location == {"uri": "agents/mail/p.promptc", "uriBaseId": "REPOSITORY"}


def test_for_people_the_path_stays_that_of_the_project(project: Path, tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    assert b" --> p.promptc:" in promptc(["check", str(project)], tmp_path).stdout


def test_without_a_repository_the_working_directory_counts(project: Path, tmp_path: Path) -> None:
    above = promptc(["check", str(project), "--format", "github"], tmp_path)
    assert b"file=agents/mail/p.promptc," in above.stdout
    inside = promptc(["check", ".", "--format", "github"], project)
    assert b"file=p.promptc," in inside.stdout
