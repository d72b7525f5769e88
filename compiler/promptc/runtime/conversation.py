"""The messages of a request, for the wire format `anthropic-messages`: preamble, replayed and new tail, marker."""

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

from promptc.runtime.checks import check_json, check_text
from promptc.runtime.errors import InputError
from promptc.runtime.escape import escape, escape_joined
from promptc.runtime.json_text import as_given
from promptc.runtime.request import Parts, Sealed, seal
from promptc.runtime.state import Decision, Logged, Work

# The first marks of every assembler: the format's own bytes, what the caller passed, and what joins sections.
WIRE = 0
CALLER = 1
SEAM = 2

_HEAD = {"user": b'{"role":"user","content":[', "assistant": b'{"role":"assistant","content":['}
_TEXT_HEAD = {role: head + b'{"type":"text","text":"' for role, head in _HEAD.items()}

_COMMA_HEAD = {role: b"," + head for role, head in _HEAD.items()}
# What ends a message of one text and begins the next, and the control character that stands for it while escaping.
_SEAM = {role: b'"}]},' + head for role, head in _TEXT_HEAD.items()}
_SEPARATOR = {"user": b"\0", "assistant": b"\1"}
_UNMARKABLE = ("thinking", "redacted_thinking")

Block = Mapping[str, Any]


class Written:
    """A message of one text that is escaped already; a host keeps these instead of escaping its history every time.

    Attributes:
        role: `user` or `assistant`.
        content: The text.
        data: The whole message as JSON.
    """

    __slots__ = ("content", "data", "role")

    def __init__(self, role: str, content: str) -> None:
        if role not in _TEXT_HEAD:
            raise InputError("role", "must be `user` or `assistant`")
        check_text(content, "content")
        self.role = role
        self.content = content
        self.data = _TEXT_HEAD[role] + escape(content) + b'"}]}'


Message: TypeAlias = Mapping[str, object] | Written


class Conversation:
    """The messages of one request: the caller's, what is replayed and what is added.

    Attributes:
        takes_preamble: Whether a message can hold the preamble.
        takes_tail: Whether the last message is from the user.
        only_results: Whether the last message holds nothing but tool results.
        anchor: Number of messages.
    """

    __slots__ = (
        "_after", "_first", "_front", "_marked", "_messages", "_passing", "_work", "_written", "anchor", "only_results",
        "takes_preamble", "takes_tail",
    )  # fmt: skip

    def __init__(self, messages: Sequence[Message], work: Work) -> None:
        self._work = work
        self._messages: list[tuple[str, str | list[Block]]] = []
        self._first = -1
        self._written: dict[int, bytes] = {}
        for at, message in enumerate(messages):
            if type(message) is Written:
                self._written[at] = message.data
            role, content = _read(message, at, work)
            self._messages.append((role, content))
            if self._first < 0 and role == "user" and (isinstance(content, str) or not _any_result(content)):
                self._first = at
        self.anchor = len(self._messages)
        self.takes_preamble = self._first >= 0
        role, content = self._messages[-1] if self._messages else ("", "")
        self.takes_tail = role == "user"
        self.only_results = isinstance(content, list) and bool(content) and all(_is_result(b) for b in content)
        self._front: tuple[bytes, Any] | None = None
        self._after: dict[int, list[tuple[bytes, Any]]] = {}
        self._passing: tuple[bytes, Any] | None = None
        if work.log:
            self._replay()

    def _replay(self) -> None:
        kept = []
        for entry in self._work.log:
            at = entry.anchor - 1
            if at < self.anchor and self._messages[at][0] == "user":
                self._after.setdefault(at, []).append((escape(entry.text), CALLER))
                kept.append(entry)
            else:
                self._work.decisions.append(Decision("log-dropped", ",".join(entry.sections), "its message is gone"))
        self._work.log = kept

    def written(self, section: str) -> bool:
        """Whether an earlier request wrote a section at this very place."""
        return any(entry.anchor == self.anchor and section in entry.sections for entry in self._work.log)

    def set_preamble(self, data: bytes, mark: Any) -> None:
        """Put an escaped text in front of the first message from the user."""
        self._front = (data, mark)

    def withhold_preamble(self) -> None:
        """Record that no message can hold the preamble."""
        self._work.decisions.append(Decision("preamble-withheld", "", "no message from the user can hold it"))

    def append(self, texts: Sequence[tuple[str, str, int]], opening: str, separator: str, closing: str) -> None:
        """Append texts to the last message, in this and in all later requests; empty ones leave no trace.

        Args:
            texts: Section, text and mark of each.
        """
        texts = [entry for entry in texts if entry[1]]
        if texts:
            sealed = _enclose(texts, opening, separator, closing)
            self._after.setdefault(self.anchor - 1, []).append(sealed)
            whole = opening + separator.join([text for _, text, _ in texts]) + closing
            self._work.log.append(Logged(self.anchor, tuple([name for name, _, _ in texts]), whole))

    def append_once(self, texts: Sequence[tuple[str, str, int]], opening: str, separator: str, closing: str) -> None:
        """Append texts to the last message in this request only, behind the marked block."""
        texts = [entry for entry in texts if entry[1]]
        if texts:
            self._passing = _enclose(texts, opening, separator, closing)

    def withhold_tail(self) -> None:
        """Record that no tail is written."""
        self._work.decisions.append(Decision("tail-withheld", "", "the last message is not from the user"))

    def write(self, out: Parts, marker: bytes, lagging: bool = False) -> None:
        """Write the messages, without the brackets around them.

        Args:
            marker: The cache marker with the comma in front of it; empty for none.
            lagging: Whether the marker stands a second time, where the request before had it.
        """
        marked = self._marked_block(self.anchor) if marker else None
        marks = {} if marked is None else {marked[0]: [marked[1]]}
        if lagging and marked is not None:
            self._add_lagging(marks)
        special = set(self._after)
        if self._front is not None:
            special.add(self._first)
        if self._passing is not None:
            special.add(self.anchor - 1)
        special.update(marks)
        if marker and not marks:
            self._work.decisions.append(Decision("marker-withheld", "", "no block may carry the cache marker"))
        run: list[int] = []
        for at, (role, content) in enumerate(self._messages):
            if at in special or not isinstance(content, str):
                self._write_run(out, run)
                run = []
                out += (_COMMA_HEAD[role] if at else _HEAD[role], WIRE)
                self._write_blocks(out, at, content, marks.get(at, ()), marker)
                out += (b"]}", WIRE)
            else:
                run.append(at)
        self._write_run(out, run)

    def _write_run(self, out: Parts, run: list[int]) -> None:
        """Write neighbouring messages of one text each, where nothing is added to any of them."""
        fresh: list[int] = []
        for at in run:
            data = self._written.get(at)
            if data is None:
                fresh.append(at)
                continue
            self._write_fresh(out, fresh)
            fresh = []
            out += (b"," if at else b"", WIRE, data, CALLER)
        self._write_fresh(out, fresh)

    def _write_fresh(self, out: Parts, run: list[int]) -> None:
        if not run:
            return
        pieces: list[bytes] = []
        try:
            for at in run:
                role, content = self._messages[at]
                assert isinstance(content, str)
                pieces += (_SEPARATOR[role], content.encode())
            data = escape_joined(pieces, len(run))
        except UnicodeEncodeError:
            data = None
        if data is not None:
            data = data.replace(b"\0", _SEAM["user"]).replace(b"\1", _SEAM["assistant"])
            # The first seam closes a message that is not there; the comma at its end is needed between messages.
            out += (data[4 if run[0] else 5 :], CALLER, b'"}]}', WIRE)
            return
        for at in run:
            role, content = self._messages[at]
            assert isinstance(content, str)
            out += ((b"," if at else b"") + _TEXT_HEAD[role], WIRE, _escape(content, at), CALLER, b'"}]}', WIRE)

    def _write_blocks(
        self, out: Parts, at: int, content: str | list[Block], marked: Sequence[int], marker: bytes
    ) -> None:
        """Write one message block by block; `marked` counts all blocks but the passing one."""
        parts: Parts = []
        if self._front is not None and at == self._first:
            parts += (b'{"type":"text","text":"', WIRE, self._front[0], self._front[1], b'"', WIRE)
            parts += (b"},", WIRE)
        closers = [len(parts) - 2] if parts else []
        if isinstance(content, str):
            parts += (b'{"type":"text","text":"', WIRE, _escape(content, at), CALLER, b'"', WIRE, b"},", WIRE)
            closers.append(len(parts) - 2)
        else:
            for block in content:
                parts += (as_given(block)[:-1].encode(), CALLER, b"},", WIRE)
                closers.append(len(parts) - 2)
        for data, mark in self._after.get(at, ()):
            parts += (b'{"type":"text","text":"', WIRE, data, mark, b'"', WIRE, b"},", WIRE)
            closers.append(len(parts) - 2)
        for index in marked:
            parts[closers[index]] = marker + b"},"
        if self._passing is not None and at == self.anchor - 1:
            data, mark = self._passing
            parts += (b'{"type":"text","text":"', WIRE, data, mark, b'"', WIRE, b"},", WIRE)
        if parts:
            parts[-2] = parts[-2][:-1]
        out += parts

    def _add_lagging(self, marks: dict[int, list[int]]) -> None:
        """Mark the end of what the model answered to last: that ended the request before, and carried its marker."""
        answered = next((at for at in range(self.anchor - 1, -1, -1) if self._messages[at][0] == "assistant"), 0)
        before = self._marked_block(answered)
        if before is not None and before[1] not in marks.get(before[0], ()):
            marks.setdefault(before[0], []).append(before[1])

    def _marked_block(self, until: int) -> tuple[int, int] | None:
        """The last block before a message that may carry a marker: message and block, the preamble counted in front."""
        for at in range(until - 1, -1, -1):
            content = self._messages[at][1]
            front = 1 if self._front is not None and at == self._first else 0
            own = 1 if isinstance(content, str) else len(content)
            if at in self._after:
                return at, front + own + len(self._after[at]) - 1
            if isinstance(content, str):
                if content:
                    return at, front
            else:
                for index in range(own - 1, -1, -1):
                    block = content[index]
                    empty = block["type"] == "text" and block["text"] == ""
                    if block["type"] not in _UNMARKABLE and not empty:
                        return at, front + index
            if front:
                return at, 0
        return None


def _enclose(texts: Sequence[tuple[str, str, int]], opening: str, separator: str, closing: str) -> Sealed:
    parts: Parts = [escape(opening), SEAM]
    for _, text, mark in texts:
        if len(parts) > 2:
            parts += (escape(separator), SEAM)
        parts += (escape(text), mark)
    parts += (escape(closing), SEAM)
    return seal(parts)


def _escape(text: str, at: int) -> bytes:
    try:
        return escape(text)
    except UnicodeEncodeError:
        raise InputError(f"messages[{at}].content", "contains a lone surrogate") from None


def _read(message: Message, at: int, work: Work) -> tuple[str, str | list[Block]]:
    """Role and content of a message; a content of one plain text block is given as its text."""
    if type(message) is Written:
        return message.role, message.content
    if not isinstance(message, dict) or len(message) != 2 or "role" not in message or "content" not in message:
        raise InputError(f"messages[{at}]", "expected a mapping with exactly `role` and `content`")
    role, content = message["role"], message["content"]
    if role != "user" and role != "assistant":
        raise InputError(f"messages[{at}].role", "must be `user` or `assistant`")
    if isinstance(content, str):
        return role, content
    if not isinstance(content, list | tuple):
        raise InputError(f"messages[{at}].content", "expected a text or a list of blocks")
    if len(content) == 1:
        block = content[0]
        if isinstance(block, dict) and tuple(block) == ("type", "text") and block["type"] == "text":
            text = block["text"]
            if isinstance(text, str):
                return role, text
    return role, [_block(block, f"messages[{at}].content[{index}]", work) for index, block in enumerate(content)]


def _block(block: object, where: str, work: Work) -> Block:
    if not isinstance(block, dict) or not isinstance(block.get("type"), str):
        raise InputError(where, "expected a mapping with a `type`")
    if block["type"] == "text" and not isinstance(block.get("text"), str):
        raise InputError(where, "a text block needs a `text`")
    check_json(block, where)
    kept = _unmarked(block) if "cache_control" in block else block
    inner = block.get("content")
    parts = inner if block["type"] == "tool_result" and isinstance(inner, list | tuple) else ()
    if any(isinstance(part, dict) and "cache_control" in part for part in parts):
        kept = {**kept, "content": [_unmarked(part) if isinstance(part, dict) else part for part in parts]}
    if kept is not block:
        work.decisions.append(Decision("marker-removed", "", f"{where} carried a cache marker"))
    return kept


def _unmarked(block: Block) -> Block:
    return {key: value for key, value in block.items() if key != "cache_control"}


def _is_result(block: Block) -> bool:
    return bool(block["type"] == "tool_result")


def _any_result(content: Sequence[Block]) -> bool:
    return any(_is_result(block) for block in content)


def check_model(model: object) -> str:
    """The model that the caller chose."""
    check_text(model, "model")
    assert isinstance(model, str)
    return model
