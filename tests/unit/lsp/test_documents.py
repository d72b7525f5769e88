"""Positions of texts with emoji, combining characters, CRLF, lone CR and a byte order mark, in every encoding."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lsprotocol import types as lsp

from promptc.lsp.documents import Document, Lines
from support.editor import position

ENCODINGS = ("utf-8", "utf-16", "utf-32")
PARTS = ("a", "é", "e\u0301", "😀", "👩‍💻", "\n", "\r\n", "\r", " ", "\u2028", "\x0c")
texts = st.lists(st.sampled_from(PARTS), max_size=30).map("".join)


@given(texts, st.sampled_from(ENCODINGS))
def test_positions_lead_to_offsets_and_back(text: str, encoding: str) -> None:
    lines = Lines(text, encoding)
    for offset in range(len(text) + 1):
        if text[max(offset - 1, 0) : offset + 1] == "\r\n":
            continue
        found = lines.position(offset)
        assert found == position(text, offset, encoding)
        assert lines.offset(found) == offset


@given(texts, texts, st.data(), st.sampled_from(ENCODINGS))
def test_an_edit_changes_what_its_range_says(text: str, new: str, data: st.DataObject, encoding: str) -> None:
    places = [i for i in range(len(text) + 1) if text[max(i - 1, 0) : i + 1] != "\r\n"]
    start, end = sorted((data.draw(st.sampled_from(places)), data.draw(st.sampled_from(places))))
    document = Document("file:///a", 1, text, encoding)
    place = lsp.Range(position(text, start, encoding), position(text, end, encoding))
    document.change(2, [lsp.TextDocumentContentChangePartial(place, new)])
    assert document.text == text[:start] + new + text[end:]
    assert document.version == 2


@pytest.mark.parametrize(("encoding", "column"), [("utf-8", 3), ("utf-16", 1), ("utf-32", 1)])
def test_a_byte_order_mark_counts_on_the_first_line_only(encoding: str, column: int) -> None:
    lines = Lines("ab\ncd", encoding, mark=True)
    assert lines.position(0) == lsp.Position(0, column)
    assert lines.offset(lsp.Position(0, column + 1)) == 1
    assert lines.position(4) == lsp.Position(1, 1)


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_positions_beyond_the_text_are_its_ends(encoding: str) -> None:
    lines = Lines("ab\r\ncd", encoding)
    assert lines.offset(lsp.Position(0, 99)) == 2
    assert lines.offset(lsp.Position(99, 0)) == 6


def test_a_position_inside_a_code_point_is_in_front_of_it() -> None:
    assert Lines("😀b", "utf-16").offset(lsp.Position(0, 1)) == 0
    assert Lines("éb", "utf-8").offset(lsp.Position(0, 1)) == 0


def test_line_end_is_that_of_most_lines() -> None:
    assert Document("file:///a", 1, "a\r\nb\r\nc\n", "utf-16").line_end == "\r\n"
    assert Document("file:///a", 1, "a\nb\r\nc\n", "utf-16").line_end == "\n"
