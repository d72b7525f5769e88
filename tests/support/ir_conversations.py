"""Random conversations in promptc's own form."""

from typing import Any

from hypothesis import strategies as st

from promptc.runtime.messages import Native, Written
from support.ir_expressions import JSON, TEXTS, Draw

BLOCKS = st.one_of(
    st.builds(lambda text: {"type": "text", "text": text}, TEXTS),
    st.builds(lambda text: {"text": text, "type": "text"}, TEXTS),
    st.builds(lambda text: {"type": "thinking", "thinking": text, "signature": "s"}, TEXTS),
    st.builds(lambda value: {"type": "tool_use", "id": "t1", "name": "n", "input": {"z": value, "a": 1}}, JSON),
    st.builds(
        lambda text: {"type": "text", "text": text, "cache_control": {"type": "ephemeral"}},
        TEXTS,
    ),
)
RESULTS = st.builds(
    lambda content: {"type": "tool_result", "tool_use_id": "t1", "content": content},
    TEXTS | st.just([{"type": "text", "text": "x", "cache_control": {"type": "ephemeral"}}]),
)
USER = st.builds(
    lambda content: {"role": "user", "content": content},
    TEXTS
    | st.lists(BLOCKS, max_size=3)
    | st.lists(RESULTS, min_size=1, max_size=2)
    | st.lists(RESULTS | BLOCKS, max_size=3),
)
ASSISTANT = st.builds(lambda content: {"role": "assistant", "content": content}, TEXTS | st.lists(BLOCKS, max_size=3))


@st.composite
def conversations(draw: Draw) -> list[list[dict[str, Any]]]:
    """The same conversation at several points in time, each a continuation of the one before."""
    turns = []
    messages: list[dict[str, Any]] = []
    for _ in range(draw(st.integers(1, 4))):
        messages = messages + draw(st.lists(USER | ASSISTANT, max_size=3))
        turns.append(messages)
    return turns


PLAIN_TEXT = st.builds(lambda text: {"type": "text", "text": text}, TEXTS)
PICTURE = st.sampled_from(
    (
        {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "aGk="}},
        {"type": "image", "source": {"type": "url", "url": "https://example.org/é.png"}},
    )
)
# Blocks that some wires have no word for: both sides must refuse them in the same words.
RARE = st.sampled_from(
    (
        {"type": "thinking", "thinking": "so", "signature": "s"},
        {"type": "redacted_thinking", "data": "aGk="},
        {"type": "text", "text": "cited", "citations": []},
        {"type": "document", "source": {"type": "text", "data": "x"}},
        {"type": "image", "source": {"type": "file", "file_id": "f"}},
        {"type": "tool_use", "id": "t1", "name": "n"},
    )
)
NATIVE = st.sampled_from(
    (
        {"role": "user", "content": [{"type": "text", "text": "as sent"}], "name": "é"},
        {"role": "assistant", "content": "plain"},
        {"type": "reasoning", "summary": [], "encrypted_content": "x"},
        {"content": [{"text": "converse"}, {"cachePoint": {"type": "default"}}], "role": "user"},
        {"role": "model", "parts": [{"functionCall": {"id": "t1", "name": "native", "args": {}}}]},
        {"role": "user", "content": [{"type": "text", "text": "x", "cache_control": {"type": "ephemeral"}}]},
        {
            "type": "function_call_output",
            "call_id": "t1",
            "output": [{"type": "input_text", "text": "x", "prompt_cache_breakpoint": {"mode": "explicit"}}],
        },
        {"content": [{"type": "input_text", "text": ""}], "role": "user"},
    )
)


def _result(content: Any, failed: bool | None) -> dict[str, Any]:
    result = {"type": "tool_result", "tool_use_id": "t1", "content": content}
    return result if failed is None else {**result, "is_error": failed}


PLAIN_RESULT = st.builds(
    _result, st.none() | TEXTS | st.lists(PLAIN_TEXT, max_size=3), st.sampled_from((None, None, False, True))
)
PICTURE_RESULT = st.builds(_result, st.lists(PLAIN_TEXT | PICTURE, max_size=3), st.none())
PLAIN_CALL = st.builds(
    lambda value: {"type": "tool_use", "id": "t1", "name": "n", "input": {"z": value, "a": [1, "é"]}}, JSON
)


@st.composite
def talks(draw: Draw) -> list[list[Any]]:
    """Conversations of which most can be said on every wire, at several points in time; `Native` messages among them."""
    turns = []
    messages: list[Any] = []
    rare = draw(st.sampled_from((False, False, True)))
    for _ in range(draw(st.integers(1, 3))):
        messages = messages + [_message(draw, rare) for _ in range(draw(st.integers(0, 3)))]
        turns.append(messages)
    return turns


def _message(draw: Draw, rare: bool) -> Any:
    kind = draw(st.sampled_from(("text", "user", "calls", "results", "results", "native", "system", "written")))
    odd = draw(st.lists(RARE | PICTURE_RESULT, max_size=1)) if rare else []
    if kind == "text":
        return {"role": draw(st.sampled_from(("user", "assistant"))), "content": draw(TEXTS)}
    if kind == "user":
        return {"role": "user", "content": [*draw(st.lists(PLAIN_TEXT | PICTURE, max_size=2)), *odd]}
    if kind == "calls":
        said = draw(st.lists(PLAIN_TEXT, max_size=2))
        return {"role": "assistant", "content": [*said, *draw(st.lists(PLAIN_CALL, max_size=2)), *odd]}
    if kind == "results":
        results = draw(st.lists(PLAIN_RESULT, min_size=1, max_size=2))
        return {"role": "user", "content": [*odd, *results, *draw(st.lists(PLAIN_TEXT, max_size=1))]}
    if kind == "native":
        return Native(draw(NATIVE))
    if kind == "system" and rare:
        return {"role": "system", "content": draw(TEXTS | st.lists(PLAIN_TEXT, max_size=2))}
    return Written(draw(st.sampled_from(("user", "assistant"))), draw(TEXTS))
