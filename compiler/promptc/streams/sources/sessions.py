"""Which session a request says that it belongs to."""

from promptc.streams.json_value import JsonObject, JsonValue
from promptc.streams.sources.members import at

# From the narrowest to the widest; a user's requests are told apart by what they hold.
_PLACES = (
    ("session_id",),
    ("conversation",),
    ("conversation", "id"),
    ("metadata", "session_id"),
    ("metadata", "conversation_id"),
    ("metadata", "thread_id"),
    ("requestMetadata", "session_id"),
    ("prompt_cache_key",),
    ("metadata", "user_id"),
)


def session_in_body(body: JsonObject) -> str | None:
    """The key of a session that a body carries; None where it carries none."""
    return next((key for place in _PLACES if (key := named(at(body, *place)))), None)


def named(value: JsonValue) -> str | None:
    """A key as text; None for anything that names nothing."""
    if isinstance(value, bytes):
        return value.decode("ascii")
    return value if isinstance(value, str) and value else None
