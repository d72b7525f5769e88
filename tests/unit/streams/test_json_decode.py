"""JSON as sent: what is kept, and what bad bytes give instead of an exception."""

import pytest

from promptc.diagnostics.model import Severity
from promptc.streams.json_decode import MAX_DEPTH, decode_json
from promptc.streams.json_value import JsonValue, encode, member, pointer, same_number


def decoded(text: str) -> JsonValue:
    value, found = decode_json(text.encode("utf-8", "surrogatepass"), "x.json")
    assert found == ()
    return value


def codes(data: bytes) -> list[str]:
    return [entry.code for entry in decode_json(data, "x.json")[1]]


@pytest.mark.parametrize(
    "text",
    [
        '{"b":1,"a":2}',
        '{"n":1.0,"m":1e2,"k":-0,"big":12345678901234567890123456789,"tiny":1E-400}',
        '[[],{},"",null,true,false,"é\\n\\"\\\\"]',
        '{"a":1,"a":2}',
    ],
)
def test_what_was_sent_is_kept_to_the_character(text: str) -> None:
    value, _ = decode_json(text.encode(), "x.json")
    assert encode(value) == text


def test_escapes_and_blanks_between_tokens_do_not_count() -> None:
    assert decoded('{ "a" : "\\u00e9" }') == decoded('{"a":"é"}')


def test_key_order_number_spelling_and_type_count() -> None:
    assert decoded('{"a":1,"b":2}') != decoded('{"b":2,"a":1}')
    assert decoded("1") != decoded("1.0")
    assert decoded("1") != decoded('"1"')
    assert decoded("{}") != decoded("[]")


def test_a_number_of_ten_thousand_digits_is_kept() -> None:
    digits = "9" * 10_000
    assert decoded(digits) == digits.encode()


@pytest.mark.parametrize(
    ("a", "b", "same"),
    [
        (b"1", b"1.0", True),
        (b"1e2", b"100", True),
        (b"-0", b"0", True),
        (b"0.1", b"0.10000000000000001", False),
        (b"1e99999999999999999999", b"1e99999999999999999998", False),
        (b"1" * 100_000, b"1" * 99_999 + b"2", False),
    ],
    ids=["fraction", "exponent", "negative zero", "beyond a double", "beyond any exponent", "many digits"],
)
def test_numbers_are_compared_exactly_whatever_their_size(a: bytes, b: bytes, same: bool) -> None:
    assert same_number(a, b) is same


def test_last_of_duplicate_keys_is_the_member_and_it_is_reported_where_it_stands() -> None:
    value, found = decode_json(b'{"x":[{"role":"user","role":"tool"}]}', "x.json")
    inner = member(value, "x")
    assert isinstance(inner, list)
    assert member(inner[0], "role") == "tool"
    assert [(entry.code, entry.pointer) for entry in found] == [("PC804", "/x/0/role")]


def test_half_a_surrogate_pair_is_a_warning_and_a_whole_pair_is_none() -> None:
    value, found = decode_json(b'{"a":"\\ud83d\\ude00","b":"\\udc00"}', "x.json")
    assert member(value, "a") == "\U0001f600"
    assert [(entry.code, entry.pointer, entry.severity) for entry in found] == [("PC674", "/b", Severity.WARNING)]


@pytest.mark.parametrize("cut", range(1, 24))
def test_truncated_json_is_one_error_at_the_place(cut: int) -> None:
    data = b'{"messages":["a","b"]} '
    if cut < len(data) - 1:
        assert codes(data[:cut]) == ["PC801"]
    else:
        assert codes(data[:cut]) == []


@pytest.mark.parametrize("text", ["NaN", '{"a":Infinity}', "[1,]", '{"a":"\n"}', "{'a':1}", "1 2", ""])
def test_what_is_no_json_is_one_error(text: str) -> None:
    assert codes(text.encode()) == ["PC801"]


@pytest.mark.parametrize("depth", [MAX_DEPTH + 1, 5_000, 200_000])
@pytest.mark.parametrize(("left", "right"), [("[", "]"), ('{"a":', "}")])
def test_deep_nesting_is_an_error_and_no_crash(depth: int, left: str, right: str) -> None:
    middle = "1" if right == "}" else ""
    assert codes((left * depth + middle + right * depth).encode()) == ["PC802"]


def test_nesting_below_the_bound_is_read() -> None:
    text = "[" * MAX_DEPTH + "]" * MAX_DEPTH
    assert encode(decoded(text)) == text


def test_bytes_that_are_no_utf8_are_named() -> None:
    _, found = decode_json(b'{"a":"\xe9"}', "x.json")
    assert [entry.code for entry in found] == ["PC803"]
    assert "byte 6 is 0xE9" in found[0].message


def test_byte_order_mark_is_dropped() -> None:
    assert decode_json(b'\xef\xbb\xbf{"a":1}', "x.json") == ((("a", b"1"),), ())


def test_pointers_escape_what_the_standard_says() -> None:
    assert pointer("a/b", "m~n", 0) == "/a~1b/m~0n/0"
