"""Requests of the Messages format in few words, and what is found in them."""

from typing import Any

from promptc.diagnostics.model import Diagnostic
from promptc.providers.checks.context import Options
from promptc.providers.checks.run import check_request, check_sequence
from promptc.providers.registry import resolve
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


def tokens(value: int) -> Any:
    return lambda _: TokenCount(value, "given", True)


def pair(before: Any, after: Any, target: str = "anthropic", **more: Any) -> list[tuple[str, str | None]]:
    found: tuple[Diagnostic, ...] = check_sequence([before, after], resolve(target, after["model"]), **more)
    return [(d.code, d.pointer) for d in found]
