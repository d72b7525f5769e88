"""Comparison on generated inputs: exact prefixes, rising alignments, and a finding for every divergence."""

import json
import os
from itertools import pairwise
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from promptc.compare.align import align
from promptc.compare.diff import compare_streams, compare_texts
from promptc.compare.text_change import text_changes
from promptc.report.diff_json import diff_as_json_text
from promptc.report.diff_text import diff_as_text
from promptc.streams.common_prefix import common_prefix, common_suffix
from promptc.streams.model import PrefixStream
from promptc.streams.read import read_stream

EXAMPLES = 3000 if os.environ.get("PROMPTC_NIGHTLY") == "1" else 80
many = settings(max_examples=EXAMPLES, deadline=None)

# Few distinct characters, so that equal runs, moved lines and shared first bytes come up often.
texts = st.text(st.sampled_from('ab \n\r\té\u00e8o\u0308\u200b{}":1,'), max_size=40)
any_text = st.text(max_size=20) | texts


def naive_prefix(a: bytes, b: bytes) -> int:
    return next((i for i, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))


@many
@given(texts, texts, texts)
def test_common_prefix_and_suffix_agree_with_a_plain_loop(shared: str, a: str, b: str) -> None:
    for left, right in ((shared + a, shared + b), (a + shared, b + shared)):
        x, y = left.encode(), right.encode()
        assert common_prefix(x, y) == naive_prefix(x, y)
        assert common_suffix(x, y) == naive_prefix(x[::-1], y[::-1])


@many
@given(st.integers(0, 140_000), st.integers(0, 3), st.integers(0, 3))
def test_common_prefix_is_exact_around_slices(size: int, more_a: int, more_b: int) -> None:
    a, b = b"x" * size + b"a" * more_a, b"x" * size + b"b" * more_b
    assert common_prefix(a, b) == size
    assert common_suffix(a[::-1], b[::-1]) == size


@many
@given(st.lists(st.integers(0, 4), max_size=30), st.lists(st.integers(0, 4), max_size=30))
def test_alignment_rises_and_pairs_equals(a: list[int], b: list[int]) -> None:
    pairs = align(a, b)
    assert all(a[i] == b[j] for i, j in pairs)
    assert all(x[0] < y[0] and x[1] < y[1] for x, y in pairwise(pairs))
    head = next((i for i, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))
    assert pairs[:head] == [(i, i) for i in range(head)]


@many
@given(texts, texts, texts)
def test_first_change_of_a_text_is_at_the_first_difference(shared: str, a: str, b: str) -> None:
    left, right = shared + a, shared + b
    changes = text_changes(left, right)
    assert bool(changes) == (left != right)
    if changes:
        assert changes[0].at_a == changes[0].at_b == common_prefix(left, right)
    assert all(c.at_a <= c.end_a <= len(left) and c.at_b <= c.end_b <= len(right) for c in changes)
    assert all(x.end_a <= y.at_a and x.end_b <= y.at_b for x, y in pairwise(changes))


@many
@given(any_text, any_text)
def test_kept_bytes_of_texts_are_exact(a: str, b: str) -> None:
    left, right = a.encode("utf-8", "surrogatepass"), b.encode("utf-8", "surrogatepass")
    result = compare_texts(a, b)
    assert result.prefix.bytes.kept == naive_prefix(left, right)
    assert result.prefix.bytes.kept + result.prefix.bytes.lost == len(left)
    assert (result.relation == "identical") == (a == b)
    if result.findings:
        assert result.findings[0].byte_offset == result.prefix.bytes.kept


names = st.sampled_from(["read", "write", "find"])
marks = st.fixed_dictionaries({}, optional={"cache_control": st.just({"type": "ephemeral"})})
tools = st.builds(
    lambda name, text, mark: {"name": name, "description": text, "input_schema": {"type": "object"}} | mark,
    names,
    any_text,
    marks,
)
blocks = st.builds(lambda text, mark: {"type": "text", "text": text} | mark, any_text, marks) | st.builds(
    lambda id, value: {"type": "tool_use", "id": id, "name": "read", "input": value},
    names,
    st.dictionaries(st.text(max_size=3), st.integers() | st.floats(allow_nan=False, allow_infinity=False) | any_text),
)
messages = st.builds(
    lambda role, content: {"role": role, "content": content},
    st.sampled_from(["user", "assistant"]),
    any_text | st.lists(blocks, max_size=3),
)
bodies = st.builds(
    lambda tools, system, messages: {"model": "m", "tools": tools, "system": system, "messages": messages},
    st.lists(tools, max_size=4),
    any_text | st.lists(blocks, max_size=3),
    st.lists(messages, max_size=5),
)


def stream(body: dict[str, Any]) -> PrefixStream:
    found, _ = read_stream(json.dumps(body).encode(), "body.json", "anthropic")
    assert found is not None
    return found


@st.composite
def changed_bodies(draw: st.DrawFn) -> tuple[dict[str, Any], dict[str, Any]]:
    """A body, and one that shares much with it: lanes kept, cut, grown, shuffled or replaced."""
    a = draw(bodies)
    b = dict(a)
    for lane, items in (("tools", tools), ("messages", messages)):
        kept = draw(st.permutations(a[lane])) if draw(st.booleans()) else list(a[lane])
        cut = draw(st.integers(0, len(kept)))
        b[lane] = list(kept[:cut]) + draw(st.lists(items, max_size=2)) + list(kept[cut + draw(st.integers(0, 1)) :])
    return a, b


@many
@given(changed_bodies())
def test_every_divergence_has_a_first_finding_and_every_report_is_printable(
    pair: tuple[dict[str, Any], dict[str, Any]],
) -> None:
    a, b = stream(pair[0]), stream(pair[1])
    result = compare_streams(a, b)
    common = next(
        (i for i, (x, y) in enumerate(zip(a.elements, b.elements, strict=False)) if not x.same_as(y)),
        min(len(a.elements), len(b.elements)),
    )
    diverges = common < min(len(a.elements), len(b.elements))
    assert (result.relation == "diverges") == diverges == bool(result.findings)
    if diverges:
        first = result.findings[0]
        for pointer, elements in ((first.pointer_a, a.elements), (first.pointer_b, b.elements)):
            element = elements[common]
            assert pointer is not None
            # Keys that differ further in begin with the element's own pointer; a changed form names what holds it.
            assert pointer.startswith(element.pointer) or pointer == element.container
    assert set(result.breakpoints_surviving) <= {e.pointer for e in a.elements[:common]}
    text = diff_as_text(result)
    assert all(character.isprintable() or character == "\n" for character in text)
    json.loads(diff_as_json_text(result))


@many
@given(bodies, st.lists(messages, max_size=3))
def test_growth_is_never_a_finding(body: dict[str, Any], more: list[dict[str, Any]]) -> None:
    grown = dict(body, messages=body["messages"] + more)
    forth = compare_streams(stream(body), stream(grown))
    assert forth.relation in ("identical", "extends")
    assert forth.verdict == "same"
    assert forth.breakpoints_lost == ()
    back = compare_streams(stream(grown), stream(body))
    assert back.relation in ("identical", "truncates")
    assert back.findings == ()
