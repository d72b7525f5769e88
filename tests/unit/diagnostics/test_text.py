"""The text format: marks stand under what they mark."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from promptc.diagnostics.model import Diagnostic, Edit, Fix, Label
from promptc.diagnostics.render.text import render
from promptc.source import SourceSet, Span
from support.findings import at, source_set

# A character, what is drawn for it, and its columns: from the Unicode charts, not from the code under test.
_DRAWN = {
    "a": ("a", 1),
    " ": (" ", 1),
    "\t": ("    ", 4),
    "日": ("日", 2),
    "é": ("é", 1),
    "👍": ("👍", 2),
    "\u202e": ("\\u{202e}", 8),
    "\x1b": ("␛", 1),
    "ｶ": ("ｶ", 1),
    "x\u0301": ("x\u0301", 1),
}


def _one(text: str, start: int, end: int) -> list[str]:
    sources = source_set(a=text)
    found = Diagnostic("PC201", "m", Label(Span("a.promptc", start, end)))
    return render((found,), sources).splitlines()


@given(st.lists(st.sampled_from(sorted(_DRAWN)), min_size=1, max_size=20), st.data())
@settings(max_examples=150)
def test_marks_stand_under_the_marked_text_whatever_it_is_made_of(parts: list[str], data: st.DataObject) -> None:
    first = data.draw(st.integers(0, len(parts) - 1))
    last = data.draw(st.integers(first + 1, len(parts)))
    before, marked = parts[:first], parts[first:last]
    start = len("".join(before))
    lines = _one("".join(parts) + "\n", start, start + len("".join(marked)))
    drawn = "".join(_DRAWN[p][0] for p in parts)
    assert lines[3] == f"1 | {drawn}".rstrip()
    blank = sum(_DRAWN[p][1] for p in before)
    assert lines[4] == "  | " + " " * blank + "^" * sum(_DRAWN[p][1] for p in marked)


def test_several_labels_of_a_line_share_it() -> None:
    sources = source_set(a="section rules @static\n")
    found = Diagnostic(
        "PC402",
        "m",
        Label(at(sources, "rules"), "this one"),
        (Label(at(sources, "@static"), "promised here"), Label(at(sources, "section"), "a section")),
    )
    assert render((found,), sources).splitlines()[2:9] == [
        "  |",
        "1 | section rules @static",
        "  | ------- ^^^^^ ------- promised here",
        "  | |       |",
        "  | |       this one",
        "  | a section",
        "  = see: promptc explain PC402",
    ]


def test_overlapping_labels_get_rows_of_their_own() -> None:
    sources = source_set(a="a and b\n")
    found = Diagnostic("PC301", "m", Label(at(sources, "a and b"), "all"), (Label(at(sources, "and"), "inner"),))
    assert render((found,), sources).splitlines()[3:6] == ["1 | a and b", "  |   --- inner", "  | ^^^^^^^ all"]


def test_lines_far_apart_have_a_gap_and_neighbours_none() -> None:
    sources = source_set(a="one\ntwo\nthree\nfour\nfive\nsix\nseven\n")
    labels = tuple(Label(at(sources, w), w) for w in ("two", "four", "seven"))
    found = Diagnostic("PC301", "m", Label(at(sources, "one"), "one"), labels)
    assert render((found,), sources).splitlines()[3:13] == [
        "1 | one",
        "  | ^^^ one",
        "2 | two",
        "  | --- two",
        "3 | three",
        "4 | four",
        "  | ---- four",
        "...",
        "7 | seven",
        "  | ----- seven",
    ]


def test_another_file_has_its_own_arrow() -> None:
    sources = source_set(a="one\n", b="x\ntwo\n")
    found = Diagnostic("PC301", "m", Label(at(sources, "one")), (Label(at(sources, "two", "b.promptc"), "there"),))
    lines = render((found,), sources).splitlines()
    assert lines[1] == " --> a.promptc:1:1"
    assert lines[5:9] == [" ::: b.promptc:2:1", "  |", "2 | two", "  | --- there"]


def test_a_range_over_several_lines_shows_its_first() -> None:
    sources = source_set(a="x {\n  y\n}\n")
    found = Diagnostic("PC301", "m", Label(at(sources, "{\n  y\n}"), "all of it"))
    assert render((found,), sources).splitlines()[3:5] == ["1 | x {", "  |   ^… all of it"]


@pytest.mark.parametrize(("text", "start"), [("", 0), ("a\n", 1), ("a\n", 2), ("a", 99)])
def test_an_empty_place_has_one_mark(text: str, start: int) -> None:
    lines = _one(text, start, start)
    assert lines[4].count("^") == 1


def test_a_long_line_is_cut_around_the_mark() -> None:
    lines = _one("x" * 500 + "TARGET" + "y" * 500, 500, 506)
    shown, marks = lines[3].removeprefix("1 | "), lines[4].removeprefix("  | ")
    assert shown.startswith("…x") and shown.endswith("y…") and len(shown) <= 122
    assert shown[marks.index("^") : marks.rindex("^") + 1] == "TARGET"


def test_a_mark_that_is_longer_than_the_screen_says_that_it_goes_on() -> None:
    lines = _one("x" * 5_000, 10, 4_000)
    assert len(lines[3]) < 130 and lines[4].endswith("^…")


def test_a_line_of_a_megabyte_costs_no_more_than_what_is_shown() -> None:
    lines = _one("日" * 1_000_000 + "T" + "日" * 1_000_000, 1_000_000, 1_000_001)
    assert sum(map(len, lines)) < 1_000


def test_a_fix_of_one_line_shows_the_line_as_it_becomes() -> None:
    sources = source_set(a="x\nsection a @static\n")
    edits = (Edit(at(sources, "@static"), "@session"), Edit(at(sources, "a @"), "b @"))
    edits = (edits[0], Edit(Span("a.promptc", 10, 11), "b"))
    found = Diagnostic("PC402", "m", Label(at(sources, "@static")), fix=Fix("write `@session`", edits))
    assert render((found,), sources).splitlines()[5:7] == ["  = fix: write `@session`", "2 | section b @session"]


@pytest.mark.parametrize("replacement", ["@a\n@b"])
def test_a_fix_of_several_lines_shows_its_title_alone(replacement: str) -> None:
    sources = source_set(a="section a @static\n")
    span = at(sources, "@static")
    found = Diagnostic("PC402", "m", Label(span), fix=Fix("split it", (Edit(span, replacement),)))
    assert render((found,), sources).splitlines()[5:] == ["  = fix: split it", "  = see: promptc explain PC402"]


def test_a_place_without_its_text_keeps_its_label() -> None:
    found = Diagnostic("PC301", "m", Label(Span("gone.promptc", 3, 4), "here"))
    assert render((found,), SourceSet()).splitlines()[1:3] == [" --> gone.promptc", "  = note: gone.promptc: here"]


def test_a_request_finding_shows_its_pointer() -> None:
    found = Diagnostic("PC600", "m", None, pointer="/messages/0")
    assert render((found,), SourceSet()).splitlines()[1] == " --> /messages/0"


def test_colour_adds_sequences_and_nothing_else() -> None:
    sources = source_set(a="section rules @static  \n", b="x\n")
    found = Diagnostic(
        "PC402",
        "m",
        Label(at(sources, "rules"), "here "),
        (Label(at(sources, "@static"), ""), Label(at(sources, "x", "b.promptc"), " ")),
        ("note ",),
        "help",
        Fix("fix", (Edit(at(sources, "@static"), "@turn "),)),
    )
    coloured = render((found, found), sources, colour=True)
    assert re.sub(r"\x1b\[[0-9;]*m", "", coloured) == render((found, found), sources)
    assert "\x1b[1;31m" in coloured and coloured.count("\x1b[0m") * 2 == coloured.count("\x1b")


def test_findings_are_an_empty_line_apart_and_none_are_nothing() -> None:
    found = Diagnostic("PC600", "m", None)
    assert render((), SourceSet()) == ""
    assert render((found, found), SourceSet()).split("\n\n") == [
        "error[PC600] breakpoint-limit: m\n  = see: promptc explain PC600",
        "error[PC600] breakpoint-limit: m\n  = see: promptc explain PC600\n",
    ]
