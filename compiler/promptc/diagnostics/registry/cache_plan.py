"""Codes PC680 to PC689: the cache plan of a prompt, held to the facts of its target."""

from promptc.diagnostics.codes import Code, error

CACHE_PLAN: tuple[Code, ...] = (
    error("PC680", "markers-not-taken", "Reported when a prompt places cache markers for a target that takes none."),
    error("PC681", "too-many-markers", "Reported when a prompt places more cache markers than its target takes."),
    error("PC682", "longer-ttl-behind", "Reported when a prompt asks for a longer lifetime behind a shorter one."),
    error("PC683", "ttl-not-offered", "Reported when a prompt asks for a lifetime that its target does not offer."),
)
