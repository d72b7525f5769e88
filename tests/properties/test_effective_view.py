"""Effective views of random conversations: always legal, each the head of the next, the same after a resume."""

import os
from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import pairwise
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from promptc.runtime.transcript.model import Record, Transcript, View
from promptc.runtime.transcript.stored import read_transcript, write_transcript
from promptc.runtime.transcript.view import effective_view

_EXAMPLES = 10_000 if os.environ.get("PROMPTC_NIGHTLY") == "1" else 100


def text(words: str) -> dict[str, Any]:
    return {"type": "text", "text": words}


@st.composite
def turns(draw: st.DrawFn) -> list[list[Record]]:
    """Batches of records; a request is sent behind each. Parents and ids are given later."""
    batches: list[list[Record]] = []
    for number in range(draw(st.integers(1, 6))):
        opening = [text(draw(st.sampled_from(["", " ", "go", "go on"])))]
        batch = [Record("", None, role="user", content=tuple(opening), origin="human")]
        # What a batch begins with belongs to the answer to the request before it.
        answer: list[Record] = []
        calls = [f"{number}.{draw(st.integers(0, 3))}" for _ in range(draw(st.integers(0, 3)))]
        for piece in draw(st.permutations(["thinking", "text", *calls])) if batches else []:
            blocks: tuple[Any, ...]
            if piece == "thinking":
                blocks = ({"type": "thinking", "thinking": "hm", "signature": "s"},) if draw(st.booleans()) else ()
            elif piece == "text":
                blocks = (text(draw(st.sampled_from(["", "done"]))),)
            else:
                blocks = ({"type": "tool_use", "id": piece, "name": "look", "input": {}},)
            reply = f"m{number}" if draw(st.booleans()) else None
            answer.append(Record("", None, role="assistant", content=blocks, reply=reply))
            if piece in calls and draw(st.booleans()):
                seen = {"type": "tool_result", "tool_use_id": draw(st.sampled_from([piece, "lost"])), "content": "seen"}
                answer.append(Record("", None, role="user", content=(seen,), origin="harness"))
            if draw(st.integers(0, 5)) == 0:
                answer.append(Record("", None, "event", gone=draw(st.booleans())))
        batches.append([*answer, *batch])
    return batches


def grown(batches: list[list[Record]]) -> Iterator[Transcript]:
    """The transcript at every request."""
    records: dict[str, Record] = {}
    before: str | None = None
    for batch in batches:
        for record in batch:
            name = f"r{len(records)}"
            records[name] = replace(record, id=name, parent=before, at=len(records))
            before = name
        yield Transcript(dict(records))


def assert_legal(view: View) -> None:
    """What every provider asks for."""
    roles = [message.role for message in view.messages]
    assert roles[:1] in ([], ["user"])
    assert all(a != b for a, b in pairwise(roles))
    used: set[str] = set()
    for at, message in enumerate(view.messages):
        assert message.content
        assert all(block["type"] != "text" or block["text"].strip() for block in message.content)
        calls = [block["id"] for block in message.content if block["type"] == "tool_use"]
        assert not used & set(calls)
        assert len(calls) == len(set(calls))
        used |= set(calls)
        after = view.messages[at + 1].content if at + 1 < len(view.messages) else ()
        results = [block["tool_use_id"] for block in after if block["type"] == "tool_result"]
        assert results == calls or message.role == "user"
        if message.role == "assistant":
            assert message.content[-1]["type"] != "thinking"
        else:
            kinds = [block["type"] for block in message.content]
            assert kinds == sorted(kinds, key=lambda kind: kind != "tool_result")


@settings(max_examples=_EXAMPLES)
@given(turns())
def test_views_are_legal_and_each_is_the_head_of_the_next(batches: list[list[Record]]) -> None:
    """covers: C-03, C-06, C-07. Nothing that was sent changes."""
    settled: Mapping[str, str] = {}
    sent: list[dict[str, object]] = []
    for transcript in grown(batches):
        view = effective_view(transcript, settled)
        settled = view.settled
        assert_legal(view)
        now = view.as_messages()
        if not now or now[-1]["role"] != "user":
            continue  # nothing is asked
        # The last message of a request may go on: the user said something more before there was an answer.
        head, last = sent[:-1], sent[-1:]
        assert now[: len(head)] == head
        if last:
            again = now[len(head)]
            assert again["role"] == last[0]["role"]
            before, after = last[0]["content"], again["content"]
            assert isinstance(before, list)
            assert isinstance(after, list)
            assert [b for b in after if b in before] == before or after[: len(before)] == before
        sent = now


@settings(max_examples=_EXAMPLES)
@given(turns(), st.data())
def test_a_conversation_that_was_stored_and_read_is_the_same(batches: list[list[Record]], data: st.DataObject) -> None:
    """covers: F-04. A resume changes no byte, whatever the order of the lines."""
    for transcript in grown(batches):
        lines = write_transcript(transcript).splitlines()
        shuffled = [lines[0], *data.draw(st.permutations(lines[1:]))]
        back, decisions = read_transcript("\n".join(shuffled))
        assert decisions == ()
        assert effective_view(back) == effective_view(transcript)
