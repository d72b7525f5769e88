"""The language server over stdio: the protocol's messages, each led to one function."""

import asyncio
import gc
from collections.abc import Generator
from typing import Any

from lsprotocol import types as lsp
from pygls.lsp.server import LanguageServer
from pygls.protocol import LanguageServerProtocol, lsp_method

from promptc import __version__
from promptc.lsp.session import Session

# Edits that arrive together are checked together: a moment is enough to see whether more are waiting.
_PAUSE = 0.002
# Collecting garbage among all trees of a large spec takes longer than reading a keystroke: it waits for a rest.
_REST = 1.0
_YOUNG = (50_000, 100, 1_000_000)


class _Protocol(LanguageServerProtocol):
    """Leaves the texts of documents to the session, which counts lines as the protocol says."""

    @lsp_method(lsp.TEXT_DOCUMENT_DID_OPEN)
    def lsp_text_document__did_open(self, params: lsp.DidOpenTextDocumentParams) -> Generator[Any, Any, None]:
        yield self.fm.features[lsp.TEXT_DOCUMENT_DID_OPEN], (params,), None

    @lsp_method(lsp.TEXT_DOCUMENT_DID_CHANGE)
    def lsp_text_document__did_change(self, params: lsp.DidChangeTextDocumentParams) -> Generator[Any, Any, None]:
        yield self.fm.features[lsp.TEXT_DOCUMENT_DID_CHANGE], (params,), None

    @lsp_method(lsp.TEXT_DOCUMENT_DID_CLOSE)
    def lsp_text_document__did_close(self, params: lsp.DidCloseTextDocumentParams) -> Generator[Any, Any, None]:
        yield self.fm.features[lsp.TEXT_DOCUMENT_DID_CLOSE], (params,), None


class PromptcServer(LanguageServer):
    """The server with its state."""

    def __init__(self) -> None:
        super().__init__(
            "promptc",
            __version__,
            protocol_cls=_Protocol,
            text_document_sync_kind=lsp.TextDocumentSyncKind.Incremental,
        )
        self.session = Session()
        self._waiting: asyncio.TimerHandle | None = None
        self._cleaning: asyncio.TimerHandle | None = None
        gc.set_threshold(*_YOUNG)

    def soon(self) -> None:
        """Check after a moment; edits until then are checked together."""
        if self._waiting is None:
            self._waiting = asyncio.get_running_loop().call_later(_PAUSE, self.publish)

    def publish(self) -> None:
        """Check what changed, and send what was found."""
        if self._waiting is not None:
            self._waiting.cancel()
            self._waiting = None
        for view in self.session.views.values():
            if view.unsent:
                for params in view.publications():
                    self.text_document_publish_diagnostics(params)
        if self._cleaning is not None:
            self._cleaning.cancel()
        self._cleaning = asyncio.get_running_loop().call_later(_REST, gc.collect)


def make_server() -> PromptcServer:
    """A server with all its features."""
    from promptc.lsp.features import register

    server = PromptcServer()

    @server.feature(lsp.INITIALIZE)
    def initialize(_: lsp.InitializeParams) -> None:
        server.session.encoding = str(
            getattr(server.workspace.position_encoding, "value", server.workspace.position_encoding)
        )

    @server.feature(lsp.TEXT_DOCUMENT_DID_OPEN)
    def did_open(params: lsp.DidOpenTextDocumentParams) -> None:
        server.session.open(params.text_document)
        server.soon()

    @server.feature(lsp.TEXT_DOCUMENT_DID_CHANGE)
    def did_change(params: lsp.DidChangeTextDocumentParams) -> None:
        server.session.change(params)
        server.soon()

    @server.feature(lsp.TEXT_DOCUMENT_DID_CLOSE)
    def did_close(params: lsp.DidCloseTextDocumentParams) -> None:
        server.session.close(params.text_document.uri)
        server.soon()

    @server.feature(lsp.TEXT_DOCUMENT_DID_SAVE)
    def did_save(_: lsp.DidSaveTextDocumentParams) -> None:
        server.session.files_changed()
        server.soon()

    @server.feature(lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES)
    def files_changed(_: lsp.DidChangeWatchedFilesParams) -> None:
        server.session.files_changed()
        server.soon()

    register(server)
    return server
