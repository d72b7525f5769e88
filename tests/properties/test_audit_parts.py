"""The quick reader of messages weighs them as the reader of the shape does, or leaves them to it."""

import json
import os
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from promptc.audit.quick_parts import quick_reader
from promptc.compare.lineage import digest_and_size
from promptc.streams.anthropic_messages import FORMAT, ORDER
from promptc.streams.assembly import Assembly
from promptc.streams.json_decode import decode_json
from promptc.streams.read import SHAPES

_NIGHTLY = "PROMPTC_NIGHTLY" in os.environ
_WEIGH = quick_reader()
_TEXTS = st.text(max_size=12) | st.sampled_from(
    ['"type"', '","text":"', '{"type":"text"}', "content", "text", "\ud800", "é\u2028"]
)
_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | _TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_TEXTS, inner, max_size=3),
    max_leaves=6,
)
_MARKER = st.just({"type": "ephemeral"})
_BLOCKS = (
    st.fixed_dictionaries({"type": st.just("text"), "text": _TEXTS}, optional={"cache_control": _MARKER, "citations": _JSON})
    | st.fixed_dictionaries({"type": st.just("tool_result"), "tool_use_id": _TEXTS, "content": _TEXTS | st.lists(_JSON, max_size=2)}, optional={"is_error": st.booleans()})
    | st.fixed_dictionaries({"type": st.just("tool_use"), "id": _TEXTS, "name": _TEXTS, "input": _JSON})
    | st.fixed_dictionaries({"text": _TEXTS, "type": st.just("text")})
    | st.fixed_dictionaries({"type": st.just("tool_use"), "id": _TEXTS, "input": _JSON, "name": _TEXTS})
    | _JSON
)  # fmt: skip
_MESSAGES = st.fixed_dictionaries(
    {"role": st.sampled_from(["user", "assistant", "system"]), "content": _TEXTS | st.lists(_BLOCKS, max_size=4)},
    optional={"id": _TEXTS},
)


def plainly(raw: bytes) -> tuple[Any, ...] | None:
    value, found = decode_json(raw, "message")
    if found:
        return None
    into = Assembly("message")
    SHAPES[FORMAT].read((("messages", [value]),), into, ORDER)
    weighed = [digest_and_size(element) for element in into.elements("messages")]
    roles = "".join((element.role or "?")[:1] for element in into.elements("messages"))
    return tuple(digest for digest, _ in weighed), roles, sum(size for _, size in weighed)


@given(_MESSAGES, st.booleans(), st.booleans(), st.data())
@settings(max_examples=5000 if _NIGHTLY else 300, deadline=None, derandomize=not _NIGHTLY)
def test_a_message_weighs_the_same_either_way(
    message: Any, spaced: bool, ascii_only: bool, data: st.DataObject
) -> None:
    tight = None if spaced else (",", ":")
    text = json.dumps(message, separators=tight, ensure_ascii=ascii_only)
    if data.draw(st.booleans()):
        # A member that stands twice, somewhere.
        keys = [key for key in ('"type"', '"text"', '"content"', '"role"', '"id"', '"name"', '"input"') if key in text]
        key = data.draw(st.sampled_from(keys))
        text = text.replace(key, f'{key}:"x",{key}', 1)
    raw = text.encode("utf-8", "surrogatepass")
    quick = _WEIGH(raw)
    assert quick is None or quick == plainly(raw)


def test_the_usual_messages_are_read_quickly() -> None:
    call = {"type": "tool_use", "id": "c", "name": "look", "input": {"far": 1.50, "deep": [1, None]}}
    for content in (
        "A text.",
        [{"type": "text", "text": "Some é."}, call],
        [{"type": "tool_result", "tool_use_id": "c", "content": "Seen."}],
    ):
        for tight in (None, (",", ":")):
            raw = json.dumps({"role": "user", "content": content}, separators=tight).encode()
            assert _WEIGH(raw) == plainly(raw) is not None
