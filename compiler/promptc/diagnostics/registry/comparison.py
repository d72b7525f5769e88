"""Codes PC8xx comparison."""

from promptc.diagnostics.codes import Code

COMPARISON: tuple[Code, ...] = ()
