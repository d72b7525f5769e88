"""Codes PC87x: audits of logs."""

from promptc.diagnostics.codes import Code, error

AUDITS: tuple[Code, ...] = (
    error("PC870", "audit-state-misfit", "Reported when a file cannot be the state that an audit goes on with."),
    error("PC871", "nothing-audited", "Reported when no request of a log is of the time that was asked for."),
)
