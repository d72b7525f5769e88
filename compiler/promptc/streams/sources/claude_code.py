"""Session files of Claude Code: a line for each message; a request is what led to an answer."""

from collections.abc import Iterator

from promptc.streams.json_value import JsonValue, has_member, member
from promptc.streams.sources.members import made
from promptc.streams.sources.model import Part, Record, SourceFormat

_KINDS = ("user", "assistant", "system", "summary", "attachment", "file-history-snapshot")
# What the program answers in the model's place.
_NOT_A_MODEL = "<synthetic>"
_HELD_SESSIONS = 32


def _matches(value: JsonValue) -> bool:
    if has_member(value, "sessionId") and (has_member(value, "message") or member(value, "type") in _KINDS):
        return True
    return member(value, "type") in ("user", "assistant") and has_member(value, "message")


class _Thread:
    """Messages by the ids that say what follows what; in the order of the lines where there are no ids."""

    def __init__(self) -> None:
        self._lines: dict[str, tuple[JsonValue, JsonValue]] = {}
        self._loose: list[JsonValue] = []
        self.answered: set[str] = set()

    def add(self, line: JsonValue) -> None:
        """Take a line in."""
        sent = _message(member(line, "message"))
        name = member(line, "uuid")
        if isinstance(name, str):
            # Lines without a message are links of the chain too.
            self._lines[name] = (member(line, "parentUuid"), sent)
        elif sent is not None:
            self._loose.append(sent)

    def before(self, line: JsonValue) -> list[JsonValue]:
        """The messages that a line answers, oldest first."""
        # An answer always answers something: without a parent, what stands before it does.
        if not isinstance(member(line, "parentUuid"), str):
            linked = [sent for _, sent in self._lines.values() if sent is not None]
            return [*self._loose, *linked]
        chain: list[JsonValue] = []
        seen: set[str] = set()
        name = member(line, "parentUuid")
        while isinstance(name, str) and name in self._lines and name not in seen:
            seen.add(name)
            name, sent = self._lines[name]
            if sent is not None:
                chain.append(sent)
        return chain[::-1]


def _message(value: JsonValue) -> JsonValue:
    if member(value, "role") not in ("user", "assistant") or member(value, "content") is None:
        return None
    return (("role", member(value, "role")), ("content", member(value, "content")))


class _Threads:
    """The newest sessions of a file; what is older has ended, and memory must not grow with their number."""

    def __init__(self) -> None:
        self._threads: dict[str, _Thread] = {}

    def of(self, line: JsonValue) -> _Thread:
        """The thread of the session that a line belongs to."""
        name = member(line, "sessionId")
        key = name if isinstance(name, str) else ""
        thread = self._threads.pop(key, None) or _Thread()
        self._threads[key] = thread
        if len(self._threads) > _HELD_SESSIONS:
            del self._threads[next(iter(self._threads))]
        return thread


def _read(records: Iterator[Record]) -> Iterator[Part]:
    threads = _Threads()
    for record in records:
        line = record.value
        thread = threads.of(line)
        answered = thread.answered
        answer = member(line, "message")
        if member(answer, "role") == "assistant" and member(answer, "model") != _NOT_A_MODEL:
            # An answer of several blocks has a line for each, all with the id of the one answer.
            name = member(answer, "id")
            if not isinstance(name, str) or name not in answered:
                before = thread.before(line)
                yield Part(
                    body=made(("model", member(answer, "model")), ("messages", before)) if before else None,
                    where=record.where,
                    at=member(line, "timestamp"),
                    endpoint="/v1/messages",
                    usage=member(answer, "usage"),
                    session=_session(line),
                )
            if isinstance(name, str):
                answered.add(name)
        thread.add(line)


def _session(line: JsonValue) -> JsonValue:
    session, agent = member(line, "sessionId"), member(line, "agentId")
    return f"{session}/{agent}" if isinstance(session, str) and isinstance(agent, str) else session


FORMAT = SourceFormat(
    "claude-code",
    "Claude Code session",
    _matches,
    _read,
    "the system prompt and the tools are not in a session file, and neither are cache markers: "
    "only the conversation is compared",
)
