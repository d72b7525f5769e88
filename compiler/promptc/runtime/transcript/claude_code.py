"""Session files of Claude Code as transcripts: a JSON object a line, linked by `uuid` and `parentUuid`."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from promptc.runtime.state import Decision
from promptc.runtime.transcript.model import Kind, Origin, Record, Role, Transcript
from promptc.runtime.transcript.stored import blocks_of, parsed


def read_claude_code(text: str) -> tuple[Transcript, tuple[Decision, ...]]:
    """A session as a transcript; lines without a message are kept where the chain of parents runs through them.

    Lines without a `uuid` follow the line before them, as in files of early versions.
    """
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
        if value.get("isSidechain") is True or value.get("type") in ("summary", "file-history-snapshot"):
            continue
        record = _record(value, before, number)
        if record is None:
            decisions.append(Decision("record-malformed", "", f"line {number} has a message of another form"))
        elif record.id not in records:
            records[record.id] = record
            before = record.id
    return Transcript(records), tuple(decisions)


def _record(value: Mapping[str, Any], before: str | None, number: int) -> Record | None:
    name = value.get("uuid")
    has_id = isinstance(name, str)
    parent = value.get("parentUuid", value.get("logicalParentUuid")) if has_id else before
    if parent is None and value.get("subtype") == "compact_boundary":
        parent = value.get("logicalParentUuid")
    message = value.get("message")
    said = message if isinstance(message, dict) else {}
    kind, role = _kind(value), said.get("role")
    content = blocks_of(said.get("content", []))
    if content is None or (kind == "message" and role not in ("user", "assistant")):
        return None
    reply = said.get("id") if role == "assistant" else None
    speaker: Role | None = role if kind == "message" else None
    return Record(
        id=name if isinstance(name, str) else f"line-{number}",
        parent=parent if isinstance(parent, str) else None,
        kind=kind,
        role=speaker,
        content=content,
        at=milliseconds(value.get("timestamp")),
        origin=_origin(value, kind),
        meta=value.get("isMeta") is True,
        reply=reply if isinstance(reply, str) else None,
    )


def _kind(value: Mapping[str, Any]) -> Kind:
    if value.get("isCompactSummary") is True:
        return "boundary"
    if value.get("type") in ("user", "assistant"):
        return "message"
    return "attachment" if value.get("type") == "attachment" else "event"


def _origin(value: Mapping[str, Any], kind: Kind) -> Origin:
    if kind != "message" or value.get("type") != "user":
        return "unclassified"
    if value.get("isMeta") is True or "toolUseResult" in value:
        return "harness"
    return "human"


def milliseconds(value: object) -> int:
    """A time as ISO 8601 writes it, in milliseconds since the epoch; 0 where it is none."""
    if not isinstance(value, str):
        return 0
    try:
        return int(datetime.fromisoformat(value.replace("Z", "+00:00")).timestamp() * 1000)
    except ValueError:
        return 0
