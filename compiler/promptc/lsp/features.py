"""Every feature of the server: one handler each, which finds the project and calls one function."""

from collections.abc import Callable
from typing import Any, TypeVar

from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcInvalidParams

from promptc.lsp import actions, completion, formatting, hints, hover, navigation, outlines, tokens
from promptc.lsp.preview import PreviewError, preview
from promptc.lsp.server import PromptcServer
from promptc.lsp.session import ProjectView

Answer = TypeVar("Answer")


def register(server: PromptcServer) -> None:
    """Give a server its features."""
    _register_places(server)
    _register_files(server)
    _register_rewrites(server)
    _register_preview(server)


def _in_file(server: PromptcServer, uri: str, answer: Callable[[ProjectView, str], Answer]) -> Answer | None:
    """Answer about an open document as it is now; None for one that is not open."""
    known = server.session.find(uri)
    return answer(*known) if known is not None else None


def _at_place(server: PromptcServer, params: Any, answer: Callable[[ProjectView, str, int], Answer]) -> Answer | None:
    """Answer about a place in an open document."""
    return _in_file(
        server,
        params.text_document.uri,
        lambda view, path: answer(view, path, view.lines(path).offset(params.position)),
    )


def _register_places(server: PromptcServer) -> None:
    @server.feature(lsp.TEXT_DOCUMENT_HOVER)
    def show_hover(params: lsp.HoverParams) -> lsp.Hover | None:
        return _at_place(server, params, hover.hover)

    @server.feature(
        lsp.TEXT_DOCUMENT_COMPLETION, lsp.CompletionOptions(trigger_characters=["@", "|", ".", '"', "(", "%", "{", " "])
    )
    def complete(params: lsp.CompletionParams) -> list[lsp.CompletionItem] | None:
        return _at_place(server, params, completion.complete)

    @server.feature(lsp.TEXT_DOCUMENT_DEFINITION)
    def definition(params: lsp.DefinitionParams) -> list[lsp.Location] | None:
        return _at_place(server, params, navigation.definition)

    @server.feature(lsp.TEXT_DOCUMENT_REFERENCES)
    def references(params: lsp.ReferenceParams) -> list[lsp.Location] | None:
        declared = params.context.include_declaration
        return _at_place(server, params, lambda v, p, at: navigation.references(v, p, at, declared))

    @server.feature(lsp.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT)
    def highlights(params: lsp.DocumentHighlightParams) -> list[lsp.DocumentHighlight] | None:
        return _at_place(server, params, navigation.highlights)


def _register_files(server: PromptcServer) -> None:
    @server.feature(lsp.TEXT_DOCUMENT_INLAY_HINT)
    def inlay_hints(params: lsp.InlayHintParams) -> list[lsp.InlayHint] | None:
        def answer(view: ProjectView, path: str) -> list[lsp.InlayHint]:
            lines = view.lines(path)
            return hints.inlay_hints(view, path, lines.offset(params.range.start), lines.offset(params.range.end))

        return _in_file(server, params.text_document.uri, answer)

    @server.feature(lsp.TEXT_DOCUMENT_CODE_LENS)
    def code_lenses(params: lsp.CodeLensParams) -> list[lsp.CodeLens] | None:
        return _in_file(server, params.text_document.uri, hints.code_lenses)

    @server.feature(lsp.TEXT_DOCUMENT_DOCUMENT_SYMBOL)
    def symbols(params: lsp.DocumentSymbolParams) -> list[lsp.DocumentSymbol] | None:
        return _in_file(server, params.text_document.uri, outlines.document_symbols)

    @server.feature(lsp.WORKSPACE_SYMBOL)
    def workspace_symbols(params: lsp.WorkspaceSymbolParams) -> list[lsp.WorkspaceSymbol]:
        views = server.session.views.values()
        return [symbol for view in views for symbol in outlines.workspace_symbols(view, params.query)]

    @server.feature(lsp.TEXT_DOCUMENT_FOLDING_RANGE)
    def foldings(params: lsp.FoldingRangeParams) -> list[lsp.FoldingRange] | None:
        return _in_file(server, params.text_document.uri, outlines.foldings)

    @server.feature(lsp.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL, tokens.LEGEND)
    def semantic_tokens(params: lsp.SemanticTokensParams) -> lsp.SemanticTokens | None:
        return _in_file(server, params.text_document.uri, tokens.semantic_tokens)


def _register_rewrites(server: PromptcServer) -> None:
    @server.feature(lsp.TEXT_DOCUMENT_PREPARE_RENAME)
    def prepare_rename(params: lsp.PrepareRenameParams) -> lsp.Range | None:
        return _at_place(server, params, navigation.rename_range)

    @server.feature(lsp.TEXT_DOCUMENT_RENAME, lsp.RenameOptions(prepare_provider=True))
    def rename(params: lsp.RenameParams) -> lsp.WorkspaceEdit | None:
        try:
            return _at_place(server, params, lambda v, p, at: navigation.rename(v, p, at, params.new_name))
        except navigation.RenameError as fault:
            raise JsonRpcInvalidParams(str(fault)) from fault

    @server.feature(lsp.TEXT_DOCUMENT_FORMATTING)
    def format_document(params: lsp.DocumentFormattingParams) -> list[lsp.TextEdit] | None:
        return _in_file(server, params.text_document.uri, formatting.format_document)

    @server.feature(
        lsp.TEXT_DOCUMENT_CODE_ACTION,
        lsp.CodeActionOptions(code_action_kinds=[lsp.CodeActionKind.QuickFix, lsp.CodeActionKind.RefactorExtract]),
    )
    def code_actions(params: lsp.CodeActionParams) -> list[lsp.CodeAction] | None:
        def answer(view: ProjectView, path: str) -> list[lsp.CodeAction]:
            lines = view.lines(path)
            start, end = lines.offset(params.range.start), lines.offset(params.range.end)
            return actions.code_actions(view, path, start, end, params.context.only)

        return _in_file(server, params.text_document.uri, answer)


def _register_preview(server: PromptcServer) -> None:
    @server.feature(hints.PREVIEW)
    def preview_request(params: Any) -> dict[str, Any]:
        return _preview(server, *(getattr(params, name, None) for name in ("uri", "prompt", "sample", "against")))

    @server.command(hints.PREVIEW)
    def preview_command(*asked: Any) -> dict[str, Any]:
        return _preview(server, *asked)


def _preview(server: PromptcServer, *asked: Any) -> dict[str, Any]:
    uri, *rest = (*asked, None, None, None, None)[:4]
    if not isinstance(uri, str) or not all(value is None or isinstance(value, str) for value in rest):
        raise JsonRpcInvalidParams(
            message="`uri` is a text, and so are `prompt`, `sample` and `against` where they are given"
        )
    known = server.session.find(uri)
    if known is None:
        raise JsonRpcInvalidParams(message=f"{uri} is not open")
    view, path = known
    try:
        return preview(view, path, *rest)
    except PreviewError as fault:
        raise JsonRpcInvalidParams(str(fault)) from fault
