"""Reports of comparisons as golden files, and that nothing hostile passes through them."""

import json
from pathlib import Path

import pytest

from promptc.compare.diff import compare_streams
from promptc.providers.registry import resolve
from promptc.report.diff_json import diff_as_json, diff_as_json_text
from promptc.report.diff_text import diff_as_text
from promptc.report.visible import visible
from promptc.streams.json_value import member
from promptc.streams.read import read_pair
from promptc.streams.result import Comparison
from promptc.streams.rules import UNKNOWN_TARGET, cache_rules

GOLDEN = Path(__file__).resolve().parents[2] / "golden" / "diff"
FOLDERS = sorted(path for path in GOLDEN.iterdir() if path.is_dir())
DESIGN_KEYS = {
    "format",
    "relation",
    "findings",
    "common_prefix_through",
    "params_changed",
    "breakpoints_surviving",
    "breakpoints_lost",
    "cache_read_through",
    "prefix",
    "verdict",
    "limits",
}


def compared(folder: Path) -> Comparison:
    (a,), (b,) = list(folder.glob("a.*")), list(folder.glob("b.*"))
    first, second, found = read_pair((a.read_bytes(), a.name), (b.read_bytes(), b.name))
    assert found == ()
    assert first is not None
    assert second is not None
    rules = UNKNOWN_TARGET
    if first.target is not None:
        model = member(first.attributes, "model")
        name = model if isinstance(model, str) else None
        rules = cache_rules(resolve(first.target, name), name)
    return compare_streams(first, second, rules)


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda path: path.name)
def test_reports_are_as_recorded(folder: Path, update: bool) -> None:
    result = compared(folder)
    for name, text in (("report.txt", diff_as_text(result)), ("report.json", diff_as_json_text(result))):
        golden = folder / name
        if update:
            golden.write_bytes(text.encode())
        assert golden.read_bytes().decode() == text


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda path: path.name)
def test_reports_control_no_terminal(folder: Path) -> None:
    result = compared(folder)
    assert all(character == "\n" or character.isprintable() for character in diff_as_text(result))
    assert all(character == "\n" or " " <= character <= "~" for character in diff_as_json_text(result))


def test_json_has_the_published_keys_and_reads_back_as_the_same() -> None:
    result = compared(GOLDEN / "clock-and-respelled-result")
    data = diff_as_json(result)
    assert data["format"] == "promptc.diff/1"
    assert data.keys() >= DESIGN_KEYS
    assert diff_as_json(Comparison.model_validate(json.loads(diff_as_json_text(result)))) == data


def test_text_says_where_what_why_and_what_to_do() -> None:
    text = diff_as_text(compared(GOLDEN / "clock-and-respelled-result"))
    assert "/system/1/text, line 1, column 17 (byte 16)" in text
    assert "a time of day changed" in text
    assert "lost  /system/1, /messages/2/content/0" in text
    assert "read  through /system/0" in text


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a b", "a b"),
        ("\x1b[31m", "␛[31m"),
        ("\r\n\t\x7f", "␍␊␉␡"),
        ("\u200b\u202e\x9b\u2028", "<U+200B><U+202E><U+009B><U+2028>"),
        ("\u00a0", "<U+00A0>"),
        ("\ud800", "<U+D800>"),
        ("\ufe0f\u3164", "<U+FE0F><U+3164>"),
        ("Käse 日本 😀", "Käse 日本 😀"),
    ],
)
def test_hidden_characters_are_shown(text: str, shown: str) -> None:
    assert visible(text) == shown


def test_blanks_and_marks_are_shown_where_they_are_the_point() -> None:
    assert visible("a b", blanks=True) == "a·b"
    assert visible("e\u0301", marks=True) == "e<U+0301>"
