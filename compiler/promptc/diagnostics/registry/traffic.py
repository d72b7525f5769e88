"""Codes PC84x: scenarios of `promptc simulate`, and how tokens are counted."""

from promptc.diagnostics.codes import Code, error

TRAFFIC: tuple[Code, ...] = (
    error("PC840", "scenario-misfit", "Reported when a scenario file has not the form of a scenario."),
    error(
        "PC841",
        "scenario-does-not-fit-spec",
        "Reported when a scenario does something to a prompt that the prompt cannot take.",
    ),
    error("PC842", "tokenizers-missing", "Reported when a tokenizer is named and the package that reads it is absent."),
    error("PC843", "not-a-tokenizer", "Reported when a file that is to count tokens holds no tokenizer."),
)
