"""Renames and code actions are applied, and the texts that they give are checked."""

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from shutil import copytree
from typing import Any

import pytest
from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcException

from promptc.cli.loading import load
from support.checkout import ROOT
from support.editor import Editor, applied, position

GOLDEN = ROOT / "tests" / "golden" / "lsp"
FILES = ("agent.promptc", "types.promptc", "text/rules.md", "bot.promptc.yaml")


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Editor]:
    root = tmp_path_factory.mktemp("rewrites") / "project"
    copytree(GOLDEN / "project", root)
    found = Editor(root)
    yield found
    found.close()


@pytest.fixture
def editor(shared: Editor) -> Iterator[Editor]:
    for path in FILES:
        shared.open(path)
    yield shared
    for path in FILES:
        shared.shut(path)


def take(editor: Editor, edit: lsp.WorkspaceEdit, tmp_path: Path) -> tuple[dict[str, str], list[str]]:
    """The texts after an edit, and the codes that a fresh check of them reports."""
    texts = dict(editor.texts)
    for uri, edits in (edit.changes or {}).items():
        path = uri.removeprefix(editor.root.as_uri() + "/")
        texts[path] = applied(texts[path], edits, editor.encoding)
    copytree(GOLDEN / "project", tmp_path / "after")
    for path, text in texts.items():
        (tmp_path / "after" / path).write_text(text, encoding="utf-8")
    return texts, [d.code for d in load([tmp_path / "after"]).diagnostics]


def rename(editor: Editor, path: str, words: str, name: str, inside: int = 0) -> lsp.WorkspaceEdit:
    params = lsp.RenameParams(new_name=name, **editor.place(path, words, inside))
    found = editor.run(editor.client.text_document_rename_async(params))
    assert found is not None
    return found


RENAMES = [
    ("agent.promptc", "careful = mode", "watchful", {"agent.promptc": 2}),
    ("types.promptc", "mode :", "manner", {"agent.promptc": 3, "types.promptc": 1, "text/rules.md": 1}),
    ("types.promptc", "name : text", "title", {"agent.promptc": 2, "types.promptc": 1}),
    ("types.promptc", "Tool {", "Instrument", {"types.promptc": 2}),
    ("types.promptc", "manners", "politeness", {"agent.promptc": 1, "types.promptc": 1}),
    ("agent.promptc", "everyone holds", "world", {"agent.promptc": 3}),
    ("agent.promptc", "helper {", "assistant_1", {"agent.promptc": 2}),
    ("agent.promptc", "tool in tools_here", "each", {"agent.promptc": 2}),
    ("agent.promptc", "identity", "self_image", {"agent.promptc": 1}),
    ("bot.promptc.yaml", "name:\n", "person", {"bot.promptc.yaml": 3}),
    ("bot.promptc.yaml", "all:\n", "world", {"bot.promptc.yaml": 2}),
]


@pytest.mark.parametrize(("path", "words", "name", "counts"), RENAMES, ids=[f"{p}:{n}" for p, _, n, _ in RENAMES])
def test_a_rename_changes_every_place_and_no_meaning(
    path: str, words: str, name: str, counts: dict[str, int], editor: Editor, tmp_path: Path
) -> None:
    edit = rename(editor, path, words, name)
    found = {uri.removeprefix(editor.root.as_uri() + "/"): len(edits) for uri, edits in (edit.changes or {}).items()}
    assert found == counts
    _, codes = take(editor, edit, tmp_path)
    # A renamed field of a tool is missed by the group that needs it; nothing else may change.
    expected = ["PC316"] if name == "title" else ["PC401"]
    assert [c for c in codes if c != "PC615"][: len(expected)] == expected


@pytest.mark.parametrize(
    ("words", "name", "why"),
    [
        ("careful = mode", "folder", "is an input already"),
        ("careful = mode", "not", "meaning of its own"),
        ("careful = mode", "two words", "is not a name"),
        ("tool in tools_here", "mode", "is an input already"),
        ("everyone holds", "talk", "is a scope already"),
    ],
)
def test_a_rename_to_a_name_that_is_taken_is_refused(words: str, name: str, why: str, editor: Editor) -> None:
    with pytest.raises(JsonRpcException, match=why):
        rename(editor, "agent.promptc", words, name)


def test_only_names_can_be_renamed(editor: Editor) -> None:
    def prepared(words: str) -> object:
        params = lsp.PrepareRenameParams(**editor.place("agent.promptc", words, 1))
        return editor.run(editor.client.text_document_prepare_rename_async(params))

    assert prepared("target anthropic") is None
    assert prepared("careful = mode") is not None


def actions(editor: Editor, path: str, words: str) -> dict[str, lsp.CodeAction]:
    at = position(editor.texts[path], editor.texts[path].index(words), editor.encoding)
    context = lsp.CodeActionContext(diagnostics=[])
    params = lsp.CodeActionParams(editor.document(path), lsp.Range(at, at), context)
    found = editor.run(editor.client.text_document_code_action_async(params)) or ()
    return {a.title: a for a in found if isinstance(a, lsp.CodeAction)}


def do(editor: Editor, path: str, words: str, title: str, tmp_path: Path) -> tuple[dict[str, str], list[str]]:
    found = actions(editor, path, words)
    assert title in found, list(found)
    edit = found[title].edit
    assert edit is not None
    return take(editor, edit, tmp_path)


def test_move_behind_repairs_the_order(editor: Editor, tmp_path: Path) -> None:
    texts, codes = do(editor, "agent.promptc", "place @session", "move `place` behind `rules`", tmp_path)
    text = texts["agent.promptc"]
    assert "PC401" not in codes
    assert not [c for c in codes if c != "PC615"]
    assert text.index("section rules") < text.index('    section place @session "Folder') < text.index("cache talk {")


def test_a_fix_of_a_finding_is_an_action(editor: Editor, tmp_path: Path) -> None:
    at = editor.texts["agent.promptc"].index("gate careful =")
    editor.type("agent.promptc", at + len("gate careful = mode "), 2, "=")
    title = "write `==`"
    texts, codes = do(editor, "agent.promptc", '= "careful"', title, tmp_path)
    assert 'gate careful = mode == "careful"' in texts["agent.promptc"]
    assert "PC401" in codes


def test_a_class_is_promoted_to_what_would_hold(editor: Editor, tmp_path: Path) -> None:
    at = editor.texts["agent.promptc"].index("rules @static")
    editor.type("agent.promptc", at + len("rules @"), len("static"), "session")
    texts, codes = do(editor, "agent.promptc", 'session from "text', "promote: declare the class `@static`", tmp_path)
    assert "section rules @static from" in texts["agent.promptc"]
    assert "PC406" not in codes


def test_a_gate_is_extracted_and_used_wherever_the_condition_stands(editor: Editor, tmp_path: Path) -> None:
    at = editor.texts["agent.promptc"].index(' from "text/rules.md"')
    editor.type("agent.promptc", at, 0, ' when logged_in and mode != "quick"')
    texts, codes = do(editor, "agent.promptc", "logged_in and", "extract the gate `manners_on`", tmp_path)
    text = texts["agent.promptc"]
    assert 'gate manners_on = logged_in and mode != "quick"\n\nprompt helper' in text
    assert "include manners when manners_on\n" in text
    assert 'section rules @static when manners_on from "text/rules.md"' in text
    assert codes[0] == "PC401"


@pytest.mark.parametrize(
    ("path", "insert", "behind", "code", "expected"),
    [
        (
            "agent.promptc",
            "On 2024-05-06T07:08:09 ",
            'section identity @static """\n        ',
            "PC331",
            'section identity @static allow PC331 "say why"',
        ),
        ("text/rules.md", "On 2024-05-06T07:08:09 ", "", "PC331", 'section rules @static allow PC331 "say why" from'),
        ("agent.promptc", "record Lost {\n  a : text\n}\n", "<= 32\n", "PC223", 'allow PC223 "say why"\n'),
        (
            "bot.promptc.yaml",
            "  lost:\n    holds: static\n",
            "scopes:\n",
            "PC223",
            "allow:\n  - code: PC223\n    because: say why",
        ),
    ],
)
def test_a_finding_is_accepted_with_room_for_a_reason(
    path: str, insert: str, behind: str, code: str, expected: str, editor: Editor, tmp_path: Path
) -> None:
    at = editor.texts[path].index(behind) + len(behind)
    editor.type(path, at, 0, insert)
    words = {"PC331": "2024-05-06T", "PC223": "Lost" if "Lost" in insert else "lost:"}[code]
    texts, codes = do(editor, path, words, f"accept `{code}` here, with a reason", tmp_path)
    assert expected in "".join(texts.values())
    assert code not in codes


def test_formatting_gives_the_canonical_form(editor: Editor, tmp_path: Path) -> None:
    editor.type("agent.promptc", editor.texts["agent.promptc"].index("scope everyone"), 0, "   ")
    params = lsp.DocumentFormattingParams(editor.document("agent.promptc"), lsp.FormattingOptions(2, True))
    edits = editor.run(editor.client.text_document_formatting_async(params)) or ()
    assert len(edits) == 1
    after = applied(editor.texts["agent.promptc"], list(edits), editor.encoding)
    assert after == (GOLDEN / "project" / "agent.promptc").read_text(encoding="utf-8")


def test_a_preview_shows_each_section_with_its_place_in_the_request(editor: Editor) -> None:
    editor.type("agent.promptc", editor.texts["agent.promptc"].index("      section place"), 53, "")
    params = {"uri": editor.uri("agent.promptc"), "prompt": "helper", "sample": "first"}

    async def asked() -> Any:
        return await editor.client.protocol.send_request_async("promptc.preview", params)

    found = editor.run(asked())
    assert (found.prompt, found.sample) == ("helper", "first")
    named = {s.section: s for s in found.sections if s.section is not None}
    assert list(named) == ["identity", "manners", "rules", "state"]
    assert named["identity"].text.startswith("You help in a terminal. 😀 Be kind.\nLook twice")
    assert named["identity"].breakpoint == 1
    ends = [(s.start, s.end) for s in found.sections]
    assert ends[0][0] == 0
    assert all(a[1] == b[0] for a, b in pairwise(ends))
    assert ends[-1][1] == found.bytes


def test_a_preview_of_a_spec_with_errors_says_so(editor: Editor) -> None:
    params = lsp.ExecuteCommandParams("promptc.preview", [editor.uri("agent.promptc")])
    with pytest.raises(JsonRpcException, match="the spec has errors"):
        editor.run(editor.client.workspace_execute_command_async(params))
