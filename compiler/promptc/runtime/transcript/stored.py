"""The documented JSON form of a transcript: a line for each record, malformed ones dropped and said."""

import json
from collections.abc import Iterable, Mapping
from typing import Any

from promptc.runtime.errors import InputError
from promptc.runtime.json_text import as_given
from promptc.runtime.state import Decision
from promptc.runtime.transcript.model import KINDS, ORIGINS, Block, Record, Transcript

TRANSCRIPT_FORMAT = "promptc.transcript/1"


def write_transcript(transcript: Transcript) -> str:
    """A transcript as JSON Lines: a header, then every record in the order of the mapping; defaults are left out."""
    head: dict[str, object] = {"format": TRANSCRIPT_FORMAT}
    if transcript.leaf is not None:
        head["leaf"] = transcript.leaf
    lines = [as_given(head), *(as_given(_written(record)) for record in transcript.records.values())]
    return "\n".join(lines) + "\n"


def _written(record: Record) -> dict[str, object]:
    value: dict[str, object] = {"id": record.id, "parent": record.parent}
    if record.kind != "message":
        value["kind"] = record.kind
    if record.role is not None:
        value["role"] = record.role
    if record.content:
        value["content"] = list(record.content)
    if record.at:
        value["at"] = record.at
    if record.origin != "unclassified":
        value["origin"] = record.origin
    if record.meta:
        value["meta"] = True
    if record.reply is not None:
        value["reply"] = record.reply
    if record.gone:
        value["gone"] = True
    if record.preserved:
        value["preserved"] = list(record.preserved)
    if record.data is not None:
        value["data"] = dict(record.data)
    return value


def read_transcript(text: str) -> tuple[Transcript, tuple[Decision, ...]]:
    """Read what `write_transcript` wrote; lines that are not records are dropped, each with a decision (D-10).

    Raises:
        InputError: The first line is not the header of a transcript.
    """
    lines = text.split("\n")
    head = parsed(lines[0])
    if head is None or head.get("format") != TRANSCRIPT_FORMAT:
        raise InputError("transcript", f"is not of the format {TRANSCRIPT_FORMAT}")
    decisions: list[Decision] = []
    records = _records(enumerate(lines[1:], start=2), decisions)
    leaf = head.get("leaf")
    return Transcript(records, leaf if isinstance(leaf, str) else None), tuple(decisions)


def _records(lines: Iterable[tuple[int, str]], decisions: list[Decision]) -> dict[str, Record]:
    records: dict[str, Record] = {}
    for number, line in lines:
        if not line.strip():
            continue
        value = parsed(line)
        record = None if value is None else _record(value)
        if record is None:
            decisions.append(Decision("record-malformed", "", f"line {number} is no record"))
        elif record.id in records:
            decisions.append(Decision("record-repeated", "", f"line {number} repeats `{record.id}`"))
        else:
            records[record.id] = record
    return records


def parsed(line: str) -> dict[str, Any] | None:
    """The JSON object in a line; None where there is none, or one that UTF-8 cannot spell."""
    try:
        value = json.loads(line)
        line.encode()
        json.dumps(value, ensure_ascii=False).encode()
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def blocks_of(content: object) -> tuple[Block, ...] | None:
    """The blocks of a message's content; None where it is neither a text nor a list of blocks."""
    if isinstance(content, str):
        return ({"type": "text", "text": content},)
    if not isinstance(content, list):
        return None
    if all(isinstance(block, dict) and isinstance(block.get("type"), str) for block in content):
        return tuple(content)
    return None


def _record(value: Mapping[str, Any]) -> Record | None:
    """A record, or None where a member is not what it has to be."""
    name, parent, kind, role = value.get("id"), value.get("parent"), value.get("kind", "message"), value.get("role")
    content = blocks_of(value.get("content", []))
    at, origin, reply = value.get("at", 0), value.get("origin", "unclassified"), value.get("reply")
    preserved, data = value.get("preserved", []), value.get("data")
    fits = (
        isinstance(name, str)
        and (parent is None or isinstance(parent, str))
        and kind in KINDS
        and (role in ("user", "assistant") or (role is None and kind != "message"))
        and content is not None
        and isinstance(at, int)
        and origin in ORIGINS
        and (reply is None or isinstance(reply, str))
        and isinstance(preserved, list)
        and all(isinstance(item, str) for item in preserved)
        and (data is None or isinstance(data, dict))
    )
    if not fits:
        return None
    flags = (value.get("meta") is True, value.get("gone") is True)
    return Record(
        str(name), parent, kind, role, content or (), int(at), origin, flags[0], reply, flags[1], tuple(preserved), data
    )
