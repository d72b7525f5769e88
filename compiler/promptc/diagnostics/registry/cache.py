"""Codes PC6xx cache plan and provider rules."""

from promptc.diagnostics.codes import Code, error

CACHE: tuple[Code, ...] = (
    error(
        "PC677",
        "unusable-provider-override",
        "Reported when a project's own provider facts do not have the form of a provider file.",
    ),
)
