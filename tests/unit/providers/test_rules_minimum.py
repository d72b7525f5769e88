"""Rules about the least length of a prefix."""

import pytest

from promptc.providers.checks.run import check_bytes
from support.request_bodies import MARK, body, check, said, text, tokens


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


def test_sizes_are_checked_when_asked_for() -> None:
    raw = (
        b'{"model": "claude-opus-5", "max_tokens": 9, "messages": [{"role": "user", "content": "a"}], '
        b'"system": [{"type": "text", "text": "s", "cache_control": {"type": "ephemeral"}}]}'
    )
    assert check_bytes(raw, "anthropic") == ()
    assert [d.code for d in check_bytes(raw, "anthropic", sizes=True)] == ["PC615"]
    assert [d.code for d in check_bytes(b"[" + raw + b"]", "anthropic", sizes=True)] == ["PC615"]
