"""Rollout files of Codex as transcripts: a JSON object a line, in the order in which things happened."""

import json
from collections.abc import Mapping
from typing import Any

from promptc.runtime.state import Decision
from promptc.runtime.transcript.claude_code import milliseconds
from promptc.runtime.transcript.model import Block, Origin, Record, Role, Transcript
from promptc.runtime.transcript.stored import parsed

_CALLS = ("function_call", "custom_tool_call", "local_shell_call")
_RESULTS = ("function_call_output", "custom_tool_call_output")


def read_codex(text: str) -> tuple[Transcript, tuple[Decision, ...]]:
    """A rollout as a transcript: each response item follows the one before it; other lines are events."""
    decisions: list[Decision] = []
    records: dict[str, Record] = {}
    before: str | None = None
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        value = parsed(line)
        if value is None:
            decisions.append(Decision("record-malformed", "", f"line {number} is no JSON object"))
            continue
        # Early files have the items themselves, later ones wrap them.
        item = value.get("payload") if value.get("type") in ("response_item", "compacted") else value
        if not isinstance(item, dict):
            decisions.append(Decision("record-malformed", "", f"line {number} has no payload"))
            continue
        record = _compacted(value, item, number, before) or _item(value, item, number, before)
        if record is not None:
            records[record.id] = record
            before = record.id
    return Transcript(records), tuple(decisions)


def _compacted(value: Mapping[str, Any], item: Mapping[str, Any], number: int, before: str | None) -> Record | None:
    message = item.get("message")
    if value.get("type") != "compacted" or not isinstance(message, str):
        return None
    content: tuple[Block, ...] = ({"type": "text", "text": message},) if message else ()
    return Record(f"line-{number}", before, "boundary", content=content, at=milliseconds(value.get("timestamp")))


def _item(value: Mapping[str, Any], item: Mapping[str, Any], number: int, before: str | None) -> Record | None:
    role, content = _said(item)
    if role is None or not content:
        return None
    origin: Origin = "human" if role == "user" and item.get("type") == "message" else "harness"
    return Record(
        id=f"line-{number}",
        parent=before,
        role=role,
        content=content,
        at=milliseconds(value.get("timestamp")),
        origin=origin if role == "user" else "unclassified",
        meta=item.get("role") in ("developer", "system"),
    )


def _said(item: Mapping[str, Any]) -> tuple[Role | None, tuple[Block, ...]]:
    kind, name = item.get("type"), item.get("call_id")
    if kind == "message":
        role: Role = "assistant" if item.get("role") == "assistant" else "user"
        parts = item.get("content")
        texts = [p.get("text") for p in parts if isinstance(p, dict)] if isinstance(parts, list) else []
        return role, tuple({"type": "text", "text": text} for text in texts if isinstance(text, str))
    if kind in _CALLS and isinstance(name, str):
        call = {"type": "tool_use", "id": name, "name": str(item.get("name", kind)), "input": _input(item)}
        return "assistant", (call,)
    if kind in _RESULTS and isinstance(name, str):
        output = item.get("output")
        text = output if isinstance(output, str) else json.dumps(output, ensure_ascii=False, sort_keys=True)
        result = {"type": "tool_result", "tool_use_id": name, "content": [{"type": "text", "text": text}]}
        return "user", (result,)
    return None, ()


def _input(item: Mapping[str, Any]) -> object:
    """What a call was given, as an object: arguments are JSON in a text, a custom tool's input is a text."""
    given = item.get("arguments", item.get("input", item.get("action")))
    if isinstance(given, str):
        value = parsed(given)
        return {"input": given} if value is None else value
    return given if isinstance(given, dict) else {}
