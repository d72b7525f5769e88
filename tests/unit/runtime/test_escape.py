"""The inside of JSON literals, by every way that the runtime has to write it."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from promptc.runtime.checks import json_text
from promptc.runtime.errors import InputError
from promptc.runtime.escape import escape, escape_joined, quoted

EVERYTHING_ESCAPED = '"\\' + "".join(map(chr, range(32))) + "\x7f\u2028é😀"


@pytest.mark.parametrize("repeat", [1, 50])
def test_short_and_long_texts_are_escaped_alike(repeat: int) -> None:
    # Long texts take another way; both must give what JSON.stringify gives.
    text = EVERYTHING_ESCAPED * repeat
    known = '\\"\\\\\\u0000\\u0001\\u0002\\u0003\\u0004\\u0005\\u0006\\u0007\\b\\t\\n\\u000b\\f\\r\\u000e\\u000f'
    rest = "".join(f"\\u00{code:02x}" for code in range(0x10, 0x20)) + "\x7f\u2028é😀"

    assert escape(text) == ((known + rest) * repeat).encode()
    assert quoted(text) == b'"' + escape(text) + b'"'


@given(st.text(st.sampled_from('ab"\\\n\t\r\x00\x1fé😀'), max_size=300))
def test_a_literal_is_read_back_as_its_text(text: str) -> None:
    assert json.loads(quoted(text)) == text
    assert escape(text) == json.dumps(text, ensure_ascii=False)[1:-1].encode()


@given(st.lists(st.text(st.sampled_from('ab"\\\n\t\r\x00\x01é😀'), max_size=20), max_size=5))
def test_texts_escaped_together_are_those_escaped_alone_or_none_at_all(texts: list[str]) -> None:
    pieces = [piece for text in texts for piece in (b"\0", text.encode())]
    joined = escape_joined(pieces, len(texts))

    if any(char in text for text in texts for char in "\r\x00\x01"):
        assert joined is None
    else:
        assert joined == b"".join(b"\0" + escape(text) for text in texts)


def test_lone_surrogates_are_refused() -> None:
    for text in ("\ud800", "a" * 200 + "\udc00"):
        with pytest.raises(UnicodeEncodeError):
            escape(text)


def test_json_is_checked_and_written_once() -> None:
    written = json_text({"b": [1.0, {"z": None}], "a": "é"})

    assert (written.text, written.data) == ('{"a":"é","b":[1,{"z":null}]}', written.text.encode())


@pytest.mark.parametrize("value", [float("inf"), {1: 2}, {"a": {2, 3}}, "\ud800", {"\ud800": 1}])
def test_what_is_not_json_is_refused(value: object) -> None:
    with pytest.raises(InputError):
        json_text(value)


def test_json_that_is_nested_too_deeply_is_refused() -> None:
    value: object = 1
    for _ in range(5000):
        value = [value]

    with pytest.raises(InputError, match="levels deep"):
        json_text(value)
