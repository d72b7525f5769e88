"""Codes PC2xx names, modules, unused."""

from promptc.diagnostics.codes import Code

NAMES: tuple[Code, ...] = ()
