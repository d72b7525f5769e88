"""Codes PC1xx syntax: the DSL, template bodies, and the YAML surface."""

from promptc.diagnostics.codes import Code
from promptc.diagnostics.registry.syntax_body import BODY_CODES
from promptc.diagnostics.registry.syntax_dsl import DSL_CODES
from promptc.diagnostics.registry.syntax_yaml import YAML_CODES

SYNTAX: tuple[Code, ...] = DSL_CODES + BODY_CODES + YAML_CODES
