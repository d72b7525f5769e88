"""Two requests compared: classes, pointers, certainty, and hostile bodies."""

import json
from typing import Any

import pytest

from promptc.compare.diff import compare_streams, compare_texts
from promptc.providers.registry import provider
from promptc.streams.model import LANES, Breakpoint, Element, Piece, PrefixStream
from promptc.streams.read import read_stream
from promptc.streams.result import Comparison, SpecPlace
from promptc.streams.rules import UNKNOWN_TARGET, CacheRules, cache_rules

RULES = cache_rules(provider("anthropic"), "claude-sonnet-4-6")
MARK = {"cache_control": {"type": "ephemeral"}}


def stream(body: Any) -> PrefixStream:
    found, _ = read_stream(json.dumps(body).encode(), "body.json", "anthropic")
    assert found is not None
    return found


def compare(a: Any, b: Any, rules: CacheRules = RULES) -> Comparison:
    return compare_streams(stream(a), stream(b), rules)


def text(words: str, **more: Any) -> dict[str, Any]:
    return {"type": "text", "text": words} | more


def body(*blocks: dict[str, Any], tools: Any = (), system: Any = "S", **more: Any) -> dict[str, Any]:
    messages = [{"role": "user" if i % 2 == 0 else "assistant", "content": [b]} for i, b in enumerate(blocks)]
    return {"model": "claude-x", "tools": list(tools), "system": system, "messages": messages} | more


def tool(name: str, **more: Any) -> dict[str, Any]:
    return {"name": name, "description": f"Tool {name}.", "input_schema": {"type": "object"}} | more


def found(result: Comparison) -> list[tuple[str, str | None, str | None, str | None]]:
    return [(f.change_class, f.text_class, f.pointer_a, f.pointer_b) for f in result.findings]


def test_independent_edits_are_all_found_in_order() -> None:
    a = body(text("one"), text("two"), text("three"), tools=[tool("f"), tool("g")])
    b = body(text("one"), text("2"), text("three"), tools=[tool("f"), tool("g", description="Other.")], system="T")
    assert found(compare(a, b)) == [
        ("edit", "value", "/tools/1/description", "/tools/1/description"),
        ("edit", "value", "/system", "/system"),
        ("edit", "value", "/messages/1/content/0/text", "/messages/1/content/0/text"),
    ]


def test_an_added_tool_is_an_insertion_and_what_stands_there_instead_is_named() -> None:
    a = body(text("x"), tools=[tool("f"), tool("g")])
    b = body(text("x"), tools=[tool("f"), tool("new"), tool("g")])
    assert found(compare(a, b)) == [("insert", None, "/tools/1/name", "/tools/1/name")]
    last = body(text("x"), tools=[tool("f"), tool("g"), tool("new")])
    assert found(compare(a, last)) == [("insert", None, "/system", "/tools/2")]


def test_a_changed_tool_beside_an_added_one_keeps_its_name() -> None:
    a = body(text("x"), tools=[tool("f")])
    b = body(text("x"), tools=[tool("new"), tool("f", description="Other.")])
    assert found(compare(a, b)) == [
        ("insert", None, "/tools/0/name", "/tools/0/name"),
        ("edit", "value", "/tools/0/description", "/tools/1/description"),
    ]


def test_two_tools_for_one_are_mixed() -> None:
    result = compare(body(text("x"), tools=[tool("f"), tool("g")]), body(text("x"), tools=[tool("new")]))
    assert [finding[0] for finding in found(result)] == ["mixed"]


def test_messages_that_changed_places_are_a_reordering() -> None:
    a, b = body(text("one"), text("two"), text("three")), body(text("three"), text("two"), text("one"))
    assert [finding[0] for finding in found(compare(a, b))] == ["reorder"]


def test_key_order_and_a_value_in_one_schema_are_two_findings() -> None:
    a = body(text("x"), tools=[{"name": "f", "input_schema": {"p": 1, "q": 2}}])
    b = body(text("x"), tools=[{"name": "f", "input_schema": {"q": 3, "p": 1}}])
    result = compare(a, b)
    assert found(result) == [
        ("key_order", None, "/tools/0/input_schema/p", "/tools/0/input_schema/q"),
        ("edit", "value", "/tools/0/input_schema/q", "/tools/0/input_schema/q"),
    ]
    assert [f.certainty for f in result.findings] == ["measured", "documented"]


def test_a_number_spelled_otherwise_is_its_own_class() -> None:
    sent = '{"messages":[],"tools":[{"name":"f","input_schema":{"n":1.0}}]}'
    a, _ = read_stream(sent.encode(), "a")
    b, _ = read_stream(sent.replace("1.0", "1").encode(), "b")
    assert a is not None
    assert b is not None
    (finding,) = compare_streams(a, b, RULES).findings
    assert (finding.text_class, finding.certainty) == ("json_respelled", "provider_dependent")


def test_left_out_and_empty_are_one_shape_question() -> None:
    a = {"model": "m", "messages": [{"role": "assistant", "content": None, "tool_calls": [{"id": "1"}]}] * 2}
    b = {"model": "m", "messages": [{"role": "assistant", "tool_calls": [{"id": "1"}]}] * 2}
    assert [finding[0] for finding in found(compare(a, b))] == ["shape", "shape"]


def test_another_role_is_an_edit_of_the_element() -> None:
    a, b = body(text("one")), body(text("one"))
    b["messages"][0]["role"] = "assistant"
    assert found(compare(a, b)) == [("edit", None, "/messages/0/content/0", "/messages/0/content/0")]


def test_marker_moves_and_member_order_are_no_findings() -> None:
    a = body(text("one", **MARK))
    b = dict(reversed(body(text("one"), text("two"), text("three", **MARK)).items()))
    result = compare(a, b)
    assert (result.relation, result.findings, result.verdict) == ("extends", (), "same")
    assert result.cache_read_through == "/messages/0/content/0"


def test_a_change_behind_the_last_breakpoint_is_a_tail() -> None:
    a, b = body(text("one", **MARK), text("two")), body(text("one", **MARK), text("2"))
    assert compare(a, b).verdict == "tail"
    assert compare(body(text("one")), body(text("1"))).verdict == "break"


def test_lookback_ends_where_the_provider_says() -> None:
    a = body(*[text(f"t{i}") for i in range(5)])
    a["messages"][-1]["content"][0] |= MARK

    def longer(more: int) -> dict[str, Any]:
        b = body(*[text(f"t{i}") for i in range(5 + more)])
        b["messages"][-1]["content"][0] |= MARK
        return b

    assert compare(a, longer(19)).cache_read_through == "/messages/4/content/0"
    assert compare(a, longer(20)).cache_read_through is None


def test_a_run_of_results_is_one_position_where_the_provider_says() -> None:
    results = [{"type": "tool_result", "tool_use_id": str(i), "content": "ok"} for i in range(40)]
    a, b = body(text("one", **MARK)), body(text("one"))
    b["messages"] += [{"role": "user", "content": [*results, text("two", **MARK)]}]
    assert compare(a, b).cache_read_through == "/messages/0/content/0"
    assert compare(a, b, cache_rules(provider("bedrock-claude"))).cache_read_through is None


def test_another_model_loses_all_and_another_tool_choice_the_messages() -> None:
    a = body(text("one", **MARK), system=[text("S", **MARK)])
    model, choice = compare(a, a | {"model": "claude-y"}), compare(a, a | {"tool_choice": {"type": "any"}})
    assert (model.params_changed, model.breakpoints_surviving, model.verdict) == (("/model",), (), "break")
    assert (choice.params_changed, choice.breakpoints_surviving) == (("/tool_choice",), ("/system/0",))
    assert model.relation == choice.relation == "identical"


def test_bytes_kept_end_where_a_parameter_or_a_changed_form_ends_them() -> None:
    a = body(text("one"), text("two"))
    assert compare(a, body(text("one"), text("tw"))).prefix.bytes.kept == len("S" + "one" + "tw")
    assert compare(a, body(text("one"), text("tw"), model="claude-y")).prefix.bytes.kept == 0
    assert compare(a, body(text("one"), text("tw"), tool_choice={"type": "any"})).prefix.bytes.kept == len("S")
    string = body(text("one"), text("two"))
    string["messages"][1]["content"] = "two"
    assert compare(a, string).prefix.bytes.kept == len("S" + "one")


def test_tokens_are_labelled_with_what_counted_them() -> None:
    small, large = body(text("one two three")), body(text("one two " * 200_000))
    tokens = compare(small, small).prefix.tokens
    assert (tokens.method.startswith("estimate/"), tokens.lost) == (True, 0)
    assert 3 <= tokens.kept <= 8
    assert compare(large, large).prefix.tokens.method == "bytes/4"
    assert compare(large, large).prefix.tokens.kept == 400_000 + 1


def test_an_explicit_default_is_no_change() -> None:
    a = body(text("one"))
    assert compare(a, a | {"tool_choice": {"type": "auto"}}).params_changed == ()


def test_newer_chat_models_end_the_prefix_at_the_latest_message_by_themselves() -> None:
    rules = cache_rules(provider("openai-chat-5.6"))
    a = {"model": "gpt-5.6", "messages": [{"role": "user", "content": "one"}]}
    b = {"model": "gpt-5.6", "messages": [*a["messages"], {"role": "assistant", "content": "two"}]}
    b["messages"] = [*b["messages"], {"role": "user", "content": "three"}]
    first, _ = read_stream(json.dumps(a).encode(), "a", "openai")
    second, _ = read_stream(json.dumps(b).encode(), "b", "openai")
    assert first is not None
    assert second is not None
    result = compare_streams(first, second, rules)
    assert result.breakpoints_surviving == ("/messages/0",)
    assert result.cache_read_through == "/messages/0"


def test_without_a_promise_nothing_is_read_for_certain_and_that_is_said() -> None:
    result = compare(body(text("one")), body(text("one"), text("two")), cache_rules(provider("groq")))
    assert result.cache_read_through is None
    assert any("without a promise" in limit for limit in result.limits)


def test_the_first_image_is_a_limit_of_the_answer_and_no_finding() -> None:
    image = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "iVBORw0KGgo="}}
    result = compare(body(text("one", **MARK)), body(text("one"), text("two"), image, text("three", **MARK)))
    assert (result.relation, result.findings) == ("extends", ())
    assert any("only one of the requests holds an image" in limit for limit in result.limits)


def test_a_section_and_its_line_are_named_where_the_stream_knows_them() -> None:
    def built(words: str, opened: str) -> PrefixStream:
        pieces = (
            Piece(0, "identity", "agent.promptc", 3, 5),
            Piece(len(words.encode()), "desk", "text/desk.md", 12, 1),
        )
        value = f"{words}{opened}"
        block = Element("system", "/system/0", "/system/0", "/system", None, value, pieces)
        return PrefixStream("m", "manifest", None, LANES, (block,), (Breakpoint(0, "/system/0", scope="global"),))

    result = compare_streams(built("Käse is sold. ", "Opened at 6."), built("Käse is sold. ", "Opened at 7."))
    (finding,) = result.findings
    assert (finding.section, finding.span) == ("desk", SpecPlace(path="text/desk.md", line=12, column=1))
    (scope,) = result.prefix.scopes
    assert (scope.scope, scope.kept, scope.lost) == ("global", 25, 2)


def test_texts_are_counted_in_bytes_even_inside_a_character() -> None:
    # é is C3 A9 and è is C3 A8: one byte of the two is shared.
    result = compare_texts("caf\u00e9", "caf\u00e8")
    assert (result.prefix.bytes.kept, result.prefix.bytes.lost) == (4, 1)
    assert (result.findings[0].byte_offset, result.findings[0].char_offset) == (4, 3)


def test_line_and_column_count_from_one() -> None:
    (finding,) = compare_texts("one\ntwo\nthr33\n", "one\ntwo\nthree\n").findings
    assert (finding.line, finding.column) == (3, 4)


def test_too_many_findings_are_counted_not_listed() -> None:
    a = body(*[text(f"old {i}") for i in range(500)])
    b = body(*[text(f"new {i}") for i in range(500)])
    result = compare(a, b, UNKNOWN_TARGET)
    assert len(result.findings) == 200
    assert result.findings_left_out == 300


def test_edits_far_apart_in_a_long_conversation_are_found_one_by_one() -> None:
    a = body(*[text(f"turn {i}") for i in range(20_000)])
    b = body(*[text(f"turn {i}" if i % 150 else f"turn {i} again") for i in range(20_000)])
    result = compare(a, b)
    assert [f.pointer_a for f in result.findings] == [f"/messages/{i}/content/0/text" for i in range(0, 20_000, 150)]


def test_a_turn_taken_out_of_a_long_conversation_is_one_removal() -> None:
    turns = [text(f"turn {i % 50}") for i in range(20_000)]
    result = compare(body(*turns), body(*turns[:7], *turns[9:]))
    assert result.findings[0].pointer_a == "/messages/7/content/0/text"
    assert result.common_prefix_through == "/messages/6/content/0"


HUGE = int("7" * 4_000)
HOSTILE = [
    {"messages": None},
    {"messages": [None, 1, "x", [], {}]},
    {"messages": [{"role": 5, "content": 5}]},
    {"messages": [{"role": "user", "content": [None, 1, "x", [], {}]}]},
    {"messages": [], "tools": [None, 1, {}], "system": [None, {}]},
    {"messages": [{"role": "user", "content": [{"type": 5, "text": 5}]}]},
    {"messages": [{"role": "\ud800", "content": "\udfff"}]},
    {"messages": [{"role": "user", "content": [{"type": "tool_use", "input": {"\ud800": "\udc00"}}]}]},
    {"messages": [{"role": "user", "content": "\x00\x1b[31m\x9b\u202e\u2028"}], "model": {"a": []}},
    {"contents": [None, {"parts": [None, 1]}], "tools": [[]]},
    {"input": [None, 1, {"content": []}, {"content": [None]}], "instructions": []},
    {"messages": [], "toolConfig": 5, "inferenceConfig": 1},
    {"messages": [{"role": "user", "content": [{"cachePoint": None}, {"cachePoint": 5}]}], "toolConfig": {"tools": {}}},
    [{"role": "user"}],
    {"messages": [], "tools": [{"name": "f", "input_schema": {"n": HUGE, "type": {"type": []}}}]},
    {"messages": [], "tools": [{"name": "f", "input_schema": {"n": "1", "type": {"type": {}}}}]},
    {"messages": [{"role": "user", "content": "a", "tool_calls": [1]}], "functions": [{"name": 4}]},
]


@pytest.mark.parametrize("b", range(len(HOSTILE)))
@pytest.mark.parametrize("a", range(len(HOSTILE)))
def test_any_two_odd_bodies_compare_without_a_crash(a: int, b: int) -> None:
    result = compare(HOSTILE[a], HOSTILE[b])
    assert (result.relation == "identical") >= (a == b)
    result.model_dump_json()


def test_a_deep_but_allowed_value_is_compared() -> None:
    def request(leaf: str) -> Any:
        value: Any = leaf
        for _ in range(95):
            value = {"a": [value]}
        return body({"type": "tool_use", "id": "1", "name": "f", "input": value})

    assert found(compare(request("x"), request("y")))[0][:2] == ("edit", "value")
