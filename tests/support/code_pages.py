"""Read the pages of the codes, and find out what their examples raise."""

import json
import posixpath
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from promptc.assets import asset_dir
from promptc.diagnostics.model import Diagnostic, Label, Severity
from promptc.diagnostics.sink import Sink, severity_of
from promptc.pipeline import compile_root
from promptc.providers.checks.run import check_document
from promptc.providers.registry import resolve
from promptc.source import Source, Span
from promptc.streams.read import read_stream

_FENCE = re.compile(r"^(`{3,})(\S*)[ \t]*(.*)$")
_ROOTS = {"promptc": "spec.promptc", "yaml": "spec.promptc.yaml"}


@dataclass(frozen=True)
class Example:
    """One fence that is executed, with the files that it needs.

    Attributes:
        code: What it must raise; None when it must be clean.
        language: `promptc`, `yaml` or `json`.
        target: Provider to check a request against; None for a capture that is read for comparison.
        files: Other files by path.
    """

    page: str
    line: int
    code: str | None
    language: str
    target: str | None
    text: str
    files: Mapping[str, str]

    def __str__(self) -> str:
        return f"{self.page}:{self.line}"


@dataclass(frozen=True)
class Fence:
    """A fenced block of a Markdown text: its line, the heading it stands under, its info string and its content."""

    line: int
    section: str
    language: str
    words: tuple[str, ...]
    text: str

    def value(self, key: str) -> str | None:
        return next((w.removeprefix(key + "=") for w in self.words if w.startswith(key + "=")), None)


def pages() -> tuple[Path, ...]:
    """All pages, by number."""
    return tuple(sorted(asset_dir("codes").glob("*.md")))


def examples(path: Path) -> tuple[Example, ...]:
    """The executed fences of a page. A fence with `file=PATH` is a file beside the executed ones of its section."""
    found = tuple(fences(path.read_text(encoding="utf-8")))
    out = []
    for fence in found:
        if fence.value("error") is None and "ok" not in fence.words:
            continue
        beside = {f.value("file"): f.text for f in found if f.section == fence.section and f.value("file")}
        files = {name: text for name, text in beside.items() if name is not None}
        out.append(
            Example(
                path.stem, fence.line, fence.value("error"), fence.language, fence.value("target"), fence.text, files
            )
        )
    return tuple(out)


def has_text_example(path: Path) -> bool:
    """Whether the example of a page is shown as text, since no single file can show it."""
    found = fences(path.read_text(encoding="utf-8"))
    return any(f.section == "Example" and f.language == "text" and f.value("file") is None for f in found)


def headings(path: Path) -> tuple[str, ...]:
    """The headings of a page, outside its fences."""
    return tuple(line for _, line in prose(path.read_text(encoding="utf-8")) if line.startswith("#"))


def findings(example: Example) -> tuple[Diagnostic, ...]:
    """What an example raises, hints left out: they are remarks on a clean spec."""
    found = _run(example)
    return tuple(d for d in found if severity_of(d) is not Severity.HINT or d.code == example.code)


def _run(example: Example) -> tuple[Diagnostic, ...]:
    if example.language in _ROOTS:
        root = _ROOTS[example.language]
        return compile_root(root, Files({**example.files, root: example.text})).diagnostics
    data = example.text.encode()
    if example.target is None:
        return read_stream(data, "capture.json")[1]
    document = json.loads(data)
    return check_document(document, resolve(example.target, _model(document)), data)


def _model(document: Any) -> str | None:
    """The model that a request, or the last of several, names: facts differ between generations."""
    bodies = document.get("requests", [document]) if isinstance(document, dict) else document
    last = bodies[-1] if isinstance(bodies, list) and bodies else None
    model = last.get("model") if isinstance(last, dict) else None
    return model if isinstance(model, str) else None


class Files:
    """A project in memory. Tests of real folders are elsewhere; a page shows the code, not the file system."""

    def __init__(self, files: Mapping[str, str]) -> None:
        self.files = files

    def resolve(self, path: str, base: str, at: Span | None, sink: Sink) -> str | None:
        """The path as seen from the root; PC003 where it leaves the project."""
        joined = posixpath.normpath(posixpath.join(posixpath.dirname(base), path))
        if joined.startswith(("..", "/")):
            sink.report(Diagnostic("PC003", f"the path `{path}` leaves the project", Label(at) if at else None))
            return None
        return joined

    def read(self, path: str, at: Span | None, sink: Sink) -> Source | None:
        """The file, or PC001."""
        if path not in self.files:
            sink.report(Diagnostic("PC001", f"`{path}` does not exist", Label(at) if at else None))
            return None
        return Source(path, self.files[path])


def fences(text: str) -> Iterator[Fence]:
    """The fenced blocks of a Markdown text, in order."""
    section = ""
    opened: tuple[int, str, str, tuple[str, ...]] | None = None
    lines: list[str] = []
    for number, line in enumerate(text.split("\n"), start=1):
        if opened is not None:
            if line.rstrip() == opened[1]:
                yield Fence(opened[0], section, opened[2], opened[3], "".join(one + "\n" for one in lines))
                opened = None
            else:
                lines.append(line)
            continue
        match = _FENCE.match(line)
        if match is not None:
            opened, lines = (number, match[1], match[2], tuple(match[3].split())), []
        elif line.startswith("## "):
            section = line.removeprefix("## ").strip()


def prose(text: str) -> Iterator[tuple[int, str]]:
    """The lines of a Markdown text outside its fences, with their numbers."""
    closing: str | None = None
    for number, line in enumerate(text.split("\n"), start=1):
        match = _FENCE.match(line)
        if closing is None and match is not None:
            closing = match[1]
        elif closing is not None:
            closing = None if line.rstrip() == closing else closing
        else:
            yield number, line
