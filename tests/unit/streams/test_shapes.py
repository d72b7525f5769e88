"""Each request shape as a stream: elements in cache order, pointers, roles, markers, what is outside."""

import json
from typing import Any

import pytest

from promptc.providers.registry import provider
from promptc.streams.model import PrefixStream
from promptc.streams.read import SHAPES, read_pair, read_stream

MARK = {"cache_control": {"type": "ephemeral"}}


def stream(body: Any, **options: Any) -> PrefixStream:
    found, problems = read_stream(json.dumps(body).encode(), "body.json", **options)
    assert problems == ()
    assert found is not None
    return found


def pointers(found: PrefixStream) -> list[str]:
    return [element.pointer for element in found.elements]


def marked(found: PrefixStream) -> list[tuple[str, str | None]]:
    return [(point.pointer, point.ttl) for point in found.breakpoints]


ANTHROPIC: dict[str, Any] = {
    "messages": [
        {"role": "user", "content": "Where is the ferry?"},
        {
            "role": "assistant",
            "content": [
                {"type": "text", "text": "Looking."},
                {"type": "tool_use", "id": "u1", "name": "f", "input": {}},
            ],
        },
        {
            "role": "user",
            "content": [
                {
                    "type": "tool_result",
                    "tool_use_id": "u1",
                    "content": [{"type": "text", "text": "At the pier."} | MARK],
                }
            ],
        },
    ],
    "system": [{"type": "text", "text": "Be brief."} | {"cache_control": {"type": "ephemeral", "ttl": "1h"}}],
    "tools": [
        {"name": "f", "input_schema": {"type": "object"}},
        {"name": "late", "input_schema": {"type": "object"}, "defer_loading": True},
    ],
    "model": "claude-x",
    "max_tokens": 10,
}


def test_messages_shape_is_laid_out_tools_first() -> None:
    found = stream(ANTHROPIC)
    assert found.format == "anthropic-messages"
    assert pointers(found) == [
        "/tools/0",
        "/system/0",
        "/messages/0/content",
        "/messages/1/content/0",
        "/messages/1/content/1",
        "/messages/2/content/0",
    ]
    assert [element.role for element in found.elements] == [None, None, "user", "assistant", "assistant", "user"]
    assert found.outside == ("/tools/1",)


def test_marker_inside_a_result_is_that_of_the_result_and_no_marker_is_in_the_bytes() -> None:
    found = stream(ANTHROPIC)
    assert marked(found) == [("/system/0", "1h"), ("/messages/2/content/0", None)]
    assert all(b"cache_control" not in element.data for element in found.elements)


def test_a_schema_property_called_like_the_marker_stays() -> None:
    tool = {"name": "f", "input_schema": {"properties": {"cache_control": {"type": "string"}}}}
    found = stream({"tools": [tool], "messages": []})
    assert b"cache_control" in found.elements[0].data
    assert found.breakpoints == ()


def test_request_level_marker_stands_on_the_last_block_that_may_carry_one() -> None:
    body = {
        "model": "claude-x",
        "messages": [
            {"role": "user", "content": "Go."},
            {"role": "assistant", "content": [{"type": "thinking", "thinking": "Hm.", "signature": "s"}]},
        ],
    } | MARK
    assert marked(stream(body)) == [("/messages/0/content", None)]


def test_order_can_be_given() -> None:
    found = stream(ANTHROPIC, order=("system", "tools", "messages"))
    assert pointers(found)[:2] == ["/system/0", "/tools/0"]
    assert found.order == ("system", "tools", "messages")


def test_version_tells_the_platform() -> None:
    body = {"messages": [{"role": "user", "content": "Hi."}], "max_tokens": 1}
    assert stream(body | {"anthropic_version": "bedrock-2023-05-31"}).target == "bedrock-claude-invoke"
    assert stream(body | {"anthropic_version": "vertex-2023-10-16"}).target == "vertex-claude"


def test_converse_marker_is_a_block_of_its_own_and_no_element() -> None:
    found = stream(
        {
            "toolConfig": {"tools": [{"toolSpec": {"name": "f"}}, {"cachePoint": {"type": "default"}}]},
            "system": [{"text": "Be brief."}, {"cachePoint": {"type": "default", "ttl": "1h"}}],
            "messages": [{"role": "user", "content": [{"text": "Hi."}]}],
            "inferenceConfig": {"maxTokens": 5},
        }
    )
    assert found.format == "bedrock-converse"
    assert pointers(found) == ["/toolConfig/tools/0", "/system/0", "/messages/0/content/0"]
    assert marked(found) == [("/toolConfig/tools/0", None), ("/system/0", "1h")]
    assert found.elements[1].text == "Be brief."


def test_chat_message_is_one_element_and_one_of_several_parts_is_one_a_part() -> None:
    parts = [{"type": "text", "text": "A"} | MARK, {"type": "text", "text": "B"}]
    found = stream(
        {
            "model": "gpt-x",
            "tools": [{"type": "function", "function": {"name": "f"}}],
            "messages": [
                {"role": "developer", "content": "Be brief."},
                {"role": "user", "content": parts[:1]},
                {"role": "user", "content": parts},
                {"role": "tool", "tool_call_id": "1", "content": "ok"},
            ],
        }
    )
    assert found.format == "openai-chat"
    assert pointers(found) == [
        "/tools/0",
        "/messages/0",
        "/messages/1",
        "/messages/2/content/0",
        "/messages/2/content/1",
        "/messages/3",
    ]
    assert marked(found) == [("/messages/1", None), ("/messages/2/content/0", None)]
    # A message that grows by a part continues what it was.
    assert found.elements[2].same_as(found.elements[3])


def test_responses_items_and_instructions() -> None:
    found = stream(
        {
            "model": "gpt-x",
            "instructions": "Be brief.",
            "input": [
                {"role": "user", "content": [{"type": "input_text", "text": "A"}, {"type": "input_text", "text": "B"}]},
                {"type": "function_call", "call_id": "1", "name": "f", "arguments": "{}"},
                {"type": "function_call_output", "call_id": "1", "output": "ok"},
            ],
        }
    )
    assert found.format == "openai-responses"
    assert pointers(found) == ["/instructions", "/input/0/content/0", "/input/0/content/1", "/input/1", "/input/2"]
    assert pointers(stream({"model": "gpt-x", "input": "Hi."})) == ["/input"]


def test_what_a_call_gave_is_read_part_by_part() -> None:
    """A marker on its last part is a breakpoint and none of its bytes."""
    output = [{"type": "input_text", "text": "ok"}]
    marked = [{**output[0], "prompt_cache_breakpoint": {"mode": "explicit"}}]

    def sent(parts: list[dict[str, object]]) -> PrefixStream:
        item = {"type": "function_call_output", "call_id": "1", "output": parts}
        return stream({"model": "gpt-5.6", "input": [{"role": "user", "content": "A"}, item]})

    assert [b.pointer for b in sent(marked).breakpoints] == ["/input/1"]
    assert sent(marked).elements[1].same_as(sent(output).elements[1])
    assert pointers(sent([*output, *marked]))[1:] == ["/input/1/output/0", "/input/1/output/1"]


@pytest.mark.parametrize("spelling", ["systemInstruction", "system_instruction"])
def test_gemini_declarations_and_parts(spelling: str) -> None:
    found = stream(
        {
            "tools": [{"functionDeclarations": [{"name": "f"}, {"name": "g"}]}, {"googleSearch": {}}],
            spelling: {"role": "user", "parts": [{"text": "Be brief."}]},
            "contents": [{"role": "user", "parts": [{"text": "A"}, {"text": "B"}]}],
        },
        order=("tools", "system", "messages"),
    )
    assert found.format == "gemini-generate"
    assert pointers(found) == [
        "/tools/0/functionDeclarations/0",
        "/tools/0/functionDeclarations/1",
        "/tools/1",
        f"/{spelling}/parts/0",
        "/contents/0/parts/0",
        "/contents/0/parts/1",
    ]


def test_plain_text_is_one_element_with_every_byte() -> None:
    data = b"\xef\xbb\xbfLine one\r\nLine two\r\n"
    found, problems = read_stream(data, "prompt.md")
    assert problems == ()
    assert found is not None
    assert found.elements[0].data == data


def test_every_shape_is_written_for_a_provider_of_that_shape() -> None:
    for shape in SHAPES.values():
        assert provider(shape.target_of(())).format == shape.name


def test_the_order_is_that_of_the_target() -> None:
    body = {"contents": [{"parts": [{"text": "A"}]}], "systemInstruction": "S", "tools": [{"googleSearch": {}}]}
    assert provider("gemini-implicit").prefix_order.value == ("system", "tools", "messages")
    assert pointers(stream(body)) == ["/systemInstruction", "/tools/0", "/contents/0/parts/0"]


def test_a_lane_that_the_order_leaves_out_is_outside_the_prefix() -> None:
    found = stream(ANTHROPIC, order=("system", "messages"))
    assert pointers(found)[0] == "/system/0"
    assert found.outside == ("/tools/0", "/tools/1")


def test_turns_that_say_nothing_take_the_shape_of_the_target_or_of_the_other_side() -> None:
    plain = {"model": "m", "messages": [{"role": "user", "content": "Hi."}]}
    block = {"type": "tool_use", "id": "1", "name": "f", "input": {}}
    telling = {"model": "m", "messages": [*plain["messages"], {"role": "assistant", "content": [block]}]}
    assert stream(plain).format == "openai-chat"
    assert stream(plain, target="anthropic").format == "anthropic-messages"
    first, second, problems = read_pair((json.dumps(plain).encode(), "a"), (json.dumps(telling).encode(), "b"))
    assert problems == ()
    assert first is not None
    assert second is not None
    assert first.format == second.format == "anthropic-messages"


@pytest.mark.parametrize(
    ("body", "code", "pointer"),
    [
        ({"messages": {"role": "user"}, "max_tokens": 1}, "PC805", "/messages"),
        ({"messages": [], "system": 5, "anthropic_version": "v"}, "PC805", "/system"),
        ({"messages": [5], "anthropic_version": "v"}, "PC805", "/messages/0"),
        ({"messages": [{"role": "user"}], "anthropic_version": "v"}, "PC805", "/messages/0/content"),
        ({"messages": [], "tools": {}, "anthropic_version": "v"}, "PC805", "/tools"),
        ({"contents": [{"parts": 4}]}, "PC805", "/contents/0/parts"),
        ({"input": 7}, "PC805", "/input"),
        ({"timestamp": 1}, "PC806", ""),
        ([1, 2], None, None),
        ([{"name": "f"}], "PC806", ""),
    ],
)
def test_a_part_of_another_form_is_reported_and_the_rest_is_read(
    body: Any, code: str | None, pointer: str | None
) -> None:
    found, problems = read_stream(json.dumps(body).encode(), "body.json")
    assert found is not None
    assert [(entry.code, entry.pointer) for entry in problems] == ([(code, pointer)] if code else [])


@pytest.mark.parametrize("data", [b"", b"\n", b"{", b"{}", b"[", b"[]", b"\x00\x01", b"plain", b'{"a"', b"{{ name }}"])
def test_any_bytes_give_a_stream_or_an_error(data: bytes) -> None:
    found, problems = read_stream(data, "body")
    assert (found is not None) != any(entry.code in ("PC801", "PC802", "PC803") for entry in problems)


def test_bytes_that_are_no_text_are_an_error() -> None:
    found, problems = read_stream(b"caf\xe9", "prompt.txt")
    assert found is None
    assert [entry.code for entry in problems] == ["PC803"]
