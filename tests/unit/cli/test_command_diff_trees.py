"""`promptc diff` takes trees of git in the notation of `breaking`."""

import subprocess
from pathlib import Path

import pytest

from promptc.cli import exits
from support.checkout import promptc

_SPEC = 'prompt p {{ target anthropic  model "m"  system {{ section s @static "{}" }} }}'


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    def git(*arguments: str) -> None:
        who = ["-c", "user.name=t", "-c", "user.email=t@example.com", "-c", "commit.gpgsign=false"]
        subprocess.run(["git", *who, *arguments], cwd=tmp_path, check=True, capture_output=True)

    (tmp_path / "promptc.toml").write_text("")
    git("init", "-q")
    for number, text in enumerate(("First.", "Second."), start=1):
        (tmp_path / "p.promptc").write_text(_SPEC.format(text))
        git("add", ".")
        git("commit", "-qm", text)
        git("tag", f"v{number}")
    return tmp_path


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        ([".git#tag=v1", "p.promptc"], exits.FINDINGS),
        (["p.promptc", ".git#tag=v1"], exits.FINDINGS),
        ([".git#tag=v1", ".git#tag=v2"], exits.FINDINGS),
        ([".git#tag=v2", "."], exits.CLEAN),
        ([".git#tag=v9", "p.promptc"], exits.USAGE),
        ([".git#tagg=v1", "p.promptc"], exits.USAGE),
    ],
)
def test_a_tree_of_git_is_a_side(repository: Path, arguments: list[str], code: int) -> None:
    done = promptc(["diff", *arguments], repository)
    assert done.code == code, done.stderr
    assert (b"prompt p: " in done.stdout) == (code != exits.USAGE)
