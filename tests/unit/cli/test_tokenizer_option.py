"""`--tokenizer FILE`: exact counts that say so, an estimate without it, and what can be wrong with the file."""

import json
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from promptc.cli import app
from support.checkout import Finished
from support.layouts import AGENT
from support.word_tokenizer import WORDS

Run = Callable[..., Finished]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsysbinary: pytest.CaptureFixture[bytes]) -> Run:
    """Run a command in a folder with a spec, a request and a tokenizer, in this process."""
    body = {
        "model": "claude-opus-5-5",
        "max_tokens": 10,
        "system": [{"type": "text", "text": "one two " * 20, "cache_control": {"type": "ephemeral"}}],
        "messages": [{"role": "user", "content": "three"}],
    }
    (tmp_path / "agent.promptc").write_text(AGENT, encoding="utf-8")
    (tmp_path / "request.json").write_text(json.dumps(body), encoding="utf-8")
    (tmp_path / "tokenizer.json").write_bytes(WORDS)
    monkeypatch.chdir(tmp_path)

    def command(*arguments: str) -> Finished:
        monkeypatch.setattr("sys.argv", ["promptc", *arguments])
        with pytest.raises(SystemExit) as end:
            app.main()
        said = capsysbinary.readouterr()
        assert isinstance(end.value.code, int)
        return Finished(end.value.code, said.out, said.err.decode())

    return command


def test_a_request_is_counted_exactly(run: Run) -> None:
    done = run("check", "request.json", "--target", "anthropic", "--tokenizer", "tokenizer.json")
    # Forty words, `type text text` in front of them, and the marker behind them: `cache_control type ephemeral`.
    assert b"has 46 tokens, and fewer than" in done.stdout
    assert "estimates" not in done.stderr
    assert b"has about" in run("check", "request.json", "--target", "anthropic").stdout


def test_a_listing_says_which_tokenizer_counted(run: Run) -> None:
    exact, estimated = run("ls", "--tokenizer", "tokenizer.json"), run("ls")
    assert b", exact)" in exact.stdout
    assert b"~" not in exact.stdout
    assert b"mean error" in estimated.stdout


def test_a_simulation_says_which_tokenizer_counted(run: Run) -> None:
    text = run("simulate", "agent.promptc", "--turns", "2", "--tokenizer", "tokenizer.json")
    assert b"tokens are exact for the texts (tokenizer.json " in text.stdout
    data = run("simulate", "agent.promptc", "--turns", "2", "--tokenizer", "tokenizer.json", "--format", "json")
    tokens = json.loads(data.stdout)["simulations"][0]["tokens"]
    assert (tokens["exact"], tokens["mean_error"]) == (True, 0.0)
    assert "tokens are exact" in data.stderr


def test_what_is_built_has_the_estimate_on_every_machine(run: Run) -> None:
    refused = run("check", "agent.promptc", "--tokenizer", "tokenizer.json")
    assert refused.code == 2
    assert "`--tokenizer` is for request bodies" in refused.stderr


@pytest.mark.parametrize("command", [("ls",), ("simulate", "agent.promptc"), ("check", "request.json")])
def test_a_file_that_is_no_tokenizer_is_refused(command: tuple[str, ...], run: Run) -> None:
    done = run(*command, "--tokenizer", "request.json")
    assert (done.code, done.stdout) == (2, b"")
    assert "error[PC843]: `request.json` is no tokenizer: " in done.stderr


def test_without_the_package_the_extra_is_named(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "tokenizers", None)
    done = run("ls", "--tokenizer", "tokenizer.json")
    assert done.code == 2
    assert "error[PC842]" in done.stderr
    assert "promptc-lang[tokenizers]" in done.stderr
