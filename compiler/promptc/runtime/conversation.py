"""The messages of a request: preamble, replayed and new tail, marker. Written for the format `anthropic-messages`.

What is put together here is the same for every format; `runtime.lowered` writes it for the others.
"""

from collections.abc import Sequence
from typing import Any

from promptc.runtime.checks import check_text
from promptc.runtime.errors import InputError
from promptc.runtime.escape import escape, escape_joined
from promptc.runtime.json_text import as_given
from promptc.runtime.messages import HEAD, TEXT_HEAD, Block, Content, check_turns, read_message
from promptc.runtime.messages import Message as Message
from promptc.runtime.messages import Written as Written
from promptc.runtime.native import last_part, native_parts
from promptc.runtime.request import CALLER, SEAM, WIRE, Parts, Sealed, seal
from promptc.runtime.state import Decision, Logged, Work
from promptc.runtime.wire import PLAIN, Wire

_HEADS = {**HEAD, "system": b'{"role":"system","content":['}
_COMMA_HEAD = {role: b"," + head for role, head in _HEADS.items()}
# What ends a message of one text and begins the next, and the control character that stands for it while escaping.
_SEAM = {role: b'"}]},' + head for role, head in TEXT_HEAD.items()}
_SEPARATOR = {"user": b"\0", "assistant": b"\1"}


class Conversation:
    """The messages of one request: the caller's, what is replayed and what is added.

    Attributes:
        takes_preamble: Whether a message can hold the preamble.
        takes_tail: Whether the last message is from the user.
        only_results: Whether the last message holds nothing but tool results.
        anchor: Number of messages.
    """

    __slots__ = (
        "_after", "_first", "_front", "_marked", "_messages", "_passing", "_wire", "_work", "_written", "anchor",
        "only_results", "takes_preamble", "takes_tail",
    )  # fmt: skip

    def __init__(self, messages: Sequence[Message], work: Work, wire: Wire = PLAIN) -> None:
        self._work = work
        self._wire = wire
        self._messages: list[tuple[str, Content]] = []
        self._first = -1
        self._written: dict[int, Written] = {}
        systems = False
        for at, message in enumerate(messages):
            if type(message) is Written:
                self._written[at] = message
            role, content = read_message(message, at, work, wire)
            self._messages.append((role, content))
            if role == "system":
                systems = True
            elif self._first < 0 and role == "user" and (isinstance(content, str) or not _any_result(content)):
                self._first = at
        if systems:
            check_turns(self._messages, wire)
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
        native = bool(self._messages) and self._messages[-1][0] == "native"
        what = "is native" if native else "is not from the user"
        self._work.decisions.append(Decision("tail-withheld", "", f"the last message {what}"))

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
                if isinstance(content, dict):
                    place = last_part(content, self._wire) if at in marks else None
                    out += (b"," if at else b"", WIRE, *native_parts(content, place, marker, self._wire))
                    continue
                out += (_COMMA_HEAD[role] if at else _HEADS[role], WIRE)
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
            out += (b"," if at else b"", WIRE, data.data, CALLER)
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
            out += ((b"," if at else b"") + TEXT_HEAD[role], WIRE, _escape(content, at), CALLER, b'"}]}', WIRE)

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

    def answered(self) -> int:
        """Number of messages in front of the model's last one."""
        return next((at for at in range(self.anchor - 1, -1, -1) if _is_answer(*self._messages[at])), 0)

    def _add_lagging(self, marks: dict[int, list[int]]) -> None:
        """Mark the end of what the model answered to last: that ended the request before, and carried its marker."""
        before = self._marked_block(self.answered())
        if before is not None and before[1] not in marks.get(before[0], ()):
            marks.setdefault(before[0], []).append(before[1])

    def _marked_block(self, until: int) -> tuple[int, int] | None:
        """The last block before a message that may carry a marker: message and block, the preamble counted in front."""
        for at in range(until - 1, -1, -1):
            content = self._messages[at][1]
            if isinstance(content, dict):
                if last_part(content, self._wire) is not None:
                    return at, 0
                continue
            front = 1 if self._front is not None and at == self._first else 0
            own = 1 if isinstance(content, str) else len(content)
            if at in self._after:
                return at, front + own + len(self._after[at]) - 1
            if isinstance(content, str):
                if content:
                    return at, front
            else:
                for index in range(own - 1, -1, -1):
                    if self._wire.may_carry(content[index]):
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


def _is_answer(role: str, content: Content) -> bool:
    return (content.get("role") if isinstance(content, dict) else role) in ("assistant", "model")


def _is_result(block: Block) -> bool:
    return bool(block["type"] == "tool_result")


def _any_result(content: Content) -> bool:
    return any(_is_result(block) for block in content if isinstance(block, dict))


def check_model(model: object) -> str:
    """The model that the caller chose."""
    check_text(model, "model")
    assert isinstance(model, str)
    return model
