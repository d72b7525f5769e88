"""Codes PC150 to PC169: the YAML surface."""

from promptc.diagnostics.codes import Code

YAML_CODES: tuple[Code, ...] = ()
