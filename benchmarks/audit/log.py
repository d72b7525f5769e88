"""A log of an agent's requests, made up the same way every time: sessions that take turns, histories that grow.

About one request in a hundred breaks a cached prefix: a clock in the system prompt, tools in another order, a history that
is written anew.
"""

import json
import random
from collections.abc import Iterator
from typing import Any

_WORDS = [
    "lamp",
    "harbour",
    "signal",
    "tide",
    "keeper",
    "stair",
    "lens",
    "wick",
    "brass",
    "fog",
    "bell",
    "chart",
    "anchor",
    "rope",
    "ledger",
    "night",
    "watch",
    "storm",
    "gull",
    "pier",
    "beacon",
    "glass",
    "oil",
    "bearing",
    "rotation",
    "engine",
    "logbook",
    "weather",
    "visibility",
    "vessel",
    "channel",
    "buoy",
    "radio",
    "paint",
    "hinge",
    "ladder",
]


def text(rng: random.Random, size: int) -> str:
    """Words of about so many characters, some with quotes and letters that are not ASCII."""
    out: list[str] = []
    length = 0
    while length < size:
        word = rng.choice(_WORDS)
        if rng.random() < 0.02:
            word = rng.choice(('"quoted"', "café", "naïve\n", "line\nbreak", "a/b\\c"))
        out.append(word)
        length += len(word) + 1
    return " ".join(out)


def _tools(rng: random.Random, count: int, size: int) -> list[dict[str, Any]]:
    return [
        {
            "name": f"tool_{number}",
            "description": text(rng, size),
            "input_schema": {
                "type": "object",
                "properties": {name: {"type": "string", "description": text(rng, 60)} for name in ("path", "query")},
                "required": ["path"],
            },
        }
        for number in range(count)
    ]


class _Session:
    def __init__(self, number: int, small: bool) -> None:
        self.rng = random.Random(number)
        self.small = small
        self.number = number
        self.turn = 0
        self.read = 0
        shared = random.Random(number % 5)
        self.tools = _tools(shared, 3 if small else 20, 80 if small else 500)
        self.system = text(shared, 400 if small else 9000)
        self.clock = "09:00"
        self.messages: list[dict[str, Any]] = []

    def request(self, at: int) -> dict[str, Any]:
        rng = self.rng
        self.turn += 1
        size = 120 if self.small else 1500
        if self.turn > 1:
            call = f"call_{self.number}_{self.turn}"
            self.messages.append(
                {
                    "role": "assistant",
                    "content": [
                        {"type": "text", "text": text(rng, size // 4)},
                        {"type": "tool_use", "id": call, "name": "tool_1", "input": {"path": text(rng, 30)}},
                    ],
                }
            )
            result = {"type": "tool_result", "tool_use_id": call, "content": text(rng, size)}
            self.messages.append({"role": "user", "content": [result]})
        else:
            self.messages.append({"role": "user", "content": [{"type": "text", "text": text(rng, size)}]})
        chance = rng.random()
        broken = self.turn > 1 and chance < 0.01
        if broken and chance < 0.004:
            self.clock = f"09:{self.turn:02}"
        elif broken and chance < 0.007:
            self.tools = [self.tools[-1], *self.tools[:-1]]
        elif broken and len(self.messages) > 3:
            self.messages[-3] = {"role": self.messages[-3]["role"], "content": [{"type": "text", "text": "(pruned)"}]}
        marked = [*self.messages[:-1], _marked(self.messages[-1])]
        system = [
            {"type": "text", "text": f"{self.system}\nIt is {self.clock}.", "cache_control": {"type": "ephemeral"}}
        ]
        body = {
            "model": "claude-sonnet-4-5",
            "max_tokens": 4096,
            "system": system,
            "tools": self.tools,
            "metadata": {"user_id": f"session-{self.number}"},
            "messages": marked,
        }
        whole = len(json.dumps(body)) // 4
        read = 0 if broken or self.turn == 1 else self.read
        usage = {
            "input_tokens": 10,
            "cache_read_input_tokens": read,
            "cache_creation_input_tokens": max(whole - read - 10, 0),
            "output_tokens": 50,
        }
        self.read = whole - 10
        day, second = divmod(at, 86_400)
        moment = f"2026-11-{1 + day % 28:02}T{second // 3600:02}:{second // 60 % 60:02}:{second % 60:02}Z"
        return {"at": moment, "endpoint": "/v1/messages", "body": body, "usage": usage}


def _marked(message: dict[str, Any]) -> dict[str, Any]:
    *before, last = message["content"]
    return {"role": message["role"], "content": [*before, {**last, "cache_control": {"type": "ephemeral"}}]}


def requests(count: int, turns: int = 60, live: int = 40, small: bool = False) -> Iterator[bytes]:
    """The lines of a log.

    Args:
        count: How many.
        turns: Turns of a session.
        live: Sessions that take turns with each other.
        small: Whether bodies are some 3 kB rather than some 80 kB.
    """
    began = live
    sessions = [_Session(number, small) for number in range(live)]
    for number in range(count):
        place = number % live
        if sessions[place].turn >= (turns if not small else 8):
            sessions[place] = _Session(began, small)
            began += 1
        yield json.dumps(sessions[place].request(number * 20), ensure_ascii=False).encode() + b"\n"
