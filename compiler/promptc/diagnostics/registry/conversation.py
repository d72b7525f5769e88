"""Codes PC7xx conversation, attachments, trust."""

from promptc.diagnostics.codes import Code

CONVERSATION: tuple[Code, ...] = ()
