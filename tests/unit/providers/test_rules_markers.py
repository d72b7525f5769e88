"""Rules about markers at their edges: how many, where, in which order, on which platform."""

import json
from typing import Any

import pytest

from promptc.providers.checks.run import check_bytes, check_request
from promptc.providers.registry import provider
from support.request_bodies import LONG, MARK, answered, body, called, check, marked, said, text


def test_four_markers_are_allowed_and_a_fifth_is_not() -> None:
    assert check(body(marked(4))) == []
    assert check(body(marked(5))) == [("PC600", "/messages/0/content/4")]


def test_the_automatic_marker_counts_unless_the_last_block_is_marked_already() -> None:
    assert check(body(marked(4), said("user", "end"), cache_control=MARK)) == [("PC600", "/cache_control")]
    assert check(body(marked(4), cache_control=MARK)) == []


def test_the_400_of_too_many_markers_is_quoted_with_its_number() -> None:
    found = check_request(body(marked(6)), provider("anthropic"))
    assert found[0].notes == (
        "the API would refuse the request: A maximum of 4 blocks with cache_control may be provided. Found 6.",
    )


def test_a_marker_without_a_lifetime_is_a_short_one() -> None:
    system = [text("one", cache_control=MARK), text("two", cache_control=LONG)]
    assert check(body(said("user", "hi"), system=system)) == [("PC602", "/system/1")]
    assert check(body(said("user", "hi"), system=system[::-1])) == []


def test_the_order_of_lifetimes_is_that_of_the_cache_not_that_of_the_fields() -> None:
    request = {"messages": [said("user", text("hi", cache_control=LONG))], "system": [text("s", cache_control=MARK)]}
    assert check({**request, "model": "claude-opus-5", "max_tokens": 9}) == [("PC602", "/messages/0/content/0")]


def test_only_the_last_part_inside_a_result_may_be_marked() -> None:
    def request(at: int) -> dict[str, Any]:
        parts = [text("a"), text("b")]
        parts[at] = {**parts[at], "cache_control": MARK}
        return body(
            said("user", "go"), said("assistant", called("t")), said("user", {**answered("t"), "content": parts})
        )

    assert check(request(0)) == [("PC607", "/messages/2/content/0/content/0")]
    assert check(request(1)) == []


def test_what_a_model_or_a_schema_says_is_no_marker() -> None:
    call = {**called("t"), "input": {"cache_control": {"scope": "x"}, "items": [{"cachePoint": 1}]}}
    assert check(body(said("user", "go"), said("assistant", call), said("user", answered("t")))) == []


@pytest.mark.parametrize("name", ["scope", "cache_edits", "cache_reference"])
def test_private_fields_are_refused(name: str) -> None:
    if name == "scope":
        request = body(said("user", text("hi", cache_control={**MARK, "scope": "global"})))
    else:
        request = body(said("user", text("hi", **{name: "r1"})))
    assert [code for code, _ in check(request)] == ["PC613"]


def test_markers_of_another_format_are_refused_once() -> None:
    request = body(said("user", {"text": "a", "cachePoint": 1}, {"text": "b", "cachePoint": 1}))
    assert [found for found in check(request) if found[0] == "PC612"] == [("PC612", "/messages/0/content/0/cachePoint")]


def test_converse_takes_markers_as_blocks_and_nova_as_keys() -> None:
    point = {"cachePoint": {"type": "default"}}
    converse = {"modelId": "anthropic.claude-opus-4-8", "system": [{"text": "s"}, point], "messages": []}
    assert check(converse, "bedrock-claude") == []
    spoken = [{"role": "user", "content": [{"text": "a"}]}]
    nova = {"model": "amazon.nova-pro-v1:0", "system": [{"text": "s"}, point], "messages": spoken}
    assert check(nova, "bedrock-nova") == [("PC612", "/system/1")]
    inline = {"model": "amazon.nova-pro-v1:0", "system": [{"text": "s", **point}], "messages": spoken}
    assert check(inline, "bedrock-nova") == []


def test_nova_takes_marker_blocks_through_converse() -> None:
    point = {"cachePoint": {"type": "default"}}
    raw = json.dumps({"modelId": "amazon.nova-pro-v1:0", "system": [{"text": "s"}, point], "messages": []}).encode()
    assert check_bytes(raw, "bedrock") == ()


def test_a_bedrock_model_without_caching_takes_no_marker() -> None:
    point = {"cachePoint": {"type": "default"}}
    request = {"modelId": "meta.llama-5", "system": [{"text": "s"}, point], "messages": []}
    assert check(request, "bedrock-claude") == [("PC612", "/system/1")]
