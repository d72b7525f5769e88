"""Takes keys out of what is read from a recording: they are no part of a prefix, and reports are passed on."""

from urllib.parse import urlsplit

from promptc.streams.json_value import JsonObject, JsonValue, has_member, member, with_member, without

# Members of a request, or of a server that it names, which carry credentials; `-` and case are evened out.
_NAMES = frozenset(
    [
        "api_key",
        "apikey",
        "x_api_key",
        "api_token",
        "authorization",
        "authorization_token",
        "auth_token",
        "access_token",
        "bearer_token",
        "token",
        "secret",
        "client_secret",
        "password",
        "credentials",
        "headers",
        "extra_headers",
        "proxy_authorization",
        "cookie",
        "user_api_key",
        "aws_access_key_id",
        "aws_secret_access_key",
        "aws_session_token",
        "vertex_credentials",
        "azure_ad_token",
    ]
)
_HOLDERS = ("tools", "mcp_servers", "metadata", "extra_body", "litellm_metadata", "connectors")


def without_secrets(body: JsonObject) -> JsonObject:
    """A body without the members that carry credentials: its own, and those of the servers and tools that it names."""
    bare = without(body, *(key for key, _ in body if _is_secret(key)))
    for name in _HOLDERS:
        if has_member(bare, name):
            held = member(bare, name)
            bare = with_member(bare, name, _stripped(held, name))
    return bare


def address(endpoint: JsonValue) -> str | None:
    """Where a request went, without user, password, query and fragment: each of them may hold a key."""
    if not isinstance(endpoint, str) or not endpoint:
        return None
    try:
        parts = urlsplit(endpoint)
        host, port = parts.hostname or "", parts.port
    except ValueError:
        return None
    scheme = f"{parts.scheme}://" if parts.scheme and parts.netloc else ""
    return f"{scheme}{host}{f':{port}' if port else ''}{parts.path}"


def _is_secret(name: str) -> bool:
    return name.lower().replace("-", "_") in _NAMES


def _stripped(held: JsonValue, holder: str) -> JsonValue:
    if isinstance(held, list):
        return [_stripped(item, holder) for item in held]
    # A function may well have a parameter of such a name; its schema is below the tool and is not touched.
    names = [key for key, _ in held if _is_secret(key)] if isinstance(held, tuple) else []
    return without(held, *names) if isinstance(held, tuple) and names else held
