"""What is shown for a character, and how wide it is."""

import unicodedata

import pytest

from promptc.diagnostics.render.display import cell, columns, glyph, visible


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain `text` ~", "plain `text` ~"),
        ("größer 日本 émoji 👩", "größer 日本 émoji 👩"),
        ("\x1b[31m", "␛[31m"),
        ("a\nb\tc\rd\x00e\x7f", "a␊b␉c␍d␀e␡"),
        ("\u202eevil\u2066", "\\u{202e}evil\\u{2066}"),
        ("a\u200bb\u200dc\ufeff", "a\\u{200b}b\\u{200d}c\\u{feff}"),
        ("\u00a0\u3000\u2028", "\\u{a0}\\u{3000}\\u{2028}"),
        ("\U000e0041\ufe0f\u034f\u3164", "\\u{e0041}\\u{fe0f}\\u{34f}\\u{3164}"),
        ("\ud83d", "\\u{d83d}"),
        ("\x85\x9b", "\\u{85}\\u{9b}"),
    ],
)
def test_what_controls_or_hides_is_shown_as_what_it_is(text: str, shown: str) -> None:
    assert visible(text) == shown


def test_nothing_that_is_shown_controls_or_hides() -> None:
    hidden = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}
    for point in range(0x110000):
        for character in glyph(chr(point)):
            assert unicodedata.category(character) not in hidden, hex(point)


@pytest.mark.parametrize(
    ("text", "width"),
    [
        ("abc", 3),
        ("日本", 4),
        ("ｶﾅ", 2),
        ("Ａ", 2),
        ("e\u0301x", 2),
        ("👍", 2),
        ("👍🏽", 2),
        ("🇩🇪", 2),
        ("한", 2),
        ("\u1112\u1161\u11ab", 2),
        ("ß…–", 3),
        ("\u0e01\u0e31", 1),
    ],
)
def test_width_is_that_of_a_terminal(text: str, width: int) -> None:
    assert columns(text) == width


def test_a_tab_is_four_columns_in_a_source_line() -> None:
    assert cell("\t") == ("    ", 4)
