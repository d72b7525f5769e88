"""Codes PC93x: what a build wrote, read back."""

from promptc.diagnostics.codes import Code, error

BUILT_FILES: tuple[Code, ...] = (
    error("PC930", "unreadable-manifest", "Reported when a file that should be a built manifest has not that form."),
    error("PC931", "unreadable-lock", "Reported when promptc.lock cannot be read."),
)
