"""Recordings made up for tests: one conversation in the form of each recorder."""

import base64
import gzip
import json
from typing import Any

KEY = "sk-do-not-show"


def body(turns: int, system: str = "You look after a lighthouse.") -> dict[str, Any]:
    """The request of a turn: so many questions, with an answer behind each but the last."""
    messages: list[dict[str, Any]] = []
    for number in range(1, turns + 1):
        messages.append({"role": "user", "content": f"Question {number}?"})
        messages.append({"role": "assistant", "content": f"Answer {number}."})
    return {
        "model": "claude-sonnet-4-5",
        "max_tokens": 64,
        "system": [{"type": "text", "text": system, "cache_control": {"type": "ephemeral"}}],
        "messages": messages[:-1],
    }


USAGE = {"input_tokens": 11, "output_tokens": 3, "cache_read_input_tokens": 7}
_EVENTS = "".join(
    f"event: {event['type']}\ndata: {json.dumps(event)}\n\n"
    for event in (
        {"type": "message_start", "message": {"usage": {"input_tokens": 11, "cache_read_input_tokens": 7}}},
        {"type": "message_delta", "usage": {"output_tokens": 3}},
    )
)


def lines(*records: object) -> bytes:
    """Records as lines of JSON."""
    return b"".join(json.dumps(record).encode() + b"\n" for record in records)


def bodies_with_times() -> bytes:
    return lines(
        *(
            {
                "at": f"2026-11-03T08:0{n}:00Z",
                "session": "tower",
                "endpoint": f"https://keeper:{KEY}@api.example.com/v1/messages?key={KEY}",
                "headers": {"x-api-key": KEY},
                "body": {**body(n), "api_key": KEY},
                "usage": USAGE,
            }
            for n in (1, 2)
        )
    )


def claude_tap() -> bytes:
    return lines(
        *(
            {
                "timestamp": f"2026-11-03T08:0{n}:00Z",
                "turn": n,
                "request": {
                    "method": "POST",
                    "path": "/v1/messages?beta=true",
                    "headers": {"x-api-key": KEY},
                    "body": body(n),
                },
                "response": {"status": 200, "body": {"usage": USAGE}},
            }
            for n in (1, 2)
        )
    )


def har() -> bytes:
    packed = base64.b64encode(gzip.compress(json.dumps(body(2)).encode())).decode()
    posted = [{"mimeType": "application/json", "text": json.dumps(body(1))}, {"text": packed, "encoding": "base64"}]
    headers = [{"name": "authorization", "value": KEY}]
    entries: list[dict[str, Any]] = [
        {
            "startedDateTime": f"2026-11-03T08:0{n}:00Z",
            "request": {
                "method": "POST",
                "url": f"https://api.example.com/v1/messages?key={KEY}",
                "headers": headers,
                "postData": post,
            },
            "response": {"status": 200, "content": {"text": _EVENTS}},
        }
        for n, post in enumerate(posted, start=1)
    ]
    picture = {
        "startedDateTime": "",
        "request": {"method": "GET", "url": "https://example.com/lamp.png"},
        "response": {},
    }
    form = {
        "request": {"method": "POST", "url": "https://example.com/form", "postData": {"text": "a=b"}},
        "response": {},
    }
    return json.dumps({"log": {"version": "1.2", "entries": [picture, *entries, form]}}).encode()


def mitmproxy() -> bytes:
    def flow(n: int, **more: Any) -> bytes:
        request = {
            "method": b"POST",
            "scheme": b"https",
            "host": "api.example.com",
            "path": f"/v1/messages?key={KEY}".encode(),
            "headers": [[b"x-api-key", KEY.encode()], [b"content-encoding", b"gzip"]],
            "content": gzip.compress(json.dumps(body(n)).encode()),
            "timestamp_start": 1793692800.5 + n,
        }
        response = {"headers": [], "content": _EVENTS.encode(), "status_code": 200}
        return tnetstring(
            {"version": 21, "type": "http", "request": {**request, **more}, "response": response, "error": None}
        )

    return flow(1) + flow(0, content=None) + flow(2)


def tnetstring(value: Any) -> bytes:
    """A value as mitmproxy writes it."""
    kinds: dict[type, bytes] = {
        bytes: b",",
        str: b";",
        bool: b"!",
        int: b"#",
        float: b"^",
        type(None): b"~",
        list: b"]",
        dict: b"}",
    }
    if isinstance(value, dict):
        data = b"".join(tnetstring(key) + tnetstring(item) for key, item in value.items())
    elif isinstance(value, list):
        data = b"".join(map(tnetstring, value))
    elif isinstance(value, bytes):
        data = value
    elif value is None:
        data = b""
    else:
        data = (str(value).lower() if isinstance(value, bool) else str(value)).encode()
    return str(len(data)).encode() + b":" + data + kinds[type(value)]


def helicone() -> bytes:
    return lines(
        *(
            {
                "request_id": f"r{n}",
                "request_created_at": f"2026-11-03T08:0{n}:00Z",
                "request_path": "https://api.example.com/v1/messages",
                "request_body": json.dumps(body(n)),
                "response_body": {"usage": USAGE},
                "request_properties": {"Helicone-Session-Id": "tower", "Helicone-Auth": KEY},
            }
            for n in (1, 2)
        )
    )


def litellm() -> bytes:
    sent = {"proxy_server_request": {"url": "http://proxy", "headers": {"authorization": KEY}, "body": body(1)}}
    chat = [{"role": "system", "content": "You look after a lighthouse."}, *body(2)["messages"]]
    parts = {"model": "gpt-4o", "messages": chat, "model_parameters": {"temperature": 0}, "call_type": "completion"}
    shared = {"startTime": 1793692800.25, "api_base": f"https://api.example.com?key={KEY}", "session_id": "tower"}
    counts = {"prompt_tokens": 11, "completion_tokens": 3}
    return lines({**shared, **sent, "usage": USAGE}, {**shared, **parts, **counts})


def langfuse() -> bytes:
    rows = [
        {"id": "t", "traceId": "x", "type": "SPAN", "input": {"question": "?"}},
        *(
            {
                "id": f"o{n}",
                "traceId": "x",
                "sessionId": "tower",
                "type": "GENERATION",
                "startTime": f"2026-11-03T08:0{n}:00Z",
                "model": "claude-sonnet-4-5",
                "modelParameters": {"max_tokens": 64},
                "input": body(n)["messages"] if n == 1 else body(n),
                "usageDetails": USAGE,
            }
            for n in (1, 2)
        ),
    ]
    return json.dumps({"id": "x", "observations": rows}, indent=1).encode()


def openpipe() -> bytes:
    return lines(*({"input": body(n), "output": {"role": "assistant", "content": "Yes."}, "tags": {}} for n in (1, 2)))


def otel() -> bytes:
    def said(n: int) -> list[dict[str, Any]]:
        return [{"role": m["role"], "parts": [{"type": "text", "content": m["content"]}]} for m in body(n)["messages"]]

    spans = [
        {
            "startTimeUnixNano": "1793692800000000000",
            "attributes": [
                {"key": "gen_ai.provider.name", "value": {"stringValue": "anthropic"}},
                {"key": "gen_ai.request.model", "value": {"stringValue": "claude-sonnet-4-5"}},
                {"key": "gen_ai.conversation.id", "value": {"stringValue": "tower"}},
                {
                    "key": "gen_ai.system_instructions",
                    "value": {"stringValue": json.dumps([{"type": "text", "content": "You look after a lighthouse."}])},
                },
                {"key": "gen_ai.input.messages", "value": {"stringValue": json.dumps(said(n))}},
                {"key": "gen_ai.usage.input_tokens", "value": {"intValue": "11"}},
            ],
        }
        for n in (1, 2)
    ]
    return lines({"resourceSpans": [{"scopeSpans": [{"spans": [{"attributes": []}, *spans]}]}]})


def claude_code() -> bytes:
    asked = [
        ("u1", None, "user", "Question 1?"),
        ("a1", "u1", "assistant", "Answer 1."),
        ("u2", "a1", "user", "Question 2?"),
        ("a2", "u2", "assistant", "Answer 2."),
    ]
    out: list[dict[str, Any]] = [{"type": "summary", "summary": "A lamp", "leafUuid": "a2"}]
    for name, parent, role, text in asked:
        message: dict[str, Any] = {"role": role, "content": [{"type": "text", "text": text}]}
        if role == "assistant":
            message |= {"id": f"m-{name}", "model": "claude-sonnet-4-5", "usage": USAGE}
        out.append(
            {
                "type": role,
                "uuid": name,
                "parentUuid": parent,
                "sessionId": "tower",
                "timestamp": "2026-11-03T08:00:00Z",
                "message": message,
            }
        )
    return lines(*out)


def codex() -> bytes:
    def item(kind: str, payload: dict[str, Any]) -> dict[str, Any]:
        return {"timestamp": "2026-11-03T08:00:00Z", "type": kind, "payload": payload}

    def said(role: str, text: str) -> dict[str, Any]:
        kind = "output_text" if role == "assistant" else "input_text"
        return item("response_item", {"type": "message", "role": role, "content": [{"type": kind, "text": text}]})

    count = item(
        "event_msg",
        {"type": "token_count", "info": {"last_token_usage": {"input_tokens": 11, "cached_input_tokens": 7}}},
    )
    return lines(
        item("session_meta", {"id": "tower", "cwd": "/srv"}),
        item("turn_context", {"model": "gpt-5-codex"}),
        said("user", "Question 1?"),
        said("assistant", "Answer 1."),
        count,
        said("user", "Question 2?"),
        said("assistant", "Answer 2."),
        count,
    )


ALL = {
    "bodies": bodies_with_times,
    "claude-tap": claude_tap,
    "har": har,
    "mitmproxy": mitmproxy,
    "helicone": helicone,
    "litellm": litellm,
    "langfuse": langfuse,
    "openpipe": openpipe,
    "otel-gen-ai": otel,
    "claude-code": claude_code,
    "codex": codex,
}
