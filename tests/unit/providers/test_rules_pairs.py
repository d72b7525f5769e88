"""Rules about a request and the one before it: what changes nothing, and what does."""

from typing import Any

from support.request_bodies import MARK, body, pair, said, text


def test_moving_a_marker_changes_nothing() -> None:
    before = body(said("user", text("a", cache_control=MARK)))
    after = body(said("user", text("a")), said("assistant", "b"), said("user", text("c", cache_control=MARK)))
    assert pair(before, after) == []


def test_a_string_and_one_text_block_are_the_same_content() -> None:
    assert pair(body(said("user", "a")), body(said("user", text("a")), said("assistant", "b"), said("user", "c"))) == []


def test_a_default_and_an_absent_parameter_are_the_same() -> None:
    before = body(said("user", "a"))
    after = body(said("user", "a"), said("assistant", "b"), said("user", "c"), output_config={"effort": "high"})
    assert pair(before, after) == []


def test_openai_lets_the_choice_of_tools_change() -> None:
    before = {"model": "gpt-5.6", "messages": [said("user", "a")]}
    after = {**before, "tool_choice": "none"}
    assert pair(before, after, "openai-chat") == []
    assert pair(before, {**before, "parallel_tool_calls": False}, "openai-chat") == [
        ("PC648", "/1/parallel_tool_calls")
    ]


def test_a_tool_that_is_added_deferred_is_no_change() -> None:
    search = {"type": "tool_search_tool_regex_20251119", "name": "find"}
    one = {"name": "one", "input_schema": {}}
    late = {"name": "late", "input_schema": {}, "defer_loading": True}
    before = body(said("user", "a"), tools=[search, one])
    assert pair(before, body(said("user", "a"), tools=[search, one, late])) == []
    assert pair(before, body(said("user", "a"), tools=[search, one, {**late, "defer_loading": False}])) == [
        ("PC646", "/1/tools/2")
    ]


def test_dropping_thinking_blocks_on_request_is_no_error() -> None:
    thinking = {"type": "thinking", "thinking": "t", "signature": "s"}
    before = body(said("user", "a"), said("assistant", thinking, text("b")), said("user", "c"), model="claude-opus-5-5")
    changed = body(said("user", "A"), *before["messages"][1:], model="claude-opus-5-5")
    assert pair(before, changed) == [("PC655", "/1/messages/1/content/0")]
    allowed = {**changed, "thinking": {"type": "adaptive", "block_binding": {"prefix_mismatch_behavior": "drop_block"}}}
    before_allowed = {**before, "thinking": allowed["thinking"]}
    assert pair(before_allowed, allowed) == [("PC654", "/1/messages/0/content")]


def test_switching_citations_on_is_found_and_costs_system_and_messages() -> None:
    def document(on: bool) -> dict[str, Any]:
        source = {"type": "text", "media_type": "text/plain", "data": "loaves"}
        return {"type": "document", "source": source, **({"citations": {"enabled": True}} if on else {})}

    before = body(said("user", text("a")))
    after = body(said("user", text("a")), said("assistant", "b"), said("user", document(True), text("c")))
    assert pair(before, after) == [("PC651", "/1/messages/2/content/0")]
    later = body(*after["messages"], said("assistant", "d"), said("user", document(False)))
    assert pair(after, later) == []
