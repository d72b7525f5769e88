"""`promptc simulate` from the command line: transcripts, and everything that can be wrong with what it is given."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from promptc.cli import app
from support.checkout import ROOT, Finished
from support.layouts import AGENT, OPEN_MODEL

_GOLDEN = ROOT / "tests" / "golden" / "simulate"

_DAY = """gap: 90s
clock: {start: "2026-05-30T23:56", date: today}
turns:
- tools: [{calls: 2}]
- before: [{toggle: plan_mode}]
- before: [{set: {cwd: /srv/b}}, {fork: {user: "A title, please."}}]
- before: [{resume: true}]
  gap: 6m
"""


Run = Callable[..., Finished]


@pytest.fixture
def run(folder: Path, monkeypatch: pytest.MonkeyPatch, capsysbinary: pytest.CaptureFixture[bytes]) -> Run:
    """Run the command in the folder, in this process: a child process takes longer than what it is asked."""
    monkeypatch.chdir(folder)
    monkeypatch.setenv("NO_COLOR", "1")

    def command(*arguments: str) -> Finished:
        monkeypatch.setattr("sys.argv", ["promptc", "simulate", *arguments])
        with pytest.raises(SystemExit) as end:
            app.main()
        said = capsysbinary.readouterr()
        assert isinstance(end.value.code, int)
        return Finished(end.value.code, said.out, said.err.decode())

    return command


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "promptc.toml").write_text("")
    (tmp_path / "agent.promptc").write_text(AGENT)
    (tmp_path / "open.promptc").write_text(OPEN_MODEL)
    (tmp_path / "day.yaml").write_text(_DAY)
    return tmp_path


def _transcript(done: Finished) -> str:
    return f"{done.stdout.decode()}-- stderr, exit code {done.code} --\n{done.stderr}"


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("plain", ["agent.promptc", "--turns", "3", "--gap", "6m"]),
        ("day", ["agent.promptc", "--scenario", "day.yaml"]),
        ("against", ["agent.promptc", "--against", "open.promptc", "--turns", "2"]),
        ("other-cache", ["agent.promptc", "--turns", "2", "--target", "vllm"]),
    ],
)
def test_transcript(name: str, arguments: list[str], run: Run, update: bool) -> None:
    said = _transcript(run(*arguments))
    golden = _GOLDEN / f"{name}.txt"
    if update:
        golden.write_text(said, encoding="utf-8")
    assert said == golden.read_text(encoding="utf-8")


def test_json_and_html_are_the_product_alone(run: Run, folder: Path) -> None:
    as_json = run("agent.promptc", "--turns", "2", "--format", "json")
    assert json.loads(as_json.stdout)["format"] == "promptc.simulation/1"
    page = run("agent.promptc", "--turns", "2", "--format", "html")
    assert page.stdout.startswith(b"<!doctype html>") and page.stdout.endswith(b"</html>\n")
    assert (as_json.code, page.code) == (0, 0)


def test_scenario_fault_is_shown_in_the_file(run: Run, folder: Path) -> None:
    (folder / "bad.yaml").write_text("turns:\n- gap: 4 minutes\n- before:\n  - toggel: x\n")
    done = run("agent.promptc", "--scenario", "bad.yaml")
    assert (done.code, done.stdout) == (2, b"")
    assert "--> bad.yaml:2:8" in done.stderr and "--> bad.yaml:4:5" in done.stderr
    assert done.stderr.count("error[PC840]") == 2


def test_event_that_the_prompt_cannot_take_is_shown_in_the_file(run: Run, folder: Path) -> None:
    (folder / "bad.yaml").write_text("turns:\n- {}\n- before:\n  - toggle: cwd\n")
    done = run("agent.promptc", "--scenario", "bad.yaml")
    assert done.code == 2
    assert "error[PC841]" in done.stderr and "--> bad.yaml:4:13" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["agent.promptc", "--format", "pdf"], "`pdf` is no format"),
        (["agent.promptc", "--gap", "soon"], "`soon` is no gap"),
        (["agent.promptc", "--target", "nobody"], "there are no facts about `nobody`"),
        (["agent.promptc", "--scenario", "none.yaml"], "`none.yaml` does not exist"),
        (["agent.promptc", "--scenario", "day.yaml", "--turns", "3"], "a scenario file says itself"),
        ([".", "--turns", "2"], "there are several prompts here"),
        (["agent.promptc", "--prompt", "agnet"], "did you mean `agent`?"),
        (["open.promptc", "--scenario", "day.yaml"], "error[PC841]"),
        (["nowhere.promptc"], "nowhere.promptc"),
    ],
)
def test_wrong_arguments_are_said_in_a_sentence(arguments: list[str], said: str, run: Run) -> None:
    done = run(*arguments)
    assert (done.code, done.stdout) == (2, b"")
    assert said in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("data", [b"\xff\xfe", b"", b"\x00", b"[" * 5_000, b"turns: &a [*a]", b"? {a: b}\n: c\n"])
def test_scenario_of_any_bytes_is_refused_without_a_traceback(data: bytes, folder: Path, run: Run) -> None:
    (folder / "bad.yaml").write_bytes(data)
    done = run("agent.promptc", "--scenario", "bad.yaml")
    assert done.code == 2
    assert done.stderr.startswith("error") and "Traceback" not in done.stderr and "PC901" not in done.stderr


def test_unknown_sample_comes_with_the_one_that_was_meant(run: Run, folder: Path) -> None:
    (folder / "s.yaml").write_text("sample: frist\nturns: [{}]\n")
    done = run("agent.promptc", "--scenario", "s.yaml")
    assert done.code == 2
    assert "did you mean `first`?" in done.stderr and "--> s.yaml:1:9" in done.stderr


def test_spec_with_errors_is_not_played(run: Run, folder: Path) -> None:
    (folder / "agent.promptc").write_text(AGENT.replace("section place @session", "section place @static"))
    done = run("agent.promptc")
    assert done.code == 1 and done.stdout == b""


def test_two_prompts_of_one_spec_can_be_compared(run: Run, folder: Path) -> None:
    done = run(".", "--prompt", "agent", "--against-prompt", "open", "--turns", "2")
    assert done.code == 0
    assert done.stdout.startswith(b"A: agent.promptc agent\nB: open.promptc open\n")


def test_two_caches_of_one_prompt_can_be_compared(run: Run, folder: Path) -> None:
    done = run("agent.promptc", "--against-target", "vllm", "--turns", "2")
    assert done.code == 0
    lines = done.stdout.decode().splitlines()
    assert lines[:2] == ["A: agent.promptc agent, Anthropic Messages API", "B: agent.promptc agent, vLLM"]
    assert "than A" in done.stdout.decode()


@pytest.mark.parametrize("cached", ["cache auto", ""])
def test_a_conversation_is_read_where_nothing_but_markers_is_looked_up(run: Run, folder: Path, cached: str) -> None:
    traffic = (
        "traffic { sessions 60 per hour turns 5 per session gaps 100% within 5m blocks 100% within 3 per turn "
        "tokens 900 per turn }"
    )
    (folder / "exact.promptc").write_text(
        f"""language 1
{traffic if cached else ""}
prompt p {{
  target openai_responses_5_6
  model "gpt-5.6"
  {cached}
  system {{ section s @static "Be brief." }}
  conversation {{ history h{"" if cached else " cache last message"} }}
}}
"""
    )
    (folder / "talk.yaml").write_text("turns: [{user: {words: 1500}, repeat: 4}]\n")
    done = run("exact.promptc", "--scenario", "talk.yaml", "--format", "json")
    assert done.code == 0, done.stderr
    found = json.loads(done.stdout)["simulations"][0]
    assert found["total"]["kept"] == 1.0
    assert found["total"]["certain"]["hit_rate"] > 0.5
