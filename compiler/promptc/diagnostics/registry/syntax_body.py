"""Codes PC130 to PC149: syntax of template bodies."""

from promptc.diagnostics.codes import Code

BODY_CODES: tuple[Code, ...] = ()
