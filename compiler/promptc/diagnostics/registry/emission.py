"""Codes PC9xx emission and internal."""

from promptc.diagnostics.codes import Code

EMISSION: tuple[Code, ...] = ()
