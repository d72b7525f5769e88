"""LiteLLM: StandardLoggingPayload, and rows of spend logs that keep the body in `proxy_server_request`."""

from collections.abc import Iterator

from promptc.streams.detect import detect_format
from promptc.streams.json_value import JsonObject, JsonValue, has_member, member
from promptc.streams.sources.members import at, first_of, made, unpacked
from promptc.streams.sources.model import Part, SourceFormat, Where, below, each


def _matches(value: JsonValue) -> bool:
    if has_member(value, "proxy_server_request"):
        return True
    return has_member(value, "messages") and (has_member(value, "model_parameters") or has_member(value, "call_type"))


def _read(value: JsonValue, where: Where) -> Iterator[Part]:
    body, pointer = _body(value)
    if body is None:
        return
    yield Part(
        body=body,
        where=below(where, pointer),
        at=first_of(value, "startTime", "start_time"),
        endpoint=first_of(value, "api_base"),
        usage=first_of(value, "usage", "usage_object") or at(value, "metadata", "usage_object") or _counts(value),
        session=first_of(value, "session_id") or at(value, "metadata", "session_id") or first_of(value, "trace_id"),
    )


def _body(value: JsonValue) -> tuple[JsonValue, str]:
    """What the proxy was sent, as long as it is kept; else the payload's own parts put together."""
    sent = unpacked(member(value, "proxy_server_request"))
    inner = unpacked(member(sent, "body"))
    if isinstance(inner, tuple) and detect_format(inner) is not None:
        return inner, "/proxy_server_request/body"
    if isinstance(sent, tuple) and detect_format(sent) is not None:
        return sent, "/proxy_server_request"
    messages = unpacked(member(value, "messages"))
    if not isinstance(messages, list) or not messages:
        return None, ""
    given = unpacked(member(value, "model_parameters"))
    settings: JsonObject = given if isinstance(given, tuple) else ()
    parts = made(("model", member(value, "model")), *settings, ("messages", messages))
    return parts, ""


def _counts(value: JsonValue) -> JsonValue:
    return made(*((name, member(value, name)) for name in ("prompt_tokens", "completion_tokens"))) or None


FORMAT = SourceFormat(
    "litellm",
    "LiteLLM log",
    _matches,
    each(_read),
    "records without `proxy_server_request` are put together from `messages` and `model_parameters`, "
    "which LiteLLM wrote in its own form: order of keys, cache markers and system text may not be as sent",
)
