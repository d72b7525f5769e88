"""The class and the place of every change of a text."""

import pytest

from promptc.compare.text_change import text_changes
from promptc.compare.value_kind import value_kind


@pytest.mark.parametrize(
    ("a", "b", "text_class", "at"),
    [
        ("pier 4 is open", "pier 5 is open", "value", 5),
        ("pier", "pier four", "value", 4),
        ("open now", "open  now", "whitespace", 5),
        ("open\n", "open", "whitespace", 4),
        ("open now", "open\u00a0now", "whitespace", 4),
        ("open now", "open\u200b now", "whitespace", 4),
        ("a\r\nb\r\n", "a\nb\n", "line_endings", 1),
        ("a\rb", "a\nb", "line_endings", 1),
        ("cafe\u0301 x", "caf\u00e9 x", "unicode_normalisation", 3),
        ("one\ntwo\nthree", "one\nthree", "lines_removed", 5),
        ("one\nthree", "one\ntwo\nthree", "lines_added", 5),
        ("one", "one\ntwo", "lines_added", 3),
        ("b\na\nc", "a\nb\nc", "line_reorder", 0),
        ('{"a":1,"b":2}', '{"b":2,"a":1}', "json_respelled", 2),
        ('{"a":1.0}', '{"a":1}', "json_respelled", 6),
        ('{"a":1}', '{"a": 1}', "whitespace", 5),
        ('{"a":1}', '{"a":2}', "value", 5),
        ('["\\u00e9"]', '["é"]', "json_respelled", 2),
    ],
)
def test_one_change_has_one_class(a: str, b: str, text_class: str, at: int) -> None:
    changes = text_changes(a, b)
    assert [(change.text_class, change.at_a, change.at_b) for change in changes] == [(text_class, at, at)]


def test_equal_texts_have_no_change() -> None:
    assert text_changes("a\nb", "a\nb") == []


def test_independent_changes_are_told_apart() -> None:
    a = "one\ntwo\nthree\nfour 4\nfive\n"
    b = "one\n2\nthree\nfour  4\nfive\nsix\n"
    found = [(change.text_class, a[: change.at_a].count("\n") + 1) for change in text_changes(a, b)]
    assert found == [("value", 2), ("whitespace", 4), ("lines_added", 6)]


def test_a_line_that_only_looks_the_same_is_a_change_of_its_own() -> None:
    a = "same\ncafe\u0301 one\nsacks stay\nend"
    b = "same\nnew\ncaf\u00e9 one\nsacks  stay\nend"
    found = [(change.text_class, change.lines) for change in text_changes(a, b)]
    assert found == [("lines_added", 1), ("unicode_normalisation", 0), ("whitespace", 0)]


def test_changes_never_overlap_when_the_first_begins_inside_a_line_that_stays() -> None:
    (change,) = text_changes(" ", " 1\n")
    assert (change.text_class, change.at_a, change.at_b) == ("lines_added", 1, 1)


def test_a_change_knows_what_was_and_what_is() -> None:
    (change,) = text_changes("at 09:14:07 today", "at 09:14:31 today")
    assert ("at 09:14:07 today"[change.at_a : change.end_a], "at 09:14:31 today"[change.at_b : change.end_b]) == (
        "07",
        "31",
    )


def test_json_of_huge_exponents_is_compared_and_does_not_hang() -> None:
    (change,) = text_changes('{"a":1e999999999}', '{"a":1e999999998}')
    assert change.text_class == "value"


@pytest.mark.parametrize(
    ("a", "b", "kind"),
    [
        ("Clock: 09:14:07.", "Clock: 09:14:31.", "a time of day"),
        ("Today: 2026-09-14", "Today: 2026-09-15", "a calendar date"),
        ("at 2026-07-02T15:10:08", "at 2026-07-02T15:10:10", "a point in time"),
        ("run 3 of 9", "run 4 of 9", "a counter"),
        (
            "/tmp/5b1e0c52-77aa-4a6f-9a55-0d6f4a6b1c11/x",
            "/tmp/e0c9d7aa-1f60-4b1e-8a2b-6d2b7f5f9e42/x",
            "an identifier",
        ),
        ("a quiet pier", "a noisy pier", None),
        ("run 3", "run three", None),
    ],
)
def test_what_kind_of_value_changed(a: str, b: str, kind: str | None) -> None:
    (change,) = text_changes(a, b)
    assert value_kind(a, change.at_a, b, change.at_b) == kind
