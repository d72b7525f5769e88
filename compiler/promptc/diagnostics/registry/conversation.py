"""Codes PC7xx conversation, attachments, trust."""

from promptc.diagnostics.codes import Code, error

CONVERSATION: tuple[Code, ...] = (
    error("PC701", "untrusted-in-tool", "Reported when untrusted text goes into what describes a tool."),
    error(
        "PC702", "untrusted-without-envelope", "Reported when untrusted text stands in a message without an envelope."
    ),
)
