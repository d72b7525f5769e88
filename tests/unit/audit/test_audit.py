"""An audit says of every request what a plain comparison says, however the log is read and the work is cut up."""

import gzip
import io
import json
import sqlite3
import sys
from pathlib import Path
from typing import Any

import pytest

from promptc.audit.report import Report, report_of
from promptc.audit.run import Audit, Options
from promptc.audit.store import StateProblem, Store
from promptc.compare.recording import Comparer
from promptc.providers.registry import BUILTIN
from promptc.streams.read import stream_of_body
from promptc.streams.rules import UNKNOWN_TARGET, cache_rules
from promptc.streams.sources.read import open_recording
from support.logs import PLAN, log_lines, records
from support.recorded import ALL, lines

Row = tuple[Any, ...]


def rows(store: Store) -> list[Row]:
    return store.db.execute(
        "SELECT number, session, parent, relation, verdict, bytes, kept, read FROM requests"
    ).fetchall()


def audit(path: Path, options: Options | None = None) -> tuple[list[Row], Report]:
    with Store(None) as store:
        assert Audit(store, options or Options(), BUILTIN).run([path])
        return rows(store), report_of(store, False)


def written(folder: Path, data: bytes, name: str = "log.jsonl") -> Path:
    (folder / name).write_bytes(data)
    return folder / name


def plainly(data: bytes) -> list[Row]:
    """What the requests of a log are by the comparison that `promptc diff` makes."""
    recording, _ = open_recording(io.BytesIO(data), "log")
    assert recording is not None
    comparer, found = Comparer(), []
    for capture in recording:
        stream, _ = stream_of_body(capture.body, "r")
        assert stream is not None
        provider = BUILTIN.resolve(stream.target or "", None)
        step = comparer.take(
            capture.index, capture.session, stream, cache_rules(provider) if provider else UNKNOWN_TARGET
        )
        result = step.comparison if step is not None else None
        told = (result.relation, result.verdict, result.prefix.bytes.kept) if result is not None else (None, None, None)
        found.append((capture.index, capture.session, step.a if step is not None else None, *told))
    return found


@pytest.mark.parametrize("keyed", [True, False])
def test_every_request_fares_as_in_a_plain_comparison(tmp_path: Path, keyed: bool) -> None:
    data = log_lines(PLAN, keyed)
    found, report = audit(written(tmp_path, data))
    assert [(n, s, p, r, v, k) for n, s, p, r, v, _, k, _ in found] == plainly(data)
    assert report.breaks == sum(row[4] == "break" for row in found) > 5
    assert {row[3] for row in found} >= {None, "extends", "diverges"}


@pytest.mark.parametrize("keyed", [True, False])
@pytest.mark.parametrize("options", [Options(fast=False), Options(held=2)], ids=["decoded whole", "spilled"])
def test_how_it_is_read_and_held_changes_nothing(tmp_path: Path, options: Options, keyed: bool) -> None:
    path = written(tmp_path, log_lines(PLAN, keyed))
    assert audit(path, options) == audit(path)


def test_packed_logs_and_logs_from_a_pipe_give_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data = log_lines(PLAN)
    plain, report = audit(written(tmp_path, data))
    assert audit(written(tmp_path, gzip.compress(data), "log.gz"))[0] == plain
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
    piped, again = audit(Path("-"))
    assert piped == plain and again.by_cause == report.by_cause


@pytest.mark.parametrize("format", ALL)
def test_every_format_of_captures_can_be_audited(tmp_path: Path, format: str) -> None:
    found, report = audit(written(tmp_path, ALL[format](), "log"))
    assert len(found) == 2 and report.logs[0].recorded_as == format
    # One of the two records of LiteLLM went to another provider.
    assert found[1][2] == (None if format == "litellm" else 1)


def test_a_log_in_one_value_gives_the_same_as_its_lines(tmp_path: Path) -> None:
    whole = json.dumps(list(records(PLAN))).encode()
    assert audit(written(tmp_path, whole, "log.json"))[0] == audit(written(tmp_path, log_lines(PLAN)))[0]


def test_damaged_and_strange_lines_are_counted_and_change_nothing_else(tmp_path: Path) -> None:
    good = log_lines(PLAN).splitlines(keepends=True)
    strange = [b"{broken\n", b'{"note": 1}\n', b"\xff\xfe\n", b"[" * 5000 + b"\n", b"\n", b"null\n", b"7\n"]
    mixed = b"".join(line + strange[number % len(strange)] for number, line in enumerate(good))
    found, report = audit(written(tmp_path, mixed, "mixed.jsonl"))
    assert found == audit(written(tmp_path, b"".join(good)))[0]
    recording, _ = open_recording(io.BytesIO(mixed), "mixed")
    assert recording is not None and list(recording)
    log = report.logs[0]
    assert (log.unreadable, log.unknown) == (recording.tally.unreadable.number, recording.tally.unknown.number)
    assert log.unreadable > 10 and log.unknown > 10


def test_doubtful_lines_are_counted_like_in_a_recording(tmp_path: Path) -> None:
    line = log_lines(PLAN[:1])
    twice = line.replace(b'"role":"user"', b'"role":"user","role":"user"')
    half = line.replace(b"Start", b"\\ud800")
    _, report = audit(written(tmp_path, line + twice + half))
    assert report.logs[0].doubtful == 2 and report.requests == 3


class _After:
    """Asks to stop after some calls."""

    def __init__(self, calls: int) -> None:
        self.left = calls

    def __call__(self) -> bool:
        self.left -= 1
        return self.left < 0


def test_stopped_work_goes_on_where_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("promptc.audit.log._TOLD_BYTES", 3000)
    path, state = written(tmp_path, log_lines(PLAN)), tmp_path / "state.db"
    runs = 0
    while True:
        runs += 1
        with Store(state) as store:
            if Audit(store, Options(), BUILTIN, stopping=_After(2)).run([path]):
                assert (rows(store), report_of(store, False)) == audit(path)
                break
    assert runs > 3


def test_a_log_that_has_grown_is_read_from_where_it_ended(tmp_path: Path) -> None:
    data = log_lines(PLAN)
    cut = data.index(b"\n", len(data) // 2) + 40
    path, state = written(tmp_path, data[:cut]), tmp_path / "state.db"
    with Store(state) as store:
        audited = Audit(store, Options(), BUILTIN)
        assert audited.run([path]) and [p.code for p in audited.problems] == ["PC851"]
    path.write_bytes(data)
    with Store(state) as store:
        assert Audit(store, Options(), BUILTIN).run([path])
        assert (rows(store), report_of(store, False)) == audit(path)


def test_a_packed_log_that_was_stopped_is_begun_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("promptc.audit.log._TOLD_BYTES", 3000)
    path, state = written(tmp_path, gzip.compress(log_lines(PLAN)), "log.gz"), tmp_path / "state.db"
    with Store(state) as store:
        assert not Audit(store, Options(), BUILTIN, stopping=_After(2)).run([path])
    with Store(state) as store:
        assert rows(store) == []
        assert Audit(store, Options(), BUILTIN).run([path])
        assert rows(store) == audit(path)[0]
    with Store(state) as store:
        assert Audit(store, Options(), BUILTIN).run([path])
        assert rows(store) == audit(path)[0]


def test_a_state_of_another_log_or_of_other_options_is_refused(tmp_path: Path) -> None:
    path, state = written(tmp_path, log_lines(PLAN)), tmp_path / "state.db"
    with Store(state) as store:
        Audit(store, Options(), BUILTIN).run([path])
    with Store(state) as store, pytest.raises(StateProblem, match="other options"):
        Audit(store, Options(since="2026-11-02"), BUILTIN).run([path])
    path.write_bytes(log_lines(PLAN[1:]) * 3)
    with Store(state) as store, pytest.raises(StateProblem, match="not the log"):
        Audit(store, Options(), BUILTIN).run([path])
    (tmp_path / "no.db").write_bytes(b"This is no database. " * 100)
    with pytest.raises(StateProblem):
        Store(tmp_path / "no.db")


def test_several_logs_are_one_story(tmp_path: Path) -> None:
    data = log_lines(PLAN)
    cut = data.index(b"\n", len(data) // 2) + 1
    first, second = written(tmp_path, data[:cut], "a.jsonl"), written(tmp_path, data[cut:], "b.jsonl")
    with Store(None) as store:
        Audit(store, Options(), BUILTIN).run([first, second])
        assert rows(store) == audit(written(tmp_path, data))[0]
        assert all(log.requests for log in report_of(store, False).logs)


def test_times_choose_what_counts(tmp_path: Path) -> None:
    path = written(tmp_path, log_lines(PLAN))
    _, everything = audit(path)
    _, some = audit(path, Options(since="2026-11-02", until="2026-11-04"))
    assert [d.day for d in some.days] == ["2026-11-02", "2026-11-03"]
    assert some.requests == sum(d.requests for d in everything.days if d.day in ("2026-11-02", "2026-11-03"))


def test_redacted_work_holds_no_text_and_no_key(tmp_path: Path) -> None:
    path, state = written(tmp_path, log_lines(PLAN)), tmp_path / "state.db"
    with Store(state) as store:
        Audit(store, Options(redact=True), BUILTIN).run([path])
        report = report_of(store, True)
    _, plain = audit(path)
    assert (report.breaks, report.cost, report.sessions) == (plain.breaks, plain.cost, plain.sessions)
    dump = "\n".join(sqlite3.connect(state).iterdump()) + report.model_dump_json()
    secret = ["lighthouse", "Start of", "Seen", "09:0", '"s1"', "'s1'", "look", "log.jsonl"]
    assert [word for word in secret if word in dump] == []


def test_costs_follow_the_prices_and_the_counts(tmp_path: Path) -> None:
    first, second = log_lines([(0, ""), (0, "clock")]).splitlines(keepends=True)
    _, report = audit(written(tmp_path, first + second))
    one = report.costliest[0]
    with Store(None) as store:
        Audit(store, Options(), BUILTIN).run([tmp_path / "log.jsonl"])
        size = store.db.execute("SELECT bytes, read + written + uncached FROM requests WHERE number = 2").fetchone()
    assert one.tokens == round(one.bytes * size[1] / size[0]) and report.counted == "all"
    # Written for five minutes at 1.25, read at 0.1 of the price of input.
    assert one.cost == pytest.approx(one.tokens * 1.15, abs=0.06)
    assert (one.place, one.kind, one.lane) == ("/system/0/text line 2", "a time of day changed", "system")


def test_what_read_nothing_with_an_intact_prefix_is_told_apart(tmp_path: Path) -> None:
    first, second = records([(0, ""), (0, "")])
    second["usage"]["cache_read_input_tokens"] = 0
    _, report = audit(written(tmp_path, lines(first, second)))
    assert (report.breaks, report.cold) == (0, 1)
