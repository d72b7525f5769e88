"""Codes PC89x: the language server."""

from promptc.diagnostics.codes import Code, error

EDITOR: tuple[Code, ...] = (
    error(
        "PC890",
        "language-server-missing",
        "Reported when the language server is started and the package that it needs is absent.",
    ),
)
