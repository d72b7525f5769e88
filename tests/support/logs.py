"""Logs for audits, made up: conversations that take turns, with mishaps in some of them."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

MISHAPS = ("", "clock", "tools", "pruned", "model", "params", "marker", "rewind", "spaced", "first", "extra")


@dataclass
class Chat:
    """One conversation of a made-up log.

    Attributes:
        name: What its session is called; also varies its texts.
        keyed: Whether its requests name the session.
    """

    name: str
    keyed: bool = True
    turn: int = 0
    clock: str = "09:00"
    model: str = "claude-sonnet-4-5"
    tools: list[str] = field(default_factory=lambda: ["look", "list", "note"])
    messages: list[dict[str, Any]] = field(default_factory=list)

    def next(self, mishap: str = "") -> dict[str, Any]:
        """The record of the next request."""
        self.turn += 1
        turn = self.turn
        if turn > 1:
            call = [
                {"type": "tool_use", "id": f"{self.name}{turn}", "name": "look", "input": {"at": turn, "far": 1.50}}
            ]
            self.messages.append(
                {"role": "assistant", "content": [{"type": "text", "text": f"Turn {turn}, é."}, *call]}
            )
            result = {
                "type": "tool_result",
                "tool_use_id": f"{self.name}{turn}",
                "content": f"Seen {turn} by {self.name}.",
            }
            self.messages.append({"role": "user", "content": [result]})
        else:
            self.messages.append({"role": "user", "content": f"Start of {self.name}."})
        self._suffer(mishap)
        messages = json.loads(json.dumps(self.messages))
        last = messages[-1]
        if isinstance(last["content"], list):
            last["content"][-1]["cache_control"] = {"type": "ephemeral"}
        block = {"type": "text", "text": f"You keep lighthouse {len(self.name)}.\nIt is {self.clock}."}
        body: dict[str, Any] = {"model": self.model, "max_tokens": 10 + turn, "messages": messages}
        body["system"] = [{**block, "cache_control": {"type": "ephemeral"}}] if mishap != "marker" else [block]
        body["tools"] = [{"name": name, "input_schema": {"type": "object"}} for name in self.tools]
        if mishap == "params":
            body["tool_choice"] = {"type": "any"}
        usage = {"input_tokens": 5, "cache_read_input_tokens": 20 * turn, "cache_creation_input_tokens": 9}
        record: dict[str, Any] = {"at": f"2026-11-0{1 + turn % 5}T08:00:00Z", "body": body, "usage": usage}
        return {"session": self.name, **record} if self.keyed else record

    def _suffer(self, mishap: str) -> None:
        turn = self.turn
        if mishap == "clock":
            self.clock = f"09:{turn:02}"
        elif mishap == "tools":
            self.tools = [*self.tools[1:], self.tools[0]]
        elif mishap == "pruned" and len(self.messages) > 2:
            self.messages[-2] = {"role": "assistant", "content": "(pruned)"}
        elif mishap == "model":
            self.model = "claude-opus-4-5" if self.model.startswith("claude-s") else "claude-sonnet-4-5"
        elif mishap == "rewind":
            del self.messages[max(1, len(self.messages) - 4) :]
        elif mishap == "first":
            self.messages[0] = {"role": "user", "content": f"Start of {self.name}, round {turn}."}
        elif mishap == "extra":
            self.messages.append({"role": "user", "content": [{"type": "text", "text": f"By the way, {turn}."}]})


def records(plan: Sequence[tuple[int, str]], keyed: bool = True) -> Iterator[dict[str, Any]]:
    """Records of a log: for each entry which conversation sends the next request, and what befalls it."""
    chats: dict[int, Chat] = {}
    for number, mishap in plan:
        chat = chats.setdefault(number, Chat(f"s{number}", keyed))
        yield chat.next(mishap)


def log_lines(plan: Sequence[tuple[int, str]], keyed: bool = True) -> bytes:
    """The same as lines; a mishap of `spaced` spells the line with other blanks and escapes."""
    out: list[bytes] = []
    for (_, mishap), record in zip(plan, records(plan, keyed), strict=True):
        tight = None if mishap == "spaced" else (",", ":")
        out.append(json.dumps(record, separators=tight, ensure_ascii=mishap == "spaced").encode() + b"\n")
    return b"".join(out)


PLAN: list[tuple[int, str]] = [
    (number, MISHAPS[(turn * 3 + number) % len(MISHAPS)] if turn % 2 else "")
    for turn in range(12)
    for number in range(4)
]
