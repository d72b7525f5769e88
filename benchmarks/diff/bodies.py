"""Two large request bodies that differ late: made from a seed, so that every run compares the same bytes."""

import json
import random

WORDS = [
    "the",
    "cache",
    "reads",
    "from",
    "front",
    "to",
    "back",
    "and",
    "a",
    "byte",
    "that",
    "changes",
    "strands",
    "whatever",
    "stands",
    "behind",
    "it",
    "—",
    "für",
    "alle",
    "Größen,",
    "with",
    '"quotes",',
    "back\\slashes",
    "and\nlines",
    "of",
    "code:",
    "def",
    "run(x):",
    "return",
    "x",
    "+",
    "1\n",
]


def body(size: int, messages: int, edits: tuple[float, ...] = ()) -> bytes:
    """A body of about `size` bytes.

    Args:
        messages: Number of messages; every fourth is a call of a tool with its result.
        edits: Places, as shares of the messages, whose text gets one other word.
    """
    source = random.Random(20261201)
    each = max(size // messages, 80)
    texts = [_text(source, each) for _ in range(min(messages, 400))]
    changed = {int(messages * share) for share in edits}
    turns = []
    for index in range(messages):
        text = f"{index}: {texts[index % len(texts)]}"
        if index in changed:
            at = text.rindex(" ", 0, len(text) // 2)
            text = f"{text[:at]} CHANGED{text[at:]}"
        turns.append(_message(index, text))
    tools = [
        {"name": f"tool_{i}", "description": texts[0][:300], "input_schema": {"type": "object"}} for i in range(30)
    ]
    system = [{"type": "text", "text": texts[0][:4000], "cache_control": {"type": "ephemeral"}}]
    return json.dumps(
        {"model": "claude-sonnet-4-5", "max_tokens": 1024, "tools": tools, "system": system, "messages": turns},
        ensure_ascii=False,
    ).encode()


def _text(source: random.Random, size: int) -> str:
    words: list[str] = []
    length = 0
    while length < size:
        word = source.choice(WORDS)
        words.append(word)
        length += len(word) + 1
    return " ".join(words)


def _message(index: int, text: str) -> dict[str, object]:
    kind = index % 4
    if kind == 1:
        call = {"type": "tool_use", "id": f"toolu_{index}", "name": "tool_1", "input": {"path": text, "limit": index}}
        return {"role": "assistant", "content": [call]}
    if kind == 2:
        found = {"type": "tool_result", "tool_use_id": f"toolu_{index - 1}", "content": text}
        return {"role": "user", "content": [found]}
    return {"role": "user" if kind == 0 else "assistant", "content": text}
