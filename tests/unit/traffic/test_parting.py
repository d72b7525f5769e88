"""Where two requests part."""

import pytest

from promptc.runtime.request import Range, Request
from promptc.runtime.state import State
from promptc.traffic.parting import common_length, parting, unmarked

_MARKS = (("", "wire", ""), ("", "conversation", ""), ("a", "literal", "s:1:1"), ("b", "literal", "s:2:1"))


def _request(*parts: bytes | int) -> Request:
    return Request(list(parts), _MARKS, State(), ())


_MARKER = b',"cache_control":{"type":"ephemeral","ttl":"5m"}'


@pytest.mark.parametrize(
    ("a", "b", "length"),
    [(b"", b"", 0), (b"abc", b"abc", 3), (b"abc", b"abd", 2), (b"abc", b"xbc", 0), (b"ab", b"abc", 2), (b"", b"x", 0)],
)
def test_common_length_counts_equal_bytes_at_the_head(a: bytes, b: bytes, length: int) -> None:
    assert common_length(a, b) == common_length(b, a) == length


def test_request_that_only_appends_parts_nowhere_wherever_its_marker_is() -> None:
    before = _request(b'[{"text":"', 0, b"one", 2, b'"', 0, _MARKER + b"}", 0, b"]}", 0)
    after = _request(b'[{"text":"', 0, b"one", 2, b'"},{"text":"', 0, b"two", 1, b'"', 0, _MARKER + b"}", 0, b"]}", 0)
    assert parting(unmarked(before, "cache_control"), unmarked(after, "cache_control")) is None


def test_section_behind_a_removed_marker_is_still_found() -> None:
    def body(last: bytes) -> Request:
        return _request(b'[{"t":"', 0, b"one", 2, b'"' + _MARKER + b'},{"t":"', 0, last, 3, b'"}]}', 0)

    sides = parting(unmarked(body(b"two"), "cache_control"), unmarked(body(b"too"), "cache_control"))
    assert sides is not None
    assert [(side.section, side.place) for side in sides] == [("b", "s:2:1")] * 2
    assert "two" in sides[0].excerpt and "too" in sides[1].excerpt


def test_bytes_of_the_format_belong_to_what_they_introduce() -> None:
    before = _request(b'{"tools":[', 0, b"x", 2, b'],"system":"', 0, b"y", 3, b'"]}', 0)
    after = _request(b'{"tools":[', 0, b"x", 2, b',"more', 0, b"z", 1, b'"]}', 0)
    sides = parting(unmarked(before, ""), unmarked(after, ""))
    assert sides is not None
    assert (sides[0].section, sides[1].kind) == ("b", "conversation")


def test_text_that_looks_like_a_marker_is_kept() -> None:
    request = _request(b'[{"t":"', 0, b',\\"cache_control\\":{}', 1, b'"}]}', 0)
    assert unmarked(request, "cache_control").data == request.body


def test_ranges_of_an_unmarked_request_are_those_of_the_request() -> None:
    request = _request(b"[", 0, b"x", 2, b"]}", 0)
    assert unmarked(request, "").ranges == request.prefix_map()
    assert Range(1, 2, "a", "literal", "s:1:1") in unmarked(request, "").ranges
