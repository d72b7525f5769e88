"""What the server answers about one project: a golden transcript a feature."""

import json
from collections.abc import Callable, Iterator
from shutil import copytree
from typing import Any

import pytest
from lsprotocol import converters
from lsprotocol import types as lsp

from support.checkout import ROOT
from support.editor import Editor, position

GOLDEN = ROOT / "tests" / "golden" / "lsp"
FILES = ("agent.promptc", "types.promptc", "text/rules.md", "bot.promptc.yaml")
CONVERTER = converters.get_converter()

# Words of a file, and the code point behind which the question is asked.
PLACES = {
    "hover": (
        ("agent.promptc", "identity", 2), ("agent.promptc", "place @session", 2), ("agent.promptc", "manners when", 2),
        ("agent.promptc", "connected", 2), ("agent.promptc", "careful %}", 2), ("agent.promptc", "folder }}", 2),
        ("agent.promptc", "everyone fallback", 2), ("agent.promptc", "helper {", 2), ("agent.promptc", "upper", 2),
        ("agent.promptc", "@static from", 2), ("agent.promptc", "name | upper", 2), ("agent.promptc", "target", 2),
        ("types.promptc", "Tool {", 2), ("text/rules.md", "mode", 2), ("bot.promptc.yaml", "greeting", 2),
        ("bot.promptc.yaml", "name }}", 2),
    ),
    "definition": (
        ("agent.promptc", "manners when", 2), ("agent.promptc", "tool.name", 1), ("agent.promptc", "name | upper", 1),
        ("agent.promptc", "text/rules.md", 3), ("agent.promptc", "./types.promptc", 3), ("agent.promptc", "server, name", 1),
        ("text/rules.md", "mode", 1), ("bot.promptc.yaml", "all\n        items", 1), ("agent.promptc", "target", 1),
    ),
    "references": (
        ("agent.promptc", "careful = mode", 1), ("types.promptc", "mode :", 1), ("types.promptc", "name : text", 1),
        ("agent.promptc", "helper {", 1), ("bot.promptc.yaml", "name:\n", 1), ("agent.promptc", "tool.name", 1),
        ("types.promptc", "manners", 1), ("agent.promptc", "talk holds", 1),
    ),
}  # fmt: skip

# Text that is typed at the end of some words before the question is asked.
COMPLETIONS = (
    ("agent.promptc", "everyone) <= 32\n", ""),
    ("agent.promptc", "include manners when ", ""),
    ("agent.promptc", 'mode != "', ""),
    ("agent.promptc", "section identity @", ""),
    ("agent.promptc", "include ", ""),
    ("agent.promptc", "{{ tool.name | ", ""),
    ("agent.promptc", "{{ tool.", ""),
    ("agent.promptc", "{% ", ""),
    ("agent.promptc", 'from "text/', ""),
    ("agent.promptc", 'use "', ""),
    ("agent.promptc", "cache everyone fallback ", ""),
    ("agent.promptc", "target ", ""),
    ("agent.promptc", "  system {\n", "    "),
    ("agent.promptc", "sample first for helper {\n", "  "),
    ("agent.promptc", 'section rules @static from "text/rules.md"', " "),
    ("agent.promptc", "limit variants(", ""),
    ("types.promptc", "  name : ", ""),
    ("types.promptc", "input folder : text @session", " "),
    ("text/rules.md", "{% if ", ""),
    ("bot.promptc.yaml", "class: ", ""),
    ("bot.promptc.yaml", "- cache: ", ""),
    ("bot.promptc.yaml", "          - section: greeting\n", "            "),
    ("bot.promptc.yaml", "{{ ", ""),
    ("bot.promptc.yaml", "samples:\n", "  - "),
)


@pytest.fixture(scope="module")
def editor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Editor]:
    root = tmp_path_factory.mktemp("transcripts") / "project"
    copytree(GOLDEN / "project", root)
    found = Editor(root)
    for path in FILES:
        found.open(path)
    found.diagnostics("agent.promptc")
    yield found
    found.close()


def plain(editor: Editor, answer: Any) -> Any:
    """An answer as JSON, the root taken out."""
    text = json.dumps(CONVERTER.unstructure(answer), ensure_ascii=False)
    return json.loads(text.replace(editor.root.as_uri() + "/", ""))


def check(name: str, found: Any, update: bool) -> None:
    lines = ",\n".join(json.dumps(row, ensure_ascii=False) for row in found)
    text = f"[\n{lines}\n]\n"
    file = GOLDEN / f"{name}.json"
    if update:
        file.write_text(text, encoding="utf-8")
    assert text == file.read_text(encoding="utf-8")


def ask(editor: Editor, feature: str, where: dict[str, Any]) -> Any:
    client = editor.client
    if feature == "hover":
        return editor.run(client.text_document_hover_async(lsp.HoverParams(**where)))
    if feature == "definition":
        return editor.run(client.text_document_definition_async(lsp.DefinitionParams(**where)))
    context = lsp.ReferenceContext(include_declaration=True)
    return editor.run(client.text_document_references_async(lsp.ReferenceParams(context=context, **where)))


@pytest.mark.parametrize("feature", sorted(PLACES))
def test_answers_about_places_are_as_recorded(feature: str, editor: Editor, update: bool) -> None:
    found = []
    for path, words, inside in PLACES[feature]:
        answer = plain(editor, ask(editor, feature, editor.place(path, words, inside)))
        found.append({"file": path, "at": words, "answer": answer})
    check(feature, found, update)


def test_completions_are_as_recorded(editor: Editor, update: bool) -> None:
    found = []
    for path, words, typed in COMPLETIONS:
        at = editor.texts[path].index(words) + len(words)
        editor.type(path, at, 0, typed)
        place = position(editor.texts[path], at + len(typed), "utf-16")
        params = lsp.CompletionParams(editor.document(path), place)
        items = editor.run(editor.client.text_document_completion_async(params))
        editor.type(path, at, len(typed), "")
        labels = [i.label for i in items or ()]
        found.append({"file": path, "behind": words + typed, "labels": labels[:40]})
    check("completion", found, update)


def whole(editor: Editor) -> dict[str, Callable[[lsp.TextDocumentIdentifier], Any]]:
    client = editor.client
    everything = lsp.Range(lsp.Position(0, 0), lsp.Position(1000, 0))
    return {
        "inlay_hints": lambda d: client.text_document_inlay_hint_async(lsp.InlayHintParams(d, everything)),
        "code_lenses": lambda d: client.text_document_code_lens_async(lsp.CodeLensParams(d)),
        "document_symbols": lambda d: client.text_document_document_symbol_async(lsp.DocumentSymbolParams(d)),
        "folding": lambda d: client.text_document_folding_range_async(lsp.FoldingRangeParams(d)),
        "formatting": lambda d: client.text_document_formatting_async(
            lsp.DocumentFormattingParams(d, lsp.FormattingOptions(2, True))
        ),
    }


@pytest.mark.parametrize("feature", ["inlay_hints", "code_lenses", "document_symbols", "folding", "formatting"])
def test_answers_about_files_are_as_recorded(feature: str, editor: Editor, update: bool) -> None:
    found = []
    typed = "   " if feature == "formatting" else ""
    for path in FILES:
        editor.type(path, 0, 0, typed)
        answer = plain(editor, editor.run(whole(editor)[feature](editor.document(path))))
        editor.type(path, 0, len(typed), "")
        found.extend({"file": path, "answer": row} for row in answer or ())
    check(feature, found, update)


@pytest.mark.parametrize("surface", ["dsl", "yaml"])
def test_renames_are_as_recorded(surface: str, editor: Editor, update: bool) -> None:
    path, names = {
        "dsl": ("types.promptc", {"mode :": "manner", "manners": "politeness", "server : text": "host"}),
        "yaml": ("bot.promptc.yaml", {"all:\n": "world", "name:\n": "person", "bot:\n": "robot"}),
    }[surface]
    found = []
    for words, name in names.items():
        params = lsp.RenameParams(new_name=name, **editor.place(path, words, 1))
        answer = plain(editor, editor.run(editor.client.text_document_rename_async(params)))
        found.append({"file": path, "at": words, "to": name, "answer": answer})
    check(f"rename_{surface}", found, update)


def test_code_actions_are_as_recorded(editor: Editor, update: bool) -> None:
    found = []
    for path, words in (
        ("agent.promptc", "place @session"),
        ("agent.promptc", "logged_in and"),
        ("bot.promptc.yaml", "all\n        items"),
        ("agent.promptc", "Nothing"),
    ):
        if words == "Nothing":
            editor.type(path, len(editor.texts[path]), 0, "record Nothing {}\n")
        at = position(editor.texts[path], editor.texts[path].index(words), editor.encoding)
        params = lsp.CodeActionParams(editor.document(path), lsp.Range(at, at), lsp.CodeActionContext([]))
        answer = editor.run(editor.client.text_document_code_action_async(params)) or ()
        for action in answer:
            assert isinstance(action, lsp.CodeAction)
            row = {"title": action.title, "kind": action.kind, "edit": plain(editor, action.edit)}
            found.append({"file": path, "at": words, **row})
    editor.type("agent.promptc", editor.texts["agent.promptc"].index("record Nothing"), 18, "")
    check("code_actions", found, update)


def test_preview_is_as_recorded(editor: Editor, update: bool) -> None:
    params = lsp.ExecuteCommandParams("promptc.preview", [editor.uri("bot.promptc.yaml"), "bot", "one"])
    answer = editor.run(editor.client.workspace_execute_command_async(params))
    check("preview", [plain(editor, part) for part in answer["sections"]], update)


def test_diagnostics_are_as_recorded(editor: Editor, update: bool) -> None:
    found = [{"file": path, "answer": plain(editor, d)} for path in FILES for d in editor.diagnostics(path)]
    check("diagnostics", found, update)


def test_workspace_symbols_are_as_recorded(editor: Editor, update: bool) -> None:
    asked = ("", "tool", "rls")
    found = []
    for query in asked:
        answer = editor.run(editor.client.workspace_symbol_async(lsp.WorkspaceSymbolParams(query)))
        found.append({"query": query, "names": [s["name"] for s in plain(editor, answer)]})
    check("workspace_symbols", found, update)


def test_semantic_tokens_are_as_recorded(editor: Editor, update: bool) -> None:
    legend = ("namespace", "type", "class", "enumMember", "parameter", "variable", "property", "function", "macro",
              "keyword", "comment", "string", "operator")  # fmt: skip
    found = []
    for path in FILES:
        params = lsp.SemanticTokensParams(editor.document(path))
        data = editor.run(editor.client.text_document_semantic_tokens_full_async(params)).data
        lines = [line.encode("utf-16-le") for line in editor.texts[path].split("\n")]
        line = column = 0
        for index in range(0, len(data), 5):
            down, right, length, kind, modifiers = data[index : index + 5]
            line, column = line + down, right if down else column + right
            text = lines[line][2 * column : 2 * (column + length)].decode("utf-16-le")
            found.append([path, line, column, text, legend[kind] + (" declaration" if modifiers else "")])
    check("semantic_tokens", found, update)


def test_document_highlights_name_reads_and_writes(editor: Editor) -> None:
    params = lsp.DocumentHighlightParams(**editor.place("agent.promptc", "careful = mode", 1))
    found = editor.run(editor.client.text_document_document_highlight_async(params)) or ()
    assert [(h.range.start.line, h.kind) for h in found] == [(6, 3), (19, 2)]


def test_a_document_that_is_not_open_gets_no_answer(editor: Editor) -> None:
    params = lsp.HoverParams(lsp.TextDocumentIdentifier("untitled:Untitled-1"), lsp.Position(0, 0))
    assert editor.run(editor.client.text_document_hover_async(params)) is None


def test_a_closed_document_is_read_from_its_file_again(editor: Editor) -> None:
    path = "text/rules.md"
    editor.type(path, 0, 0, "{{ nobody }}")
    assert [d.code for d in editor.diagnostics(path)] == ["PC201"]
    editor.shut(path)
    editor.open(path)
    assert editor.diagnostics(path) == []
