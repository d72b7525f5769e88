"""`promptc diff` and `promptc check` on recordings."""

import gzip
import json
from pathlib import Path

import pytest

from promptc.cli import exits
from support.checkout import promptc
from support.recorded import ALL, KEY, body, lines


def log(*systems: str) -> bytes:
    return lines(*({"session": "s", "body": body(n, text)} for n, text in enumerate(systems, start=1)))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "broken.jsonl").write_bytes(log("At 09:00.", "At 09:00.", "At 09:01.") + b'{"cut')
    (tmp_path / "kept.jsonl").write_bytes(log("S", "S", "S"))
    (tmp_path / "one.json").write_text(json.dumps(body(2, "At 09:00.")))
    (tmp_path / "kept.jsonl.gz").write_bytes(gzip.compress(log("S", "S")))
    for name, make in ALL.items():
        (tmp_path / f"{name}.rec").write_bytes(make())
    return tmp_path


def test_a_recording_alone_shows_its_breaks_and_the_first_in_full(folder: Path) -> None:
    done = promptc(["diff", "broken.jsonl"], folder)
    text = done.stdout.decode()
    assert done.code == exits.FINDINGS
    assert text.startswith(
        "broken.jsonl: 3 requests, 1 conversation begun, 2 comparisons, breaks: 1\n1 diverges, 1 extends\n"
    )
    assert (
        "\n#2 -> #3  break  " in text and "a time of day changed" in text and "broken.jsonl#2 -> broken.jsonl#3" in text
    )
    assert "PC850" in done.stderr and "request bodies" in done.stderr


def test_a_recording_that_only_grows_is_clean(folder: Path) -> None:
    for name in ("kept.jsonl", "kept.jsonl.gz"):
        done = promptc(["diff", name], folder)
        assert done.code == exits.CLEAN and b"breaks: 0" in done.stdout


def test_json_and_html_say_the_same(folder: Path) -> None:
    done = promptc(["diff", "broken.jsonl", "--format", "json"], folder)
    document = json.loads(done.stdout)
    assert document["format"] == "promptc.diff-recording/1" and document["requests"] == 3
    assert [(c["a"], c["b"], c["verdict"]) for c in document["comparisons"]] == [(1, 2, "same"), (2, 3, "break")]
    assert document["first_break"]["format"] == "promptc.diff/1"
    done = promptc(["diff", "broken.jsonl", "--format", "html"], folder)
    assert done.code == exits.FINDINGS and done.stdout.startswith(b"<!doctype html>")


def test_requests_are_named_by_their_number(folder: Path) -> None:
    done = promptc(["diff", "broken.jsonl#1", "broken.jsonl#2"], folder)
    assert done.code == exits.CLEAN and done.stdout.startswith(b"broken.jsonl#1 -> broken.jsonl#2")
    done = promptc(["diff", "one.json", "broken.jsonl#3"], folder)
    assert done.code == exits.FINDINGS and b"/system/0/text" in done.stdout


def test_requests_of_recordings_in_different_forms_are_compared(folder: Path) -> None:
    done = promptc(["diff", "claude-tap.rec#1", "mitmproxy.rec#2"], folder)
    assert done.code == exits.CLEAN and b"the second continues the first" in done.stdout
    assert "claude-tap trace" in done.stderr and "mitmproxy flow dump" in done.stderr


def test_a_file_that_is_called_like_a_request_is_meant_itself(folder: Path) -> None:
    (folder / "one.json#2").write_text(json.dumps(body(3, "At 09:00.")))
    assert promptc(["diff", "one.json", "one.json#2"], folder).code == exits.CLEAN


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["broken.jsonl#9", "one.json"], "error[PC856]"),
        (["broken.jsonl", "one.json"], "holds several requests"),
        (["one.json"], "error[PC859]"),
        (["no.jsonl"], "does not exist"),
        (["no.jsonl#2", "one.json"], "does not exist"),
        (["."], "one side of the comparison is missing"),
    ],
)
def test_what_cannot_be_compared_is_refused(folder: Path, arguments: list[str], said: str) -> None:
    done = promptc(["diff", *arguments], folder)
    assert done.code == exits.USAGE and said in done.stderr and done.stdout == b""


def test_lines_of_no_known_format_are_refused(folder: Path) -> None:
    (folder / "odd.jsonl").write_bytes(lines({"lamp": 1}, {"lamp": 2}))
    for arguments in (["diff", "odd.jsonl", "one.json"], ["diff", "odd.jsonl"], ["check", "odd.jsonl"]):
        done = promptc(arguments, folder)
        assert done.code == exits.USAGE and "error[PC852]" in done.stderr and "`lamp`" in done.stderr


def test_a_recording_on_stdin(folder: Path) -> None:
    data = (folder / "broken.jsonl").read_bytes()
    assert promptc(["diff", "-"], folder, stdin=data).code == exits.FINDINGS
    assert promptc(["check", "-", "--no-sizes"], folder, stdin=data).code == exits.CLEAN


def test_check_looks_at_every_request_and_shows_each_finding_once(folder: Path) -> None:
    bad = body(1)
    bad["system"] = bad["system"] * 5
    (folder / "bad.jsonl").write_bytes(lines({"body": body(1)}, {"body": bad}, {"body": bad}))
    done = promptc(["check", "bad.jsonl", "--no-sizes"], folder)
    text = done.stdout.decode()
    assert done.code == exits.FINDINGS and text.count("error[PC6") == 1
    assert "found in requests #2, #3" in text and "target: anthropic" in done.stderr


@pytest.mark.parametrize("format", ["bodies", "har", "codex", "mitmproxy"])
def test_check_reads_recordings_by_their_content(folder: Path, format: str) -> None:
    (folder / f"{format}.rec").rename(folder / f"{format}.log")
    done = promptc(["check", f"{format}.log", "--no-sizes"], folder)
    assert done.code == exits.CLEAN and "requests: 2" in done.stderr
    assert KEY not in done.stderr and KEY.encode() not in done.stdout


def test_check_of_a_recording_without_a_request_fails(folder: Path) -> None:
    (folder / "empty.har").write_text('{"log": {"entries": []}}')
    done = promptc(["check", "empty.har"], folder)
    assert done.code == exits.USAGE and b"error[PC853]" in done.stdout


def test_a_number_beyond_all_arithmetic_is_no_bug(folder: Path) -> None:
    (folder / "huge.json").write_text(json.dumps(body(1)).replace("64", "9" * 5000))
    done = promptc(["check", "huge.json", "--no-sizes"], folder)
    assert done.code in (exits.CLEAN, exits.FINDINGS)
