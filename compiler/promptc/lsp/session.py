"""The state of one server: projects, open documents, and what was last known of each."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from lsprotocol import types as lsp
from pygls.uris import to_fs_path

from promptc.diagnostics.model import Diagnostic
from promptc.lsp.documents import Document, Lines, lines_of
from promptc.lsp.findings import finding
from promptc.lsp.index import Index, index_names
from promptc.lsp.workspace import Checked, EditedProject, config_stamp
from promptc.pipeline import Compilation
from promptc.project import CONFIG_NAME


@dataclass
class ProjectView:
    """A project with what the last check found.

    Attributes:
        encoding: Position encoding of the session.
        stale: Whether a text changed since the check.
        unsent: Whether something changed since findings were sent.
        published: What was last sent, by path.
    """

    project: EditedProject
    encoding: str
    stale: bool = True
    unsent: bool = True
    published: dict[str, tuple[Diagnostic, ...]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._checked: Checked | None = None
        self._indexes: dict[int, Index] = {}
        self._lines: dict[str, Lines] = {}

    def touch(self) -> None:
        """Note that a text changed."""
        self.stale = self.unsent = True

    @property
    def checked(self) -> Checked:
        """What is known of the texts as they are now."""
        if self._checked is None or self.stale:
            self._checked = self.project.check()
            self.stale = False
            self._lines.clear()
            self._indexes.clear()
        return self._checked

    def text(self, path: str) -> str:
        """The normalised text of a file; empty for one that no compilation read."""
        checked = self.checked
        for compilation in checked.compilations:
            source = compilation.sources.get(path)
            if source is not None:
                return source.text
        document = self.project.documents.get(path)
        return document.text.removeprefix("\ufeff").replace("\r\n", "\n") if document is not None else ""

    def lines(self, path: str) -> Lines:
        """The lines of a file as the editor counts them."""
        self.checked  # noqa: B018 - lines of an older text would be kept
        found = self._lines.get(path)
        if found is None:
            text = self.text(path)
            found = self._lines[path] = lines_of(text, self.encoding, self.project.documents.get(path))
        return found

    def written(self, path: str, text: str) -> str:
        """A text as it is written into a file: with the line ends of that."""
        document = self.project.documents.get(path)
        return text.replace("\n", document.line_end) if document is not None else text

    def uri(self, path: str) -> str:
        """The URI of a file, as the editor writes it where it is open."""
        document = self.project.documents.get(path)
        return document.uri if document is not None else (self.project.project.root / path).as_uri()

    def compilations(self, path: str) -> Iterator[Compilation]:
        """The compilations that a file takes part in."""
        return (c for c in self.checked.compilations if c.sources.get(path) is not None)

    def index(self, compilation: Compilation) -> Index:
        """The names of a compilation."""
        found = self._indexes.get(id(compilation))
        if found is None:
            found = self._indexes[id(compilation)] = index_names(compilation)
        return found

    def publications(self) -> Iterator[lsp.PublishDiagnosticsParams]:
        """What there is to say about each file now: of open documents always, of others where it differs."""
        self.unsent = False
        by_path: dict[str, list[Diagnostic]] = {}
        for diagnostic in self.checked.diagnostics:
            path = diagnostic.primary.span.path if diagnostic.primary is not None else CONFIG_NAME
            by_path.setdefault(path, []).append(diagnostic)
        for path in sorted({*by_path, *self.published, *self.project.documents}):
            found = tuple(by_path.get(path, ()))
            document = self.project.documents.get(path)
            if document is None and self.published.get(path, ()) == found:
                continue
            self.published[path] = found
            yield lsp.PublishDiagnosticsParams(
                uri=self.uri(path),
                diagnostics=[finding(d, self.lines, self.uri) for d in found],
                version=document.version if document is not None else None,
            )


@dataclass
class Session:
    """All projects that documents are open of.

    Attributes:
        encoding: What the client and the server count positions in.
    """

    encoding: str = "utf-16"
    views: dict[Path, ProjectView] = field(default_factory=dict)
    places: dict[str, tuple[ProjectView, str]] = field(default_factory=dict)

    def open(self, item: lsp.TextDocumentItem) -> None:
        """Take a document over from the file system; one outside of any file system is left alone."""
        name = to_fs_path(item.uri) if item.uri.startswith("file:") else None
        if name is None:
            return
        view, path = self._view(Path(name))
        view.project.documents[path] = Document(item.uri, item.version, item.text, self.encoding)
        view.touch()
        self.places[item.uri] = (view, path)

    def _view(self, file: Path) -> tuple[ProjectView, str]:
        project = EditedProject.of(file)
        view = self.views.setdefault(project.project.root, ProjectView(project, self.encoding))
        path = view.project.relative(file)
        assert path is not None, "a project holds the file that it was found by"
        return view, path

    def change(self, params: lsp.DidChangeTextDocumentParams) -> None:
        """Apply edits to an open document."""
        known = self.places.get(params.text_document.uri)
        if known is not None:
            view, path = known
            view.project.documents[path].change(params.text_document.version, params.content_changes)
            view.touch()

    def close(self, uri: str) -> None:
        """Give a document back to the file system."""
        known = self.places.pop(uri, None)
        if known is not None:
            view, path = known
            del view.project.documents[path]
            view.project.look_again()
            view.touch()

    def files_changed(self) -> None:
        """Look at the file system again: files were made, changed or removed, or a configuration was."""
        for root, view in list(self.views.items()):
            view.project.look_again()
            view.touch()
            if config_stamp(root) == view.project.config:
                continue
            documents = dict(view.project.documents)
            view.project = EditedProject.of(root)
            view.project.documents.update(documents)

    def find(self, uri: str) -> tuple[ProjectView, str] | None:
        """The project of an open document, and its path there; None for one that was not opened."""
        return self.places.get(uri)

    def document(self, uri: str) -> Document | None:
        """An open document."""
        known = self.places.get(uri)
        return known[0].project.documents[known[1]] if known is not None else None
