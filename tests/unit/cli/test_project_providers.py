"""The project's own provider facts reach every command that uses facts."""

import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from support.checkout import promptc

_SPEC = """
language 1
scope shared holds static
scope rules holds static
prompt helper {
  target TARGET
  system {
    cache shared { section a @static "Answer briefly." }
    cache rules { section b @static "Answer well." }
  }
}
sample one for helper { }
"""
_ONE_MARKER = "gateway:\n  extends: anthropic\n  title: Our gateway\n  marker: {limit: 1}\n"


def _project(folder: Path, providers: str, target: str = "gateway", extra: Mapping[str, str] | None = None) -> Path:
    (folder / "promptc.toml").write_text('providers = "facts/providers.yaml"\n')
    (folder / "facts").mkdir()
    (folder / "facts" / "providers.yaml").write_text(providers)
    (folder / "helper.promptc").write_text(_SPEC.replace("TARGET", target))
    for name, text in (extra or {}).items():
        (folder / name).write_text(text)
    return folder


def test_check_holds_a_spec_to_the_projects_facts(tmp_path: Path) -> None:
    done = promptc(["check", "--format", "json"], _project(tmp_path, _ONE_MARKER))
    assert done.code == 1
    found = json.loads(done.stdout)["diagnostics"]
    assert [(d["code"], "`gateway` takes 1" in d["message"]) for d in found] == [("PC681", True)]


def test_without_the_file_the_target_is_unknown(tmp_path: Path) -> None:
    _project(tmp_path, _ONE_MARKER)
    (tmp_path / "promptc.toml").write_text("")
    done = promptc(["check", "--format", "concise"], tmp_path)
    assert b"PC210" in done.stdout


def test_check_holds_a_request_to_the_projects_facts(tmp_path: Path) -> None:
    marked = {"type": "text", "text": "x", "cache_control": {"type": "ephemeral"}}
    body = {"model": "m", "max_tokens": 9, "messages": [{"role": "user", "content": [marked, marked]}]}
    folder = _project(tmp_path, _ONE_MARKER, extra={"body.json": json.dumps(body)})
    arguments = ["check", "body.json", "--format", "concise", "--no-sizes", "--target"]
    assert b"PC600" in promptc([*arguments, "gateway"], folder).stdout
    assert promptc([*arguments, "anthropic"], folder).code == 0


def test_build_writes_the_same_bytes_again_and_digests_the_facts(tmp_path: Path) -> None:
    folder = _project(tmp_path, _ONE_MARKER.replace("limit: 1", "limit: 2"))
    assert promptc(["build"], folder).code == 0
    assert "facts/providers.yaml" in (folder / "gen" / "promptc.lock").read_text()
    assert promptc(["build", "--check"], folder).code == 0
    (folder / "facts" / "providers.yaml").write_text(_ONE_MARKER.replace("limit: 1", "limit: 3"))
    assert promptc(["build", "--check"], folder).code == 1


def test_ls_and_simulate_follow_the_projects_facts(tmp_path: Path) -> None:
    folder = _project(tmp_path, "gateway:\n  extends: anthropic\n  title: Our gateway\n  cache: {implicit: true}\n")
    listed = promptc(["ls"], folder)
    assert b"all in front of the tail" in listed.stdout, listed.stderr
    played = promptc(["simulate", ".", "--turns", "2"], folder)
    assert b"Our gateway" in played.stdout, played.stderr


def test_breaking_compares_by_the_facts_of_each_side(tmp_path: Path) -> None:
    folder = _project(tmp_path, _ONE_MARKER.replace("limit: 1", "limit: 2"))
    before = tmp_path / "before"
    before.mkdir()
    _project(before, _ONE_MARKER.replace("limit: 1", "limit: 4"))
    done = promptc(["breaking", "helper.promptc", "--against", "before"], folder)
    assert done.code == 0, done.stderr
    (before / "promptc.toml").write_text("")
    assert promptc(["breaking", "helper.promptc", "--against", "before"], folder).code == 2


@pytest.mark.parametrize("command", [["check"], ["build"], ["ls"], ["providers"], ["check", "body.json"]])
def test_a_fault_in_the_file_ends_every_command_with_its_place(command: list[str], tmp_path: Path) -> None:
    folder = _project(tmp_path, "groq:\n  colour: red\n", "anthropic", {"body.json": "{}"})
    done = promptc(command, folder)
    assert done.code == 2
    said = done.stdout.decode() + done.stderr
    assert "PC677" in said
    assert "facts/providers.yaml:2:3" in said


def test_a_file_outside_the_project_is_not_read(tmp_path: Path) -> None:
    folder = _project(tmp_path, _ONE_MARKER)
    (folder / "promptc.toml").write_text('providers = "../providers.yaml"\n')
    done = promptc(["check"], folder)
    assert done.code == 2
    assert "PC003" in done.stdout.decode()


def test_providers_lists_heads_ages_and_the_projects_own(tmp_path: Path) -> None:
    folder = _project(tmp_path, _ONE_MARKER)
    done = promptc(["providers", "--as-of", "2026-12-01"], folder)
    head, *rows = done.stdout.decode().split("\n\n")[0].splitlines()
    assert head.split() == ["id", "title", "format", "cache", "facts", "unsure", "oldest", "newest", "age"]
    assert rows[-1].startswith("gateway")
    groq = next(row for row in rows if row.startswith("groq"))
    assert groq.split()[-3:] == ["2026-09-18", "2026-09-18", "74"]
    marked = promptc(["providers", "--as-of", "2026-12-01", "--older-than", "73"], folder).stdout.decode()
    assert next(row for row in marked.splitlines() if row.startswith("groq")).endswith("74 !")


def test_providers_can_fail_where_facts_are_old(tmp_path: Path) -> None:
    folder = _project(tmp_path, _ONE_MARKER)
    day = ["providers", "groq", "--as-of", "2026-12-01"]
    assert promptc([*day, "--fail-older-than", "74"], folder).code == 0
    assert promptc([*day, "--fail-older-than", "73"], folder).code == 1
    assert promptc(["providers", "--as-of", "yesterday"], folder).code == 2
    assert promptc(["providers", "grok2"], folder).code == 2


def test_one_provider_is_told_fact_by_fact(tmp_path: Path) -> None:
    folder = _project(tmp_path, _ONE_MARKER)
    text = promptc(["providers", "gateway", "--as-of", "2026-12-01"], folder).stdout.decode()
    assert "  marker.limit = 1\n      third_party, undated, override in the project\n" in text
    shown = json.loads(promptc(["providers", "gateway", "--as-of", "2026-12-01", "--json"], folder).stdout)
    (limit,) = [fact for fact in shown["facts"] if fact["path"] == "marker.limit"]
    assert (limit["value"], limit["date"], limit["age_days"], limit["old"]) == (1, None, None, False)
    assert shown["provider"]["undated"] == 1
    listed = json.loads(promptc(["providers", "--json", "--as-of", "2026-12-01"], folder).stdout)
    assert {"as_of", "older_than", "providers", "format"} == set(listed)
    for row in listed["providers"]:
        assert sum(row["certainty"].values()) == row["facts"]
