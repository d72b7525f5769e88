"""Stored conversations read and written: the own form, session files of Claude Code, rollouts of Codex."""

import json
from typing import Any

import pytest

from promptc.runtime.errors import InputError
from promptc.runtime.transcript.claude_code import read_claude_code
from promptc.runtime.transcript.codex import read_codex
from promptc.runtime.transcript.model import Record, Transcript
from promptc.runtime.transcript.stored import read_transcript, write_transcript
from promptc.runtime.transcript.view import effective_view
from support.shared import shared_folder


def lines(*values: Any) -> str:
    return "\n".join(value if isinstance(value, str) else json.dumps(value) for value in values) + "\n"


def roles_and_texts(transcript: Transcript) -> list[tuple[str, list[str]]]:
    return [
        (m.role, [str(b.get("text") or b.get("id") or b.get("tool_use_id")) for b in m.content])
        for m in effective_view(transcript).messages
    ]


FULL = Record(
    "b", "a", "boundary", None, ({"type": "text", "text": "sum"},), 7, "hook", True, "m", True, ("a",), {"tools": ["x"]}
)  # fmt: skip


def test_what_was_written_is_read_back() -> None:
    """Every member of a record survives, and the leaf."""
    record = Record("a", None, role="user", content=({"type": "text", "text": "é\n"},))
    transcript = Transcript({"a": record, "b": FULL}, "b")
    assert read_transcript(write_transcript(transcript)) == (transcript, ())


def test_a_malformed_record_is_dropped_and_the_rest_goes_through() -> None:
    """covers: D-10."""
    good = {"id": "a", "parent": None, "role": "user", "content": "one"}
    bad = [
        {"id": 1},
        {**good, "id": "x", "role": "robot"},
        {**good, "id": "y", "content": [{"no": "type"}]},
        '{"cut',
        "[1]",
        good,
    ]
    transcript, decisions = read_transcript(lines({"format": "promptc.transcript/1"}, good, *bad))
    assert list(transcript.records) == ["a"]
    assert [d.kind for d in decisions] == ["record-malformed"] * 5 + ["record-repeated"]
    assert decisions[0].detail == "line 3 is no record"


@pytest.mark.parametrize("text", ["", "{}", '{"format":"promptc.transcript/2"}', "nonsense"])
def test_another_file_is_refused(text: str) -> None:
    """A file without the header is not guessed at."""
    with pytest.raises(InputError, match="is not of the format"):
        read_transcript(text)


def test_half_a_surrogate_pair_does_not_get_in() -> None:
    """JSON can spell it, UTF-8 cannot."""
    line = '{"id":"a","parent":null,"role":"user","content":"\\ud83d"}'
    transcript, decisions = read_transcript(lines({"format": "promptc.transcript/1"}, line))
    assert not transcript.records
    assert [d.kind for d in decisions] == ["record-malformed"]


def test_a_claude_code_session_is_linked_by_its_ids() -> None:
    """Sidechains and summaries of other sessions are left out; events stay links of the chain."""
    said = {"role": "user", "content": "one"}
    text = lines(
        {"type": "summary", "summary": "of another one", "leafUuid": "q"},
        {"type": "user", "uuid": "a", "parentUuid": None, "timestamp": "2026-02-01T10:00:00Z", "message": said},
        {"type": "system", "uuid": "s", "parentUuid": "a", "subtype": "informational", "content": "note"},
        {"type": "assistant", "uuid": "b", "parentUuid": "s", "timestamp": "2026-02-01T10:00:01Z",
         "message": {"id": "m", "role": "assistant", "content": [{"type": "tool_use", "id": "1", "name": "Look", "input": {}}]}},
        {"type": "user", "uuid": "c", "parentUuid": "b", "timestamp": "2026-02-01T10:00:02Z", "toolUseResult": {},
         "message": {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "1", "content": "seen"}]}},
        {"type": "user", "uuid": "d", "parentUuid": "a", "isSidechain": True, "message": {"role": "user", "content": "aside"}},
        '{"type": "user", "uuid": "e", "message": {"role": "us',
    )  # fmt: skip
    transcript, decisions = read_claude_code(text)
    assert roles_and_texts(transcript) == [("user", ["one"]), ("assistant", ["1"]), ("user", ["1"])]
    assert [d.detail for d in decisions] == ["line 7 is no JSON object"]
    assert [m.human for m in effective_view(transcript).messages] == [True, False, False]
    assert transcript.records["a"].at == 1_769_940_000_000


def test_a_compacted_claude_code_session_begins_with_its_summary() -> None:
    """The boundary of such a file has no parent, only a logical one."""
    text = lines(
        {"type": "user", "uuid": "a", "parentUuid": None, "message": {"role": "user", "content": "old"}},
        {"type": "system", "subtype": "compact_boundary", "uuid": "b", "parentUuid": None, "logicalParentUuid": "a"},
        {"type": "user", "uuid": "c", "parentUuid": "b", "isCompactSummary": True,
         "message": {"role": "user", "content": "so far"}},
        {"type": "user", "uuid": "d", "parentUuid": "c", "message": {"role": "user", "content": "new"}},
    )  # fmt: skip
    transcript, _ = read_claude_code(text)
    assert roles_and_texts(transcript) == [("user", ["so far", "new"])]


def test_a_codex_rollout_is_read_in_its_order() -> None:
    """Calls and outputs of all kinds become calls and results; a compaction becomes a boundary."""

    def item(**payload: Any) -> dict[str, Any]:
        return {"timestamp": "2026-02-01T10:00:00Z", "type": "response_item", "payload": payload}

    before = [
        {"timestamp": "x", "type": "session_meta", "payload": {"id": "s"}},
        item(type="message", role="user", content=[{"type": "input_text", "text": "one"}]),
        item(type="function_call", call_id="1", name="shell", arguments='{"command":["ls"]}'),
        item(type="function_call_output", call_id="1", output="a b"),
        item(type="custom_tool_call", call_id="2", name="patch", input="*** Begin"),
        item(type="custom_tool_call_output", call_id="2", output={"ok": True}),
        item(type="message", role="assistant", content=[{"type": "output_text", "text": "done"}]),
    ]
    transcript, decisions = read_codex(lines(*before))
    assert decisions == ()
    assert roles_and_texts(transcript) == [
        ("user", ["one"]), ("assistant", ["1"]), ("user", ["1"]), ("assistant", ["2"]), ("user", ["2"]),
        ("assistant", ["done"]),
    ]  # fmt: skip
    calls = [b for m in effective_view(transcript).messages for b in m.content if b["type"] == "tool_use"]
    assert [c["input"] for c in calls] == [{"command": ["ls"]}, {"input": "*** Begin"}]
    after = [
        {"timestamp": "y", "type": "compacted", "payload": {"message": "so far"}},
        item(type="message", role="user", content=[{"type": "input_text", "text": "new"}]),
    ]
    assert roles_and_texts(read_codex(lines(*before, *after))[0]) == [("user", ["so far", "new"])]


@pytest.mark.parametrize("name", ["claude-code-log__representative_messages.jsonl", "claude-code-log__session_b.jsonl"])
def test_samples_of_the_format_are_read_without_a_loss(name: str) -> None:
    """Files that others publish as samples: every message has a record, and the view is one that can be sent."""
    captures = shared_folder("corpora")
    if captures is None:
        pytest.skip("the shared corpora are not at hand")
    text = (captures / "captures" / name).read_text(encoding="utf-8")
    transcript, decisions = read_claude_code(text)
    assert decisions == ()
    assert transcript.records
    assert effective_view(transcript).messages[0].role == "user"
