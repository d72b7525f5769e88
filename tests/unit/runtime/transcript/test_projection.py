"""What is hidden from the model while storage keeps it."""

import re

from promptc.runtime.transcript.model import Record, Transcript, View
from promptc.runtime.transcript.projection import Projection, Span, tag_of
from promptc.runtime.transcript.view import effective_view

RECORDS = [
    Record("a", None, role="user", content=({"type": "text", "text": "one"},), origin="human"),
    Record("b", "a", role="assistant", content=({"type": "text", "text": "two"},)),
    Record("c", "b", role="user", content=({"type": "text", "text": "three"},), origin="human"),
    Record("d", "c", role="assistant", content=({"type": "text", "text": "four"},)),
    Record("e", "d", role="user", content=({"type": "text", "text": "five"},), origin="human"),
]


def shown(*spans: Span, tags: bool = False) -> View:
    return effective_view(Transcript({r.id: r for r in RECORDS}), projection=Projection(spans, tags))


def texts(view: View) -> list[str]:
    return [str(block["text"]) for message in view.messages for block in message.content]


def test_a_snipped_range_is_hidden_and_counted() -> None:
    """covers: G-01, G-04."""
    view = shown(Span("b", "c"))
    assert texts(view) == ["one", "four", "five"]
    assert [record.id for record in view.hidden] == ["b", "c"]


def test_a_collapsed_span_reads_as_its_summary() -> None:
    """covers: G-07. A later commit may cover an earlier one."""
    assert texts(shown(Span("a", "c", "all three"))) == ["all three", "four", "five"]
    assert texts(shown(Span("b", "c", "two and three"), Span("a", "b..c", "all three"))) == [
        "all three",
        "four",
        "five",
    ]


def test_a_summary_is_not_said_by_a_person() -> None:
    """covers: G-07, C-08."""
    assert [m.human for m in shown(Span("a", "c", "all three")).messages] == [False, False, True]


def test_a_span_that_is_not_on_the_chain_changes_nothing() -> None:
    """covers: G-04. A rewind may have left the span on another branch."""
    for span in (Span("b", "z"), Span("c", "b")):
        view = shown(span)
        assert texts(view) == ["one", "two", "three", "four", "five"]
        assert [d.kind for d in view.decisions] == ["span-skipped"]


def test_messages_of_people_carry_a_tag_that_does_not_change() -> None:
    """covers: G-04."""
    tagged = texts(shown(tags=True))
    assert tagged == [
        "one",
        f"[message {tag_of('a')}]",
        "two",
        "three",
        f"[message {tag_of('c')}]",
        "four",
        "five",
        f"[message {tag_of('e')}]",
    ]
    assert re.fullmatch("[0-9a-z]{6}", tag_of("a"))
    assert tag_of("a") != tag_of("c")
