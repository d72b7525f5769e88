"""What of a line is decoded: members that decide something, as raw bytes; everything else is passed over."""

from collections.abc import Callable
from typing import Any

SESSION = ("session_id", "conversation", "metadata", "requestMetadata", "prompt_cache_key")
LISTS = ("messages", "contents", "input")
_OUTER = ("at", "timestamp", "endpoint", "path", "url", "session", "usage", "response_usage")


def line_decoder(format: str, members: tuple[str, ...]) -> Callable[[bytes], Any]:
    """A decoder of lines.

    Args:
        format: Name of the format of the log: request bodies, alone or in records, or claude-tap.
        members: Names of the small members of a body.
    """
    import msgspec

    define: Any = msgspec.defstruct
    unset: Any = msgspec.UNSET
    # Types that are made at run time, which no checker follows.
    small: Any = msgspec.Raw | msgspec.UnsetType
    many: Any = list[msgspec.Raw] | msgspec.UnsetType

    def fields(names: tuple[str, ...], kind: Any) -> list[tuple[str, Any, Any]]:
        return [(name, kind, unset) for name in dict.fromkeys(names)]

    of_body = [*fields((*members, "requests"), small), *fields(LISTS, many)]
    body = define("Body", of_body, gc=False)
    if format == "claude-tap":
        answer = define("Answer", fields(("usage", "usageMetadata"), small), gc=False)
        response = define("Response", fields(("body",), answer | msgspec.UnsetType), gc=False)
        request = define("Request", [("body", body), ("path", small, unset)], gc=False)
        outer = [
            ("request", request),
            *fields(("timestamp",), small),
            *fields(("response",), response | msgspec.UnsetType),
        ]
        record = define("Record", outer, gc=False)
    else:
        outer_names = tuple(name for name in _OUTER if name not in members)
        outer = [*of_body, *fields(outer_names, small), *fields(("body",), body | msgspec.UnsetType)]
        record = define("Record", outer, gc=False)
    decode: Callable[[bytes], Any] = msgspec.json.Decoder(record).decode
    return decode
