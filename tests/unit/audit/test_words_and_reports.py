"""Names under which breaks are added up, times, and reports that hostile text cannot get out of."""

import json
from pathlib import Path

import pytest

from promptc.audit.as_html import report_as_html
from promptc.audit.as_text import report_as_markdown, report_as_text
from promptc.audit.judge import time_of
from promptc.audit.report import Report, report_of
from promptc.audit.run import Audit, Options
from promptc.audit.store import Store
from promptc.audit.words import kind_of_cause, lane_of, place_of, redacted_pointer
from promptc.providers.registry import BUILTIN
from support.recorded import lines


@pytest.mark.parametrize(
    ("cause", "kind"),
    [
        ('a time of day changed: "0" became "1"', "a time of day changed"),
        ('1 line added: "x"', "N lines added"),
        ('1,200 lines added: "x"', "N lines added"),
        ('1 tool ("look") removed', "N tools removed"),
        ('3 tools ("a", "b", "c" and 2 more) moved; the elements are the same in another order',
         "N tools moved; the elements are the same in another order"),
        ("one block moved from `/messages/1` to `/messages/3`, into another message",
         "one block moved from … to …, into another message"),
        ("the parameter `model` changed: \"a\" became \"b\"", "the parameter `model` changed"),
        ("only the Unicode normal form differs: U+00E9 against U+0065 U+0301", "only the Unicode normal form differs"),
        ("the texts differ over more than 4,000 characters; changes behind the first are not told apart",
         "the texts differ over a long stretch"),
    ],
)  # fmt: skip
def test_causes_of_one_kind_have_one_name(cause: str, kind: str) -> None:
    assert kind_of_cause(cause) == kind


def test_places_are_shared_where_only_the_message_varies() -> None:
    assert place_of("/messages/12/content/3/text", 7) == "/messages/*/content/*/text"
    assert place_of("/system/0/text", 7) == "/system/0/text line 7"
    assert place_of("/tools/3/name", None) == "/tools/3/name"
    lanes = ["/functions/0", "/instructions", "/contents/0", "/thinking", None]
    assert [lane_of(pointer) for pointer in lanes] == ["tools", "system", "messages", "parameters", "parameters"]


def test_a_pointer_without_names_of_the_user() -> None:
    assert redacted_pointer("/tools/2/input_schema/properties/salary/type") == "/tools/2/input_schema/properties/*/type"


@pytest.mark.parametrize(
    ("at", "day"),
    [
        ("2026-11-03T08:00:00+09:00", "2026-11-03"),
        ("1793692800", "2026-11-03"),
        ("1793692800.5", "2026-11-03"),
        ("1793692800500", "2026-11-03"),
        ("1793692800000000000", "2026-11-03"),
        ("yesterday", None),
        ("nan", None),
        ("-5", None),
        ("9" * 400, None),
        (None, None),
    ],
)
def test_times_are_told_in_any_spelling(at: str | None, day: str | None) -> None:
    moment = time_of(at)
    assert (moment[:10] if moment is not None else None) == day


HOSTILE = "</code><script>alert(1)</script>\x1b[31m | **x** `y`\n# z"


def hostile_report(folder: Path) -> Report:
    def record(n: int, system: str) -> dict[str, object]:
        turns = [
            {"role": "user", "content": "a"},
            {"role": "assistant", "content": "b"},
            {"role": "user", "content": "c"},
        ]
        return {
            "at": HOSTILE,
            "session": HOSTILE,
            "body": {"model": HOSTILE, "max_tokens": 1, "system": system, "messages": turns[:n]},
        }

    (folder / "log.jsonl").write_bytes(lines(record(1, "S" + HOSTILE), record(3, "T" + HOSTILE)))
    with Store(None) as store:
        assert Audit(store, Options(), BUILTIN).run([folder / "log.jsonl"])
        return report_of(store, False)


def test_reports_hold_hostile_text_as_text(tmp_path: Path) -> None:
    report = hostile_report(tmp_path)
    assert report.breaks == 1
    text, markdown, page = report_as_text(report), report_as_markdown(report), report_as_html(report)
    assert "\x1b" not in text + markdown + page
    assert "<script>" not in page and "<script>" not in markdown
    assert "\n# z" not in markdown and "| **x**" not in markdown
    assert "Content-Security-Policy" in page and page.count("<html") == 1


def test_json_is_the_published_form(tmp_path: Path) -> None:
    document = json.loads(hostile_report(tmp_path).model_dump_json())
    assert document["format"] == "promptc.audit/1"
    assert document["costliest"][0]["example"]["a"] == 1 and document["counted"] == "none"
    assert sum(entry["cost"] for entry in document["by_cause"]) == pytest.approx(document["cost"])
    assert sum(entry["cost"] for entry in document["by_section"]) == pytest.approx(document["cost"])


def test_a_report_without_breaks_is_short(tmp_path: Path) -> None:
    (tmp_path / "log.jsonl").write_bytes(lines({"body": {"messages": [{"role": "user", "content": "a"}]}}) * 2)
    with Store(None) as store:
        Audit(store, Options(), BUILTIN).run([tmp_path / "log.jsonl"])
        report = report_of(store, False)
    assert report_as_text(report).startswith(
        "2 requests, 1 conversation, 0 breaks\n"
    ) and "expensive" not in report_as_text(report)
    assert "expensive" not in report_as_markdown(report) and "expensive" not in report_as_html(report)
