"""Single rules at their edges: what is just allowed, what is just not, and on which platform."""

import json
import time
from typing import Any

import pytest

from promptc.diagnostics.model import Diagnostic, Severity
from promptc.diagnostics.sink import severity_of
from promptc.providers.checks.context import Options
from promptc.providers.checks.run import check_bytes, check_document, check_request, check_sequence
from promptc.providers.registry import provider, resolve
from promptc.providers.tokens import TokenCount

MARK = {"type": "ephemeral"}
LONG = {"type": "ephemeral", "ttl": "1h"}


def text(value: str, **more: Any) -> dict[str, Any]:
    return {"type": "text", "text": value, **more}


def said(role: str, *blocks: Any) -> dict[str, Any]:
    return {"role": role, "content": blocks[0] if len(blocks) == 1 and isinstance(blocks[0], str) else list(blocks)}


def body(*messages: Any, model: str = "claude-opus-5", **more: Any) -> dict[str, Any]:
    return {"model": model, "max_tokens": 100, **more, "messages": list(messages)}


def called(id: str) -> dict[str, Any]:
    return {"type": "tool_use", "id": id, "name": "look", "input": {}}


def answered(id: str, **more: Any) -> dict[str, Any]:
    return {"type": "tool_result", "tool_use_id": id, "content": "ok", **more}


def check(request: Any, target: str = "anthropic", **options: Any) -> list[tuple[str, str | None]]:
    found = check_request(request, resolve(target, request.get("model")), None, Options(**options))
    return [(d.code, d.pointer) for d in found]


def marked(count: int) -> dict[str, Any]:
    return said("user", *(text(f"part {n}", cache_control=MARK) for n in range(count)))


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


def tokens(value: int) -> Any:
    return lambda _: TokenCount(value, "given", True)


@pytest.mark.parametrize(("size", "codes"), [(1023, ["PC615"]), (1024, [])])
def test_the_minimum_itself_is_enough(size: int, codes: list[str]) -> None:
    request = body(said("user", "hi"), model="claude-sonnet-4-6", system=[text("s", cache_control=MARK)])
    assert [code for code, _ in check(request, count=tokens(size))] == codes


def test_a_deferred_tool_does_not_help_a_prefix_over_the_minimum() -> None:
    tools = [
        {"name": "find", "description": "Search tools.", "input_schema": {}},
        {"name": "late", "input_schema": {}, "defer_loading": True},
    ]
    request = body(said("user", "hi"), model="claude-opus-4-6", tools=tools, system=[text("s", cache_control=MARK)])
    assert [code for code, _ in check(request, count=tokens(1500))] == ["PC615"]
    assert [code for code, _ in check(request, count=tokens(1800))] == []


@pytest.mark.parametrize(
    ("turns", "codes"),
    [
        ("us", []),
        ("usa", []),
        ("uss", []),
        ("su", ["PC672"]),
        ("usu", ["PC672"]),
        ("uas", ["PC672"]),
        ("uasu", ["PC672"]),
    ],
)
def test_where_a_system_turn_may_stand(turns: str, codes: list[str]) -> None:
    roles = {"u": "user", "s": "system", "a": "assistant"}
    messages = [said(roles[turn], f"turn {index}") for index, turn in enumerate(turns)]
    assert [code for code, _ in check(body(*messages, model="claude-opus-4-8"))] == codes


@pytest.mark.parametrize(
    ("model", "codes"), [("claude-opus-5", []), ("claude-sonnet-5", ["PC671"]), ("claude-sonnet-5-5", [])]
)
def test_which_models_take_a_system_turn(model: str, codes: list[str]) -> None:
    assert [code for code, _ in check(body(said("user", "a"), said("system", "b"), model=model))] == codes


def test_a_system_turn_between_a_call_and_its_result_is_one_finding() -> None:
    request = body(said("user", "a"), said("assistant", called("t")), said("system", "s"), said("user", answered("t")))
    assert check(request) == [("PC672", "/messages/2")]


def test_turns_of_one_role_in_a_row_are_one_turn() -> None:
    request = body(
        said("user", "a"),
        said("assistant", called("t1")),
        said("assistant", called("t2")),
        said("user", answered("t1")),
        said("user", answered("t2")),
    )
    assert check(request) == []


def test_a_second_result_for_one_call_is_an_orphan() -> None:
    request = body(said("user", "a"), said("assistant", called("t")), said("user", answered("t"), answered("t")))
    assert check(request) == [("PC665", "/messages/2/content/1")]


def test_a_trailing_call_is_unanswered_too() -> None:
    assert check(body(said("user", "a"), said("assistant", called("t")))) == [("PC664", "/messages/1/content/0")]


def test_duplicate_ids_are_an_error_where_the_api_refuses_them() -> None:
    turns = [said("assistant", called("t")), said("user", answered("t"))]
    found = check_request(body(said("user", "a"), *turns, *turns), provider("anthropic"))
    assert [(d.code, severity_of(d)) for d in found] == [("PC666", Severity.ERROR)]


def responses(*items: Any, **more: Any) -> dict[str, Any]:
    return {"model": "gpt-5.6", **more, "input": list(items)}


def test_results_of_the_responses_format_may_come_later_and_may_be_held_by_the_server() -> None:
    call = {"type": "function_call", "call_id": "c", "name": "look", "arguments": "{}"}
    result = {"type": "function_call_output", "call_id": "c", "output": "ok"}
    talk = {"role": "user", "content": "hm"}
    assert check(responses(talk, call, talk, result), "openai-responses") == []
    assert check(responses(talk, result), "openai-responses") == [("PC665", "/input/1")]
    assert check(responses(result, previous_response_id="r"), "openai-responses") == []


def test_empty_results_and_an_empty_system_text_are_allowed() -> None:
    result = {**answered("t"), "content": ""}
    assert check(body(said("user", "a"), said("assistant", called("t")), said("user", result), system="")) == []


@pytest.mark.parametrize(
    ("value", "code"),
    [
        ("<p>a</p>\n<p>b</p>", None),
        ("<doc>x</doc> and more", None),
        ("<doc>x</doc>y</doc>", "PC675"),
        ("<doc a='1'>x</doc>y</doc>", "PC675"),
        ("<doc>a<doc>b</doc>c</doc>", None),
    ],
)
def test_an_envelope_is_broken_when_it_closes_more_often_than_it_opens(value: str, code: str | None) -> None:
    assert [c for c, _ in check(body(said("user", text(value))))] == ([code] if code else [])


@pytest.mark.parametrize(
    ("value", "severity"),
    [
        ("```py\nx\n```", None),
        ("```py\nx\n```\nOutput:\n```text\ny\n```", None),
        ("````\n```\nx\n```\n````", None),
        ("```md\nDo:\n```\nx\n```\nend\n```", Severity.ERROR),
        ("```md\n```sh\nx\n```\nend\n```", Severity.ERROR),
        ("```py\nx\n```\nOutput\n```\ny\n```", Severity.WARNING),
    ],
)
def test_fences_that_end_early(value: str, severity: Severity | None) -> None:
    found = check_request(body(said("user", text(value))), provider("anthropic"))
    assert [severity_of(d) for d in found if d.code == "PC676"] == ([severity] if severity else [])


@pytest.mark.parametrize(
    ("value", "severity"),
    [
        ('{"a": {name}}', Severity.ERROR),
        ("Hello {{ user }}", Severity.ERROR),
        ("Hello {user}", Severity.WARNING),
        ("Use `{user}` as it stands", None),
        ("```\n{user}\n```", None),
        ("${HOME} and \\frac{a}{b}", None),
        ('{"a": {"b": 1}}', None),
    ],
)
def test_placeholders_that_were_not_filled_in(value: str, severity: Severity | None) -> None:
    found = check_request(body(said("user", "hi"), system=[text(value)]), provider("anthropic"))
    assert [severity_of(d) for d in found if d.code == "PC678"] == ([severity] if severity else [])


def test_half_a_pair_is_found_wherever_it_stands() -> None:
    request = body(
        said("user", "a"), said("assistant", {**called("t"), "input": {"k": ["\udc00"]}}), said("user", answered("t"))
    )
    assert check(request) == [("PC674", "/messages/1/content/0/input/k/0")]


def test_a_body_that_is_not_utf8_is_reported_with_its_byte() -> None:
    raw = b'{"messages": ["\xff"]}'
    found = check_request({"messages": ["?"]}, provider("anthropic"), raw)
    assert [(d.code, d.message) for d in found] == [("PC679", "byte 15 of the body is not UTF-8")]


def pair(before: Any, after: Any, target: str = "anthropic", **more: Any) -> list[tuple[str, str | None]]:
    found: tuple[Diagnostic, ...] = check_sequence([before, after], resolve(target, after["model"]), **more)
    return [(d.code, d.pointer) for d in found]


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


def test_an_envelope_hands_its_options_to_the_rules() -> None:
    document = {"gap_seconds": 400, "requests": [body(said("user", text("a", cache_control=MARK)))]}
    found = check_document(document, provider("anthropic"))
    assert [(d.code, d.pointer) for d in found] == [("PC630", "/requests/0/messages/0/content/0/cache_control")]


@pytest.mark.parametrize(
    ("raw", "note"),
    [
        (b"{", "expecting property name enclosed in double quotes: line 1 column 2 (char 1)"),
        (b"[" * 100_000, None),
        (b'"\xff"', None),
        (b"3", None),
    ],
)
def test_a_file_that_holds_no_request_is_a_finding(raw: bytes, note: str | None) -> None:
    found = check_bytes(raw, "anthropic")
    assert [d.code for d in found] == ["PC679"]
    assert note is None or found[0].notes == (note,)


def test_a_body_nested_too_deeply_is_a_finding_and_no_crash() -> None:
    for depth in (199, 500, 900):
        raw = b'{"messages": [{"role": "user", "content": ' + b"[" * depth + b"]" * depth + b"}]}"
        assert [d.code for d in check_bytes(raw, "anthropic")] == ["PC679"]
        assert [d.code for d in check_bytes(b"[" + raw + b"," + raw + b"]", "anthropic")] == ["PC679"] * 2
    shallow = b'{"messages": [{"role": "user", "content": ' + b"[" * 150 + b"]" * 150 + b"}]}"
    assert "PC679" not in [d.code for d in check_bytes(shallow, "anthropic")]


def test_the_model_in_the_file_chooses_the_generation() -> None:
    body = b'{"model": "%s", "messages": [{"role": "user", "content": "a"}], "prompt_cache_options": {}}'
    assert [d.code for d in check_bytes(body % b"gpt-5.5", "openai")] == ["PC636"]
    assert check_bytes(body % b"gpt-5.6", "openai") == ()


def test_an_unknown_target_is_the_callers_mistake() -> None:
    with pytest.raises(KeyError):
        check_bytes(b"{}", "nobody")


def test_a_long_session_is_checked_in_a_blink() -> None:
    turns = [said("user", "a")]
    for n in range(2000):
        turns += [said("assistant", text(f"say {n}"), called(f"t{n}")), said("user", answered(f"t{n}"))]
    started = time.perf_counter()
    assert check(body(*turns), count=tokens(10)) == []
    assert time.perf_counter() - started < 3.0


def deferred_and_marked() -> dict[str, Any]:
    tool = {"name": "late", "input_schema": {}, "defer_loading": True, "cache_control": MARK}
    search = {"type": "tool_search_tool_regex_20251119", "name": "find"}
    return body(said("user", "a"), tools=[search, tool])


def thinking_and_marked() -> dict[str, Any]:
    thinking = {"type": "thinking", "thinking": "t", "signature": "s", "cache_control": MARK}
    return body(said("user", "a"), said("assistant", thinking, text("b")), said("user", "c"))


_LOOK = {"name": "look", "arguments": "{}"}
CHAT_CALL = {"role": "assistant", "content": None, "tool_calls": [{"id": "c", "type": "function", "function": _LOOK}]}


@pytest.mark.parametrize(
    ("request_body", "target", "refusal"),
    [
        (body(marked(5)), "anthropic", "A maximum of 4 blocks with cache_control may be provided. Found 5."),
        (
            body(said("user", text("a", cache_control=LONG)), system=[text("s", cache_control=MARK)]),
            "anthropic",
            "a ttl='1h' cache_control block must not come after a ttl='5m' cache_control block.",
        ),
        (
            body(said("user", text("a", cache_control=LONG)), cache_control=MARK),
            "anthropic",
            "Top-level cache_control has ttl='5m' but the target block already has cache_control with ttl='1h'",
        ),
        (
            thinking_and_marked(),
            "anthropic",
            "messages.1.content.0.thinking.cache_control: Extra inputs are not permitted",
        ),
        (
            deferred_and_marked(),
            "anthropic",
            "Tool 'late' cannot have both defer_loading=true and cache_control set.",
        ),
        (
            body(said("user", "a"), system=[text("", cache_control=MARK)]),
            "anthropic",
            "cache_control cannot be set for empty text blocks",
        ),
        (body(said("user", text(""))), "anthropic", "text content blocks must be non-empty"),
        (
            body(said("user", "a"), said("assistant", called("t"))),
            "anthropic",
            "`tool_use` ids were found without `tool_result` blocks immediately after",
        ),
        (body(said("user", answered("t"))), "anthropic", "unexpected `tool_use_id` found in `tool_result` blocks"),
        (
            body(said("user", "a"), said("system", "b"), model="claude-sonnet-5"),
            "anthropic",
            'Unexpected role "system".',
        ),
        (
            body(said("user", "a"), said("system", "b"), said("user", "c")),
            "anthropic",
            "messages.1: role 'system' must precede an 'assistant' message or end the array",
        ),
        (
            body(said("user", "a"), said("assistant", "b ")),
            "anthropic",
            "final assistant content cannot end with trailing whitespace",
        ),
        (
            {"model": "gpt-5.5", "messages": [said("user", "a"), CHAT_CALL]},
            "openai",
            "An assistant message with 'tool_calls' must be followed by tool messages",
        ),
        (
            {"model": "qwen-x", "messages": [said("user", "a"), said("system", "b")]},
            "openai",
            "System message must be at the beginning.",
        ),
        (
            {"contents": [{"role": "model", "parts": [{"text": "a"}]}]},
            "gemini",
            "Please ensure that function call turn comes immediately after a user turn",
        ),
        (
            {"contents": [{"parts": [{"text": "a"}]}], "cachedContent": "c", "tools": []},
            "gemini",
            "CachedContent can not be used with GenerateContent request",
        ),
    ],
    ids=lambda value: value[:40] if isinstance(value, str) else "",
)
def test_an_error_quotes_the_400_that_it_prevents(request_body: dict[str, Any], target: str, refusal: str) -> None:
    found = check_request(request_body, resolve(target, request_body.get("model")))
    assert [severity_of(d) for d in found] == [Severity.ERROR]
    assert any(note.startswith("the API would refuse the request: ") and refusal in note for note in found[0].notes)


def test_sizes_are_checked_when_asked_for() -> None:
    raw = (
        b'{"model": "claude-opus-5", "max_tokens": 9, "messages": [{"role": "user", "content": "a"}], '
        b'"system": [{"type": "text", "text": "s", "cache_control": {"type": "ephemeral"}}]}'
    )
    assert check_bytes(raw, "anthropic") == ()
    assert [d.code for d in check_bytes(raw, "anthropic", sizes=True)] == ["PC615"]
    assert [d.code for d in check_bytes(b"[" + raw + b"]", "anthropic", sizes=True)] == ["PC615"]


def test_switching_citations_on_is_found_and_costs_system_and_messages() -> None:
    def document(on: bool) -> dict[str, Any]:
        source = {"type": "text", "media_type": "text/plain", "data": "loaves"}
        return {"type": "document", "source": source, **({"citations": {"enabled": True}} if on else {})}

    before = body(said("user", text("a")))
    after = body(said("user", text("a")), said("assistant", "b"), said("user", document(True), text("c")))
    assert pair(before, after) == [("PC651", "/1/messages/2/content/0")]
    later = body(*after["messages"], said("assistant", "d"), said("user", document(False)))
    assert pair(after, later) == []
