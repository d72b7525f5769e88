"""Codes PC3xx types, templates, determinism."""

from promptc.diagnostics.codes import Code

TYPES: tuple[Code, ...] = ()
