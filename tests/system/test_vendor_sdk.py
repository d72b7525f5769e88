"""The vendor's own SDK takes what the assembler gives: validated by its types, and sent by its client unchanged."""

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any

import anthropic
import pydantic
import pytest
from anthropic.types import Message, TextBlockParam
from anthropic.types.message_create_params import MessageCreateParamsNonStreaming

from support.shipped import bodies_of

REPLY = {
    "id": "msg_1",
    "type": "message",
    "role": "assistant",
    "model": "m",
    "content": [{"type": "text", "text": "ok"}],
    "stop_reason": "end_turn",
    "stop_sequence": None,
    "usage": {"input_tokens": 1, "output_tokens": 1},
}


class Recorder(HTTPServer):
    """A server on a loopback port that keeps the bodies that it was sent."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.bodies: list[bytes] = []


class _Handler(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        assert isinstance(self.server, Recorder)
        self.server.bodies.append(self.rfile.read(int(self.headers["content-length"])))
        data = json.dumps(REPLY).encode()
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_: Any) -> None:
        """Keep quiet."""


@pytest.fixture
def recorder() -> Iterator[Recorder]:
    """A running recorder."""
    server = Recorder()
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield server
    server.shutdown()
    thread.join()
    server.server_close()


def validate(request: Any) -> None:
    """Hold a request to the SDK's own types, all the way down."""
    adapter = pydantic.TypeAdapter(MessageCreateParamsNonStreaming)
    exhaust(adapter.validate_python(request))
    # The union of block types also takes response objects, which ignore what they do not know.
    blocks = pydantic.TypeAdapter(TextBlockParam)
    for block in [*request.get("system", ()), *(b for m in request["messages"] for b in m["content"])]:
        if block["type"] == "text":
            exhaust(blocks.validate_python(block))


def exhaust(value: Any) -> None:
    """Walk a validated value: the types name iterables, whose items are validated only as they are taken."""
    if isinstance(value, dict):
        for item in value.values():
            exhaust(item)
    elif not isinstance(value, str | int | float | bool | None):
        for item in value:
            exhaust(item)


@pytest.mark.parametrize(("name", "body"), bodies_of("coding_agent"))
def test_every_sample_fits_the_request_types(name: str, body: bytes) -> None:
    request = json.loads(body)
    if "anthropic_version" in request:
        # On another platform the address names the model, and the body the version of the API.
        assert "model" not in request
        del request["anthropic_version"]
        request["model"] = "in-the-address"
    validate(request)


@pytest.mark.parametrize("part", ["role", "marker", "text"])
def test_the_types_do_refuse_what_is_wrong(part: str) -> None:
    _, body = bodies_of("coding_agent")[0]
    broken = json.loads(body)
    block = broken["messages"][0]["content"][-1]
    if part == "role":
        broken["messages"][0]["role"] = "robot"
    elif part == "marker":
        block["cache_control"] = {"type": "eternal"}
    else:
        block["text"] = 7

    with pytest.raises(pydantic.ValidationError):
        validate(broken)


def test_the_client_sends_the_bytes_of_the_assembler(recorder: Recorder) -> None:
    port = recorder.server_address[1]
    sent = [body for _, body in bodies_of("coding_agent")]

    with anthropic.Anthropic(api_key="k", base_url=f"http://127.0.0.1:{port}", max_retries=0) as client:
        for body in sent:
            reply = client.post(
                "/v1/messages",
                cast_to=Message,
                content=body,
                options={"headers": {"content-type": "application/json"}},
            )
            assert reply.content[0].type == "text"

    assert sent == recorder.bodies
