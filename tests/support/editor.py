"""An editor: drives the language server over stdio, and counts positions by itself."""

import asyncio
import sys
from collections.abc import Awaitable, Sequence
from pathlib import Path
from typing import Any, TypeVar

from lsprotocol import types as lsp
from pygls.lsp.client import LanguageClient

Answer = TypeVar("Answer")
_PATIENCE = 120


def unit_length(text: str, encoding: str) -> int:
    """Code units of a text."""
    width = {"utf-8": 1, "utf-16": 2, "utf-32": 4}[encoding]
    name = {"utf-8": "utf-8", "utf-16": "utf-16-le", "utf-32": "utf-32-le"}[encoding]
    return len(text.encode(name)) // width


def position(text: str, offset: int, encoding: str) -> lsp.Position:
    """The position of an offset of an editor's text, line ends as the protocol has them."""
    before = text[:offset]
    if before.endswith("\r") and text[offset : offset + 1] == "\n":
        before = before[:-1]
    lines = before.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    return lsp.Position(len(lines) - 1, unit_length(lines[-1], encoding))


def applied(text: str, edits: Sequence[lsp.TextEdit], encoding: str) -> str:
    """A text after edits whose ranges do not overlap."""
    places = {(p.line, p.character): i for i in range(len(text), -1, -1) for p in (position(text, i, encoding),)}
    ranges = [
        (
            places[e.range.start.line, e.range.start.character],
            places[e.range.end.line, e.range.end.character],
            e.new_text,
        )
        for e in edits
    ]
    for start, end, new in sorted(ranges, reverse=True):
        text = text[:start] + new + text[end:]
    return text


class Editor:
    """A session with a server of its own.

    Attributes:
        texts: Open documents by path below the root.
        published: What the server said last of each URI.
    """

    def __init__(self, root: Path, encoding: str = "utf-16") -> None:
        self.root = root
        self.encoding = encoding
        self.texts: dict[str, str] = {}
        self.versions: dict[str, int] = {}
        self.published: dict[str, lsp.PublishDiagnosticsParams] = {}
        self.loop = asyncio.new_event_loop()
        self.run(self._start())

    def run(self, work: Awaitable[Answer]) -> Answer:
        """Wait for an answer."""
        return self.loop.run_until_complete(asyncio.wait_for(work, _PATIENCE))

    async def _start(self) -> None:
        self.client = LanguageClient("test", "1")

        @self.client.feature(lsp.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
        def _(params: lsp.PublishDiagnosticsParams) -> None:
            self.published[params.uri] = params

        await self.client.start_io(sys.executable, "-m", "promptc", "lsp")
        general = lsp.GeneralClientCapabilities(position_encodings=[lsp.PositionEncodingKind(self.encoding)])
        rename = lsp.TextDocumentClientCapabilities(rename=lsp.RenameClientCapabilities(prepare_support=True))
        found = await self.client.initialize_async(
            lsp.InitializeParams(capabilities=lsp.ClientCapabilities(general=general, text_document=rename))
        )
        assert found.capabilities.position_encoding == self.encoding
        self.client.initialized(lsp.InitializedParams())

    def close(self) -> None:
        """Shut the server down."""
        self.run(self.client.shutdown_async(None))
        self.client.exit(None)
        self.run(self.client.stop())
        self.loop.close()

    # -- documents ---------------------------------------------------------------------------------

    def uri(self, path: str) -> str:
        """The URI of a file."""
        return (self.root / path).as_uri()

    def open(self, path: str, text: str | None = None) -> None:
        """Open a file, with the text that it has or another one."""
        text = (self.root / path).read_bytes().decode() if text is None else text
        self.texts[path], self.versions[path] = text, 1
        item = lsp.TextDocumentItem(self.uri(path), "promptc", 1, text)
        self.client.text_document_did_open(lsp.DidOpenTextDocumentParams(item))

    def shut(self, path: str) -> None:
        """Close a document."""
        del self.texts[path]
        self.client.text_document_did_close(lsp.DidCloseTextDocumentParams(self.document(path)))

    def type(self, path: str, start: int, delete: int, new: str) -> None:
        """Replace a range of an open document."""
        text = self.texts[path]
        place = lsp.Range(position(text, start, self.encoding), position(text, start + delete, self.encoding))
        self.texts[path] = text[:start] + new + text[start + delete :]
        self.versions[path] += 1
        document = lsp.VersionedTextDocumentIdentifier(self.versions[path], self.uri(path))
        change = lsp.TextDocumentContentChangePartial(range=place, text=new)
        self.client.text_document_did_change(lsp.DidChangeTextDocumentParams(document, [change]))

    def diagnostics(self, path: str) -> list[lsp.Diagnostic]:
        """What the server says of the text as it is now."""

        async def wait() -> lsp.PublishDiagnosticsParams:
            while (found := self.published.get(self.uri(path))) is None or found.version != self.versions[path]:
                await asyncio.sleep(0.0005)
            return found

        return list(self.run(wait()).diagnostics)

    def document(self, path: str) -> lsp.TextDocumentIdentifier:
        """How requests name a document."""
        return lsp.TextDocumentIdentifier(self.uri(path))

    def place(self, path: str, words: str, inside: int = 0) -> dict[str, Any]:
        """The part of a request that names a place: where some words of a text stand first."""
        text = self.texts[path]
        at = position(text, text.index(words) + inside, self.encoding)
        return {"text_document": self.document(path), "position": at}
