"""Codes PC680 to PC689: the cache plan of a prompt, held to the facts of its target."""

from promptc.diagnostics.codes import Code, error, warning

CACHE_PLAN: tuple[Code, ...] = (
    error("PC680", "markers-not-taken", "Reported when a prompt marks what its target can cache in no such way."),
    error("PC681", "too-many-markers", "Reported when a prompt places more cache markers than its target takes."),
    error("PC682", "longer-ttl-behind", "Reported when a prompt asks for a longer lifetime behind a shorter one."),
    error("PC683", "ttl-not-offered", "Reported when a prompt asks for a lifetime that its target does not offer."),
    error("PC684", "traffic-missing", "Reported when a prompt caches automatically and no traffic is told."),
    error("PC685", "faulty-traffic", "Reported when a traffic clause is missing, stands twice or says nothing."),
    error("PC686", "shares-not-whole", "Reported when the shares of a traffic clause are no distribution."),
    error("PC687", "marker-beside-auto", "Reported when a prompt that caches automatically places a marker itself."),
    warning("PC688", "nothing-to-cache", "Reported when automatic caching finds no marker that would save anything."),
    warning("PC689", "size-not-told", "Reported when automatic caching plans for tools whose size nothing tells."),
)
