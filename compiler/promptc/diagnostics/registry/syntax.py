"""Codes PC1xx syntax."""

from promptc.diagnostics.codes import Code

SYNTAX: tuple[Code, ...] = ()
