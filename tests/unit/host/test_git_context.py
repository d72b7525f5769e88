"""Where a repository stands (A-08)."""

import os
import subprocess
from pathlib import Path

import pytest

from promptc.host.git_context import GitContext, git_context


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    monkeypatch.setenv("GIT_CONFIG_SYSTEM", os.devnull)
    run = ["git", "-c", "init.defaultBranch=main"]
    subprocess.run([*run, "init", "-q", str(tmp_path)], check=True)
    for key, value in (("user.name", "Ada"), ("user.email", "ada@example.org")):
        subprocess.run(["git", "config", key, value], cwd=tmp_path, check=True)
    return tmp_path


def commit(folder: Path, subject: str) -> None:
    subprocess.run(["git", "commit", "-q", "--allow-empty", "-m", subject], cwd=folder, check=True)


def test_branch_user_status_and_commits(repository: Path) -> None:
    """covers: A-08. Five commits, newest first."""
    for number in range(6):
        commit(repository, f"step {number}")
    (repository / "new é.txt").touch()
    found = git_context(str(repository))
    assert (found.branch, found.main, found.user) == ("main", "main", "Ada")
    assert found.status == '?? "new é.txt"'
    assert [line.partition(" ")[2] for line in found.commits] == [f"step {n}" for n in (5, 4, 3, 2, 1)]


def test_a_long_status_is_cut_and_marked(repository: Path) -> None:
    """covers: A-08."""
    for number in range(30):
        (repository / f"file{number:02}").touch()
    status = git_context(str(repository), limit=50, cut="[cut]").status
    assert len(status) == 55
    assert status.endswith("[cut]")


def test_no_repository_and_no_git_give_an_empty_context(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """covers: A-08, J. A failure is no failed request."""
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path))
    assert git_context(str(tmp_path)) == GitContext()
    monkeypatch.setenv("PATH", "")
    assert git_context(str(tmp_path)) == GitContext()


def test_a_repository_without_a_commit_is_no_failure(repository: Path) -> None:
    """covers: A-08."""
    found = git_context(str(repository))
    assert (found.branch, found.commits) == ("main", ())
