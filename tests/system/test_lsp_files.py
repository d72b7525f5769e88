"""What the server sees of files that are not open: changed, made, removed, configured, and in git."""

import subprocess
from collections.abc import Iterator
from pathlib import Path
from shutil import copytree
from typing import Any

import pytest
from lsprotocol import types as lsp

from support.checkout import ROOT
from support.editor import Editor

PROJECT = ROOT / "tests" / "golden" / "lsp" / "project"


@pytest.fixture
def editor(tmp_path: Path) -> Iterator[Editor]:
    root = tmp_path / "project"
    copytree(PROJECT, root)
    found = Editor(root)
    yield found
    found.close()


def tell(editor: Editor, *paths: str) -> None:
    """Say that files changed, and wait until the open document was looked at again."""
    editor.published.clear()
    events = [lsp.FileEvent(editor.uri(path), lsp.FileChangeType.Changed) for path in paths]
    editor.client.workspace_did_change_watched_files(lsp.DidChangeWatchedFilesParams(events))


def codes(editor: Editor, path: str) -> list[str]:
    return [str(d.code) for d in editor.diagnostics(path)]


def test_files_beside_an_open_document_count_as_they_are_on_disk(editor: Editor) -> None:
    editor.open("agent.promptc")
    assert codes(editor, "agent.promptc") == ["PC401"]
    (editor.root / "text" / "rules.md").unlink()
    tell(editor, "text/rules.md")
    assert "PC001" in codes(editor, "agent.promptc")
    (editor.root / "text" / "rules.md").write_text("{{ nobody }}\n")
    tell(editor, "text/rules.md")
    assert "PC001" not in codes(editor, "agent.promptc")
    rules = editor.published[editor.uri("text/rules.md")]
    assert [d.code for d in rules.diagnostics] == ["PC201"]


def test_a_change_of_a_file_is_seen_with_the_next_key_without_a_watcher(editor: Editor) -> None:
    editor.open("agent.promptc")
    editor.diagnostics("agent.promptc")
    types = editor.root / "types.promptc"
    types.write_text(types.read_text(encoding="utf-8").replace("input folder", "input elsewhere"), encoding="utf-8")
    editor.type("agent.promptc", 0, 0, "\n")
    assert "PC201" in codes(editor, "agent.promptc")


def test_a_configuration_that_changes_is_read_again(editor: Editor) -> None:
    editor.open("agent.promptc")
    editor.diagnostics("agent.promptc")
    (editor.root / "bot.promptc.yaml").write_text("language: 7\n", encoding="utf-8")
    (editor.root / "promptc.toml").write_text('specs = ["agent.promptc"]\n', encoding="utf-8")
    tell(editor, "promptc.toml")
    editor.diagnostics("agent.promptc")
    assert not any(p.diagnostics for uri, p in editor.published.items() if uri.endswith("bot.promptc.yaml"))


def test_a_preview_says_how_the_prompt_differs_from_a_commit(editor: Editor) -> None:
    agent = editor.root / "agent.promptc"
    lines = agent.read_text(encoding="utf-8").splitlines(keepends=True)
    agent.write_text("".join(line for line in lines if "section place" not in line), encoding="utf-8")
    git = ["git", "-c", "user.name=a", "-c", "user.email=a@b", "-c", "commit.gpgsign=false"]
    for command in (["init", "-q"], ["add", "."], ["commit", "-qm", "one"]):
        subprocess.run([*git, *command], cwd=editor.root, check=True, capture_output=True)
    editor.open("agent.promptc")
    at = editor.texts["agent.promptc"].index("Be kind.")
    editor.type("agent.promptc", at, 8, "Be calm.")
    params = {"uri": editor.uri("agent.promptc"), "against": ".git#ref=HEAD"}

    async def asked() -> Any:
        return await editor.client.protocol.send_request_async("promptc.preview", params)

    found = editor.run(asked()).divergence
    assert found.verdict == "break"
    first = found.diff.findings[0]
    assert (first.section, first.change_class) == ("identity", "edit")
