"""Codes PC0xx project and files."""

from promptc.diagnostics.codes import Code

PROJECT: tuple[Code, ...] = ()
