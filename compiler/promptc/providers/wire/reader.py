"""Choose the reader of a wire format."""

from collections.abc import Callable, Mapping

from promptc.providers.model import Marker, Provider, WireFormat
from promptc.providers.registry import marker_fields
from promptc.providers.wire import (
    anthropic_messages,
    bedrock_converse,
    gemini_generate,
    openai_chat,
    openai_responses,
)
from promptc.providers.wire.view import Json, View

Reader = Callable[[Mapping[str, Json], Marker | None, frozenset[str]], View]

READERS: dict[WireFormat, Reader] = {
    "anthropic-messages": anthropic_messages.read,
    "bedrock-converse": bedrock_converse.read,
    "bedrock-nova-invoke": bedrock_converse.read,
    "openai-chat": openai_chat.read,
    "openai-responses": openai_responses.read,
    "gemini-generate": gemini_generate.read,
}


def read_request(body: Mapping[str, Json], provider: Provider) -> View:
    """The view of a request body in the provider's format."""
    return READERS[provider.format](body, provider.marker, marker_fields())
