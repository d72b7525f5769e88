"""Codes PC5xx gates, variants, limits."""

from promptc.diagnostics.codes import Code

GATES: tuple[Code, ...] = ()
