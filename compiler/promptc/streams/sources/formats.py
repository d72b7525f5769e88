"""Every format of recordings, in the order in which they are tried; the first that a record fits is it."""

from promptc.streams.sources import (
    bodies,
    claude_code,
    claude_tap,
    codex,
    har,
    helicone,
    langfuse,
    litellm,
    mitmproxy,
    openpipe,
    otel_spans,
)
from promptc.streams.sources.model import SourceFormat

BODIES = bodies.FORMAT
DUMP = mitmproxy.FORMAT
# What only one format has is asked for first; a body with little around it is what is left.
JSON_FORMATS: tuple[SourceFormat, ...] = (
    har.FORMAT,
    claude_tap.FORMAT,
    helicone.FORMAT,
    codex.FORMAT,
    claude_code.FORMAT,
    langfuse.FORMAT,
    otel_spans.FORMAT,
    litellm.FORMAT,
    openpipe.FORMAT,
    BODIES,
)
FORMATS: tuple[SourceFormat, ...] = (*JSON_FORMATS, DUMP)
