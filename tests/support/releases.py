"""A project in a git repository, with releases, and the command line in it."""

import os
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest

from promptc.cli import app

SPEC = """language 1

scope global holds static ttl 1h
scope session holds session ttl 5m

input cwd : text @session

prompt agent {
  target anthropic

  system {
    cache global {
      section identity @static \"\"\"
        You are a careful assistant.
        \"\"\"
      section tone @static \"\"\"
        Be brief.
        \"\"\"
    }
    cache session {
      section place @session \"\"\"
        The folder is {{ cwd }}.
        \"\"\"
    }
  }
}
"""


@dataclass(frozen=True)
class Said:
    """What a command said, and how it ended."""

    code: int
    out: str
    err: str


@dataclass
class Repository:
    """A repository with a project in the folder `project`."""

    root: Path
    monkeypatch: pytest.MonkeyPatch
    capsys: pytest.CaptureFixture[str]

    @property
    def project(self) -> Path:
        return self.root / "project"

    def git(self, *arguments: str) -> str:
        environment = {
            **{k: v for k, v in os.environ.items() if not k.startswith("GIT_")},
            "GIT_CONFIG_GLOBAL": os.devnull,
            "GIT_CONFIG_SYSTEM": os.devnull,
            **{f"GIT_{who}_{what}": "t@example.org" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")},
        }
        done = subprocess.run(
            ["git", *arguments], cwd=self.root, env=environment, capture_output=True, text=True, check=True, timeout=60
        )
        return done.stdout.strip()

    def write(self, text: str, name: str = "agent.promptc") -> None:
        path = self.project / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def release(self, tag: str) -> None:
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "-m", tag)
        self.git("tag", tag)

    def run(self, *arguments: str) -> Said:
        self.monkeypatch.chdir(self.project)
        self.monkeypatch.setattr("sys.argv", ["promptc", *arguments])
        self.monkeypatch.setenv("NO_COLOR", "1")
        self.capsys.readouterr()
        with pytest.raises(SystemExit) as end:
            app.main()
        said = self.capsys.readouterr()
        return Said(end.value.code if isinstance(end.value.code, int) else 0, said.out, said.err)


def repository(root: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Repository:
    """A repository whose tag `v1` is the spec `SPEC`."""
    found = Repository(root, monkeypatch, capsys)
    found.git("init", "-q", "-b", "main")
    found.write("", "promptc.toml")
    found.write(SPEC)
    found.release("v1")
    return found
