"""Codes PC84x: scenarios of `promptc simulate`."""

from promptc.diagnostics.codes import Code, error

TRAFFIC: tuple[Code, ...] = (
    error("PC840", "scenario-misfit", "Reported when a scenario file has not the form of a scenario."),
    error(
        "PC841",
        "scenario-does-not-fit-spec",
        "Reported when a scenario does something to a prompt that the prompt cannot take.",
    ),
)
