"""Codes PC4xx stability, order, delivery."""

from promptc.diagnostics.codes import Code

STABILITY: tuple[Code, ...] = ()
