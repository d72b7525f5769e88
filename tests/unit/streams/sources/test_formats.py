"""Each format of recordings is told from the others and gives the requests that it holds, without any key."""

import io
import json
from typing import Any

import pytest

from promptc.streams.json_value import member, plain
from promptc.streams.read import stream_of_body
from promptc.streams.sources.model import Capture
from promptc.streams.sources.read import Recording, open_recording
from support.recorded import ALL, KEY, body, lines


def taken(data: bytes, name: str = "r") -> tuple[Recording, list[Capture]]:
    recording, found = open_recording(io.BytesIO(data), name)
    assert recording is not None, found
    return recording, list(recording)


def texts(capture: Capture) -> list[str]:
    stream, _ = stream_of_body(capture.body, "r")
    assert stream is not None
    return [json.dumps(plain(element.value)) for element in stream.elements if element.kind == "content"]


@pytest.mark.parametrize("format", ALL)
def test_a_recording_is_told_by_its_content_and_gives_its_requests(format: str) -> None:
    recording, captures = taken(ALL[format]())
    assert recording.format.name == format
    assert [capture.index for capture in captures] == [1, 2]
    first, second = (texts(capture) for capture in captures)
    assert len(first) in (1, 2) and len(second) - len(first) in (2, 3)
    assert "Question 1?" in first[-1] and "Question 2?" in second[-1]
    assert recording.diagnostics() == ()


@pytest.mark.parametrize("format", ALL)
def test_no_key_or_header_gets_into_a_capture(format: str) -> None:
    _, captures = taken(ALL[format]())
    assert KEY not in repr(captures)


@pytest.mark.parametrize("format", [name for name in ALL if name not in ("openpipe",)])
def test_times_usage_and_sessions_are_kept_where_they_are_recorded(format: str) -> None:
    _, captures = taken(ALL[format]())
    assert all(capture.at for capture in captures)
    counts = ("input_tokens", "prompt_tokens")
    assert all(any(plain(member(capture.usage, name)) == 11 for name in counts) for capture in captures) or format in (
        "otel-gen-ai",
        "litellm",
    )
    without = ("claude-tap", "har", "mitmproxy")
    assert {capture.session for capture in captures} == ({None} if format in without else {"tower"})


def test_the_usage_of_a_stream_of_events_is_what_they_add_up_to() -> None:
    _, captures = taken(ALL["har"]())
    assert plain(captures[0].usage) == {"input_tokens": 11, "cache_read_input_tokens": 7, "output_tokens": 3}


def test_the_address_is_kept_without_user_and_query() -> None:
    _, captures = taken(ALL["bodies"]())
    assert captures[0].endpoint == "https://api.example.com/v1/messages"


@pytest.mark.parametrize(
    "more",
    [
        {"mcp_servers": [{"url": "https://x", "authorization_token": KEY}]},
        {"tools": [{"type": "mcp", "server_url": "https://x", "headers": {"Authorization": KEY}}]},
        {"metadata": {"user_api_key": KEY}},
        {"X-Api-Key": KEY},
        {"extra_headers": {"a": KEY}},
    ],
)
def test_credentials_in_a_body_are_left_out(more: dict[str, Any]) -> None:
    _, captures = taken(lines({"body": {**body(1), **more}}))
    assert KEY not in repr(captures) and len(captures) == 1


def test_a_parameter_of_a_tool_may_be_called_like_a_key() -> None:
    schema = {"type": "object", "properties": {"token": {"type": "string"}}}
    tool = {"name": "sign_in", "description": "Signs in.", "input_schema": schema}
    _, captures = taken(lines({"body": {**body(1), "tools": [tool]}}))
    assert plain(member(captures[0].body, "tools")) == [tool]


def test_a_body_says_its_session_where_the_record_does_not() -> None:
    one = {**body(1), "metadata": {"user_id": "keeper-7"}}
    assert taken(lines({"body": one}))[1][0].session == "keeper-7"
    two = {"model": "gpt-5", "input": "Hello", "prompt_cache_key": "k"}
    assert taken(lines({"body": two}))[1][0].session == "k"


@pytest.mark.parametrize("wrapped", [lambda b: b, lambda b: {"body": b}, lambda b: {"custom_id": "1", "params": b}])
@pytest.mark.parametrize("layout", ["lines", "list", "envelope", "spread"])
def test_bodies_are_read_in_every_layout(wrapped: Any, layout: str) -> None:
    records = [wrapped(body(n)) for n in (1, 2)]
    data = {
        "lines": lines(*records),
        "list": json.dumps(records).encode(),
        "envelope": json.dumps({"shape": "x", "requests": records}, indent=1).encode(),
        "spread": json.dumps(records, indent=2).encode(),
    }[layout]
    recording, captures = taken(data)
    assert (recording.format.name, len(captures)) == ("bodies", 2)
    assert recording.bare == (layout != "lines" and records[0] == body(1))


def test_what_a_format_loses_is_said_for_those_that_lose_something() -> None:
    losing = {name for name, make in ALL.items() if taken(make())[0].format.loses is not None}
    assert losing == {"claude-code", "codex", "langfuse", "litellm", "otel-gen-ai"}


def test_an_answer_of_several_lines_is_one_request() -> None:
    records = [json.loads(line) for line in ALL["claude-code"]().splitlines()]
    again = {**records[2], "uuid": "a1b", "parentUuid": "a1"}
    _, captures = taken(lines(*records[:3], again, *records[3:]))
    assert len(captures) == 2


def test_branches_of_a_session_file_are_told_apart_by_their_parents() -> None:
    records = [json.loads(line) for line in ALL["claude-code"]().splitlines()]
    side = {**records[3], "uuid": "u2b", "message": {"role": "user", "content": "Another way?"}}
    answer = {**records[4], "uuid": "a2b", "parentUuid": "u2b", "message": {**records[4]["message"], "id": "m-a2b"}}
    _, captures = taken(lines(*records, side, answer))
    assert [len(plain(member(c.body, "messages"))) for c in captures] == [1, 3, 3]
    assert "Another way?" in texts(captures[2])[-1] and "Question 2?" not in repr(captures[2])


@pytest.mark.parametrize("address", ["https://x/v1/embeddings", "https://x/v1/moderations"])
def test_calls_that_no_prompt_cache_serves_are_no_requests(address: str) -> None:
    record = {"url": address, "body": {"model": "m", "input": "a text"}}
    recording, captures = taken(lines(record, {"body": body(1)}))
    assert len(captures) == 1 and recording.tally.without == 1
