"""`promptc lsp`: the language server over stdin and stdout."""

from importlib.util import find_spec

from promptc.cli.console import stop


def lsp() -> None:
    """Serve editors over stdin and stdout (Language Server Protocol). Needs the extra `lsp`.

    Exit codes: 0 shut down as asked, 1 ended without, 2 the package that it needs is missing.
    """
    if find_spec("pygls") is None:
        stop("the language server needs the package `pygls`", help="pip install 'promptc-lang[lsp]'", finding="PC890")
    from promptc.lsp.server import make_server

    make_server().start_io()
