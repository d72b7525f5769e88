"""`promptc audit`: its arguments, its exit codes, its reports, its sections."""

import json
import sqlite3
from pathlib import Path

import pytest

from promptc.cli import exits
from support.checkout import promptc
from support.logs import PLAN, log_lines


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "log.jsonl").write_bytes(log_lines(PLAN))
    (tmp_path / "clean.jsonl").write_bytes(log_lines([(0, "")] * 5))
    return tmp_path


def test_breaks_are_findings_and_their_absence_is_clean(folder: Path) -> None:
    done = promptc(["audit", "log.jsonl"], folder)
    assert done.code == exits.FINDINGS and b"by cause" in done.stdout and b"most expensive bytes" in done.stdout
    done = promptc(["audit", "clean.jsonl"], folder)
    assert done.code == exits.CLEAN and done.stdout.startswith(b"5 requests, 1 conversation, 0 breaks")


def test_the_state_is_a_database_and_work_is_not_done_twice(folder: Path) -> None:
    first = promptc(["audit", "log.jsonl", "--state", "s.db", "-f", "json"], folder)
    again = promptc(["audit", "log.jsonl", "--state", "s.db", "-f", "json"], folder)
    assert first.stdout == again.stdout and json.loads(first.stdout)["format"] == "promptc.audit/1"
    with sqlite3.connect(folder / "s.db") as db:
        assert db.execute("SELECT COUNT(*) FROM requests").fetchone() == (len(PLAN),)
    done = promptc(["audit", "clean.jsonl", "--state", "s.db"], folder)
    assert done.code == exits.USAGE and "error[PC870]" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["log.jsonl", "--format", "pdf"], "`pdf` is no format"),
        (["no.jsonl"], "does not exist"),
        (["log.jsonl", "--since", "monday"], "no day or time"),
        (["log.jsonl", "--target", "nobody"], "no facts about `nobody`"),
        (["log.jsonl", "--since", "2030-01-01"], "error[PC871]"),
    ],
)
def test_what_cannot_be_audited_is_refused(folder: Path, arguments: list[str], said: str) -> None:
    done = promptc(["audit", *arguments], folder)
    assert done.code == exits.USAGE and said in done.stderr and done.stdout == b""


def test_sections_are_named_by_a_manifest(folder: Path) -> None:
    (folder / "promptc.toml").write_text("")
    (folder / "k.promptc").write_text(
        "scope s holds session\ninput clock : text @session\n"
        'prompt keeper { target anthropic model "claude-sonnet-4-5" system { cache s {\n'
        '  section duty @session """\n    You keep lighthouse 2.\n    It is {{ clock }}.\n    """\n} } }\n'
    )
    built = promptc(["build", "k.promptc"], folder)
    assert built.code == exits.CLEAN, built.stderr
    done = promptc(["audit", "log.jsonl", "--manifest", "gen", "-f", "json"], folder)
    names = {entry["name"] for entry in json.loads(done.stdout)["by_section"]}
    assert "duty" in names and done.code == exits.FINDINGS
