"""Codes PC690 to PC694: whether a request body is built as its format asks."""

from promptc.diagnostics.codes import Code, error, hint

REQUEST_SHAPE: tuple[Code, ...] = (
    error("PC690", "missing-member", "Reported when a request body lacks a member that its format asks for."),
    error("PC691", "wrong-member-type", "Reported when a member of a request body has a value of another type."),
    error("PC692", "unknown-role", "Reported when a message of a request has a role that its format does not know."),
    hint(
        "PC693",
        "misspelled-member",
        "Reported when a request body has an unknown member whose name is close to a known one.",
    ),
    error("PC694", "value-not-taken", "Reported when a member of a request body has a value that is never taken."),
)
