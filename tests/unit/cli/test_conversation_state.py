"""A conversation over several requests: the state that one request writes is the state that the next one reads."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from promptc.cli import app, exits

_SPEC = """language 1

input mood : text? @turn

prompt helper {
  target anthropic
  model "m"

  system {
    uncached {
      section role @static "You help."
    }
  }
  conversation {
    history transcript
    cache last message
  }
  tail {
    section mood @turn deliver delta {
      first when mood is defined "They are {{ mood | default('') }}."
      changed "Now they are {{ mood | default('') }}."
      gone "Nobody knows how they are."
    }
  }
}
"""

_TALK = [
    {"role": "user", "content": "One."},
    {"role": "assistant", "content": "Yes."},
    {"role": "user", "content": "Two."},
    {"role": "assistant", "content": "Yes."},
    {"role": "user", "content": "Three."},
]

Run = Callable[..., tuple[int, bytes, str]]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes]) -> Run:
    """Run a command in a project that holds one spec; exit code, product and remarks."""
    (tmp_path / "promptc.toml").write_text("")
    (tmp_path / "helper.promptc").write_text(_SPEC)
    monkeypatch.chdir(tmp_path)

    def command(*arguments: str) -> tuple[int, bytes, str]:
        monkeypatch.setattr("sys.argv", ["promptc", *arguments])
        with pytest.raises(SystemExit) as end:
            app.main()
        code = end.value.code
        out, err = capfdbinary.readouterr()
        return (code if isinstance(code, int) else 0), out, err.decode()

    return command


def _turn(run: Run, folder: Path, turn: int, mood: str | None) -> list[str]:
    (folder / "inputs.json").write_text(json.dumps({"mood": mood}))
    (folder / "messages.json").write_text(json.dumps(_TALK[: 2 * turn - 1]))
    before = ("--state", f"state{turn - 1}.json") if turn > 1 else ()
    code, body, said = run(
        "render", "-i", "inputs.json", "-m", "messages.json", *before, "--state-out", f"state{turn}.json"
    )
    assert code == exits.CLEAN, said
    messages = json.loads(body)["messages"]
    return [block["text"] for message in messages for block in message["content"]]


def test_what_one_request_appended_stands_in_the_next_ones(run: Run, tmp_path: Path) -> None:
    assert _turn(run, tmp_path, 1, "glad") == ["One.", "They are glad."]
    assert _turn(run, tmp_path, 2, "tired") == ["One.", "They are glad.", "Yes.", "Two.", "Now they are tired."]
    assert _turn(run, tmp_path, 3, None) == [
        *("One.", "They are glad.", "Yes.", "Two.", "Now they are tired."),
        *("Yes.", "Three.", "Nobody knows how they are."),
    ]


def test_preview_reads_the_state_too(run: Run, tmp_path: Path) -> None:
    _turn(run, tmp_path, 1, "glad")
    (tmp_path / "messages.json").write_text(json.dumps(_TALK[:3]))
    code, page, _ = run("preview", "-i", "inputs.json", "-m", "messages.json", "--state", "state1.json")
    assert code == exits.CLEAN and b"They are glad." in page and b"Now they are" not in page


@pytest.mark.parametrize("text", ["{}", "[]", '"x"', "{", "", '{"format": "promptc.state/1"}', "\x00"])
def test_what_is_no_state_is_said(run: Run, tmp_path: Path, text: str) -> None:
    (tmp_path / "inputs.json").write_text("{}")
    (tmp_path / "state.json").write_text(text)
    code, body, said = run("render", "-i", "inputs.json", "--state", "state.json")
    assert code == exits.USAGE and body == b"" and "state" in said and "Traceback" not in said


def test_an_empty_list_of_messages_is_not_replaced_by_another_conversation(run: Run, tmp_path: Path) -> None:
    (tmp_path / "inputs.json").write_text("{}")
    (tmp_path / "messages.json").write_text("[]")
    code, body, _ = run("render", "-i", "inputs.json", "-m", "messages.json")
    assert code == exits.CLEAN and json.loads(body)["messages"] == []


def test_names_from_input_files_are_not_obeyed_by_the_terminal(run: Run, tmp_path: Path) -> None:
    (tmp_path / "inputs.json").write_text(json.dumps({"\x1b[31m": 1}))
    code, _, said = run("render", "-i", "inputs.json")
    assert code == exits.USAGE and "␛[31m" in said and "\x1b" not in said
    code, _, said = run("render", "-i", "\x1b[31m.json")
    assert code == exits.USAGE and "␛[31m.json" in said and "\x1b" not in said


def test_a_record_may_hold_records_of_its_own_kind(run: Run, tmp_path: Path) -> None:
    loop = "{{ root.name }}{% for child in root.children %}({{ child.name }}){% endfor %}"
    (tmp_path / "helper.promptc").write_text(
        "record Node { name : text  children : list[Node] = []  next : Node? }\n"
        "input root : Node @static\n"
        'prompt tree { target anthropic  model "m"  system { section all @static "' + loop + '" } }\n'
        'sample one for tree { root = { name: "a", children: [{ name: "b", children: [] }] } }\n'
    )
    code, body, said = run("render")
    assert code == exits.CLEAN, said
    assert json.loads(body)["system"][0]["text"] == "a(b)"
    assert run("build")[0] == exits.CLEAN and run("verify")[0] == exits.CLEAN
