"""The README does what it shows: its spec, its snippet, its finding, its table of commands."""

import importlib
import re
import sys
from pathlib import Path

import pytest

from promptc.cli import app, exits
from support.checkout import ROOT

README = (ROOT / "README.md").read_text(encoding="utf-8")

_MISTAKE = '''language 1

scope session holds session ttl 5m

input cwd : text @session

prompt m {
  target anthropic
  system {
    cache session {
      section rules @static """
        Be brief.
        You work in {{ cwd }}.
        """
    }
  }
}
'''


def _fence(language: str) -> str:
    found = re.findall(rf"^```{language}\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)
    assert len(found) == 1, f"the README has {len(found)} blocks of {language}"
    return str(found[0])


def _run(monkeypatch: pytest.MonkeyPatch, *arguments: str) -> int:
    monkeypatch.setattr("sys.argv", ["promptc", *arguments])
    with pytest.raises(SystemExit) as end:
        app.main()
    return end.value.code if isinstance(end.value.code, int) else 0


def test_the_spec_is_clean_and_canonical_and_the_snippet_sends_a_request(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "helper.promptc").write_text(_fence("promptc"), encoding="utf-8")
    for command in (["check"], ["fmt", "--check"], ["build"], ["verify"]):
        assert _run(monkeypatch, *command) == exits.CLEAN, capsys.readouterr().err
    capsys.readouterr()
    assert _run(monkeypatch, "render") == exits.CLEAN
    rendered = capsys.readouterr().out.encode()

    monkeypatch.syspath_prepend(str(tmp_path))
    sent: list[bytes] = []
    try:
        importlib.invalidate_caches()
        exec(_fence("python"), {"send": sent.append})
    finally:
        for name in ("gen", "gen.helper"):
            sys.modules.pop(name, None)
    assert sent == [rendered]


def test_the_finding_is_shown_as_promptc_prints_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mistake.promptc").write_text(_MISTAKE)
    assert _run(monkeypatch, "check", "mistake.promptc") == exits.FINDINGS
    assert "$ promptc check mistake.promptc\n" + capsys.readouterr().out in README


def test_the_table_names_every_command_and_no_other() -> None:
    rows = [line.split("|")[1] for line in README.splitlines() if line.startswith("| `promptc ")]
    named = [command for row in rows for command in re.findall(r"`promptc ([a-z]+)`", row)]
    assert sorted(named) == sorted(app.COMMANDS)
