"""Codes PC6xx cache plan and provider rules."""

from promptc.diagnostics.codes import Code

CACHE: tuple[Code, ...] = ()
