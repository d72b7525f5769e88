"""Codes PC690 to PC699: the form of a request body, and rules on what stands around and in front of it."""

from promptc.diagnostics.codes import Code, error, hint, warning

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
    hint(
        "PC695",
        "lookback-nearly-outrun",
        "Reported when a turn added nearly as many positions as the provider searches back through.",
    ),
    hint("PC696", "floating-model", "Reported when a model is named by an alias that moves to the latest snapshot."),
    error("PC697", "breakpoint-in-batch", "Reported when requests of a batch carry markers that are not taken there."),
    warning(
        "PC698",
        "storage-not-earned",
        "Reported when storing a cached object costs more than its expected reads save.",
    ),
    hint(
        "PC699",
        "fork-before-shared-text",
        "Reported when a section that some variants lack stands in front of much text that all of them share.",
    ),
)
