"""Session files of Codex: a line for each item; a request is what stood before the model's next items."""

from collections.abc import Iterator

from promptc.streams.json_value import JsonValue, has_member, member
from promptc.streams.sources.members import at, made
from promptc.streams.sources.model import Part, Record, SourceFormat, Where

_KINDS = ("session_meta", "turn_context", "response_item", "event_msg", "compacted")


def _matches(value: JsonValue) -> bool:
    return member(value, "type") in _KINDS and has_member(value, "payload")


def _is_input(item: JsonValue) -> bool:
    kind = member(item, "type")
    if kind == "message":
        return member(item, "role") != "assistant"
    return isinstance(kind, str) and kind.endswith("_output")


class _Session:
    """What is known of a session up to a line."""

    def __init__(self) -> None:
        self.name: JsonValue = None
        self.model: JsonValue = None
        self.items: list[JsonValue] = []
        self.waiting: tuple[list[JsonValue], Where, JsonValue] | None = None

    def take(self, usage: JsonValue = None) -> Iterator[Part]:
        """The request that waits for its usage."""
        if self.waiting is not None:
            items, where, moment = self.waiting
            body = made(("model", self.model), ("input", items))
            yield Part(body, where, moment, "/v1/responses", usage, self.name)
        self.waiting = None


def _read(records: Iterator[Record]) -> Iterator[Part]:
    session = _Session()
    for record in records:
        line, payload = record.value, member(record.value, "payload")
        match member(line, "type"):
            case "session_meta":
                session.name = member(payload, "id")
            case "turn_context":
                yield from session.take()
                session.model = member(payload, "model")
            case "compacted":
                yield from session.take()
                session.items = _compacted(payload)
            case "event_msg" if member(payload, "type") == "token_count":
                yield from session.take(at(payload, "info", "last_token_usage"))
            case "response_item":
                if not _is_input(payload) and session.items and _is_input(session.items[-1]):
                    yield from session.take()
                    session.waiting = (list(session.items), record.where, member(line, "timestamp"))
                session.items.append(payload)
    yield from session.take()


def _compacted(payload: JsonValue) -> list[JsonValue]:
    history = member(payload, "replacement_history")
    if isinstance(history, list):
        return list(history)
    return [made(("type", "message"), ("role", "user"), ("content", member(payload, "message")))]


FORMAT = SourceFormat(
    "codex",
    "Codex session",
    _matches,
    _read,
    "the system prompt and the tools are not read from a session file, and its items are not the bytes that were "
    "sent: only the conversation is compared",
)
