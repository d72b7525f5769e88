"""A recorded session of 500 edits: after each, the server says what a fresh check of the same texts says."""

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from shutil import copytree

import pytest

from promptc.cli.loading import load
from promptc.diagnostics.model import Diagnostic
from promptc.diagnostics.sink import severity_of
from promptc.prefix_sizes import size_findings
from promptc.report.visible import visible
from support.checkout import ROOT
from support.editor import Editor, position

GOLDEN = ROOT / "tests" / "golden" / "lsp"
SEVERITIES = {"error": 1, "warning": 2, "hint": 4}
# The other encodings take part in the same session; what is found after a few edits is enough to see a wrong place.
STEPS = {"utf-16": 1, "utf-8": 9, "utf-32": 9}

Shown = tuple[str, int, tuple[int, int], tuple[int, int], str]


@cache
def session() -> tuple[tuple[str, int, int, str], ...]:
    return tuple(tuple(edit) for edit in json.loads((GOLDEN / "session.json").read_text(encoding="utf-8")))


def first_texts() -> dict[str, str]:
    paths = [p for p in sorted((GOLDEN / "project").rglob("*")) if p.suffix in (".promptc", ".md", ".yaml")]
    texts = {p.relative_to(GOLDEN / "project").as_posix(): p.read_text(encoding="utf-8") for p in paths}
    texts["types.promptc"] = texts["types.promptc"].replace("\n", "\r\n")
    return texts


class Fresh:
    """What `promptc check` says of some texts, each state asked once."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.written: dict[str, str] = {}
        self.known: dict[tuple[str, ...], list[tuple[str, str, int, int, int, str]]] = {}

    def check(self) -> list[Diagnostic]:
        """What the command shows, in order."""
        workspace = load([self.root])
        found = (*workspace.diagnostics, *size_findings(workspace.compilations))
        return sorted(found, key=lambda d: d.sort_key)

    def __call__(self, texts: dict[str, str], path: str, encoding: str) -> list[Shown]:
        """Findings of one file: code, severity, start, end and message."""
        key = tuple(texts[name] for name in sorted(texts))
        if key not in self.known:
            for name, text in texts.items():
                if self.written.get(name) != text:
                    (self.root / name).write_bytes(text.encode())
            self.written = dict(texts)
            self.known[key] = [
                (p.span.path, d.code, SEVERITIES[severity_of(d).value], p.span.start, p.span.end, d.message)
                for d in self.check()
                if (p := d.primary) is not None
            ]
        text = texts[path]
        return [
            (code, severity, place(text, start, encoding), place(text, end, encoding), message)
            for name, code, severity, start, end, message in self.known[key]
            if name == path
        ]


def place(text: str, offset: int, encoding: str) -> tuple[int, int]:
    """The position, in the editor's text, of an offset of the text with LF line ends."""
    plain = text.replace("\r\n", "\n")
    found = position(plain, min(offset, len(plain)), encoding)
    return found.line, found.character


@pytest.fixture(scope="module")
def fresh(tmp_path_factory: pytest.TempPathFactory) -> Fresh:
    root = tmp_path_factory.mktemp("fresh") / "project"
    copytree(GOLDEN / "project", root)
    return Fresh(root)


@pytest.fixture(params=sorted(STEPS))
def editor(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Editor]:
    root = tmp_path / "project"
    copytree(GOLDEN / "project", root)
    found = Editor(root, request.param)
    yield found
    found.close()


def test_recorded_session_holds_500_edits() -> None:
    assert len(session()) == 500


def test_after_each_edit_the_findings_are_those_of_a_fresh_check(editor: Editor, fresh: Fresh) -> None:
    for path, text in first_texts().items():
        editor.open(path, text)
    for number, (path, start, delete, new) in enumerate(session()):
        editor.type(path, start, delete, new)
        if number % STEPS[editor.encoding] and number != 499:
            continue
        for name in (path, "agent.promptc"):
            shown = [
                (
                    str(d.code),
                    int(d.severity or 0),
                    (d.range.start.line, d.range.start.character),
                    (d.range.end.line, d.range.end.character),
                    d.message,
                )
                for d in editor.diagnostics(name)
            ]
            wanted = fresh(editor.texts, name, editor.encoding)
            assert [s[:4] for s in shown] == [w[:4] for w in wanted], (number, path, start, delete, new)
            assert all(s[4].startswith(visible(w[4])) for s, w in zip(shown, wanted, strict=True)), number
