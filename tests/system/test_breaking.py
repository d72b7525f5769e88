"""`promptc breaking` and `promptc accept` on the history of a real repository."""

import json
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from promptc.cli import exits
from support.releases import SPEC, Repository, repository

STATIC = SPEC.replace("Be brief.", "Be very brief.")
SESSION = STATIC.replace("The folder is", "You work in")
# Blank lines and indentation of the spec, none of which is a byte of the prompt.
SPACES = (
    SESSION.replace("\n\nprompt", "\n\n\nprompt")
    .replace("        You are", "          You are")
    .replace('        """\n      section tone', '          """\n      section tone')
)


@pytest.fixture
def repo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Repository:
    """Four tags: `v1`, a static edit in `v2`, a session-only edit in `v3`, whitespace of the spec in `v4`."""
    found = repository(tmp_path, monkeypatch, capsys)
    for tag, text in (("v2", STATIC), ("v3", SESSION), ("v4", SPACES)):
        found.write(text)
        found.release(tag)
    return found


def codes(said: str) -> list[str]:
    return [d["code"] for d in json.loads(said)["diagnostics"]]


def against(repo: Repository, tag: str, *more: str) -> tuple[int, list[str]]:
    said = repo.run("breaking", "--against", f"../.git#tag={tag}", "--format", "json", *more)
    return said.code, codes(said.out)


def at(repo: Repository, text: str) -> None:
    repo.write(text)


def test_a_static_edit_breaks_the_global_prefix_and_names_byte_section_and_line(repo: Repository) -> None:
    at(repo, STATIC)
    said = repo.run("breaking", "--against", "../.git#tag=v1")
    assert said.code == exits.FINDINGS
    # "You are a careful assistant." is 28 bytes, the seam 2, "Be " 3.
    assert "error[PC810]" in said.out and "parts at byte 33: section `tone` is edited in line 1 of its text" in said.out
    assert "agent.promptc:16:15" in said.out and "GLOBAL_PREFIX_CHANGED (global)" in said.out
    assert 'text was added: "very "' in said.out
    # "You are a careful assistant.", the seam, "Be very brief."
    assert f"({28 + 2 + 14} bytes; " in said.out and "tokens" in said.out
    assert "with it goes the `session` prefix" in said.out
    assert against(repo, "v1") == (exits.FINDINGS, ["PC810"])


def test_a_session_only_edit_breaks_the_session_prefix_and_no_other(repo: Repository) -> None:
    at(repo, SESSION)
    assert against(repo, "v2") == (exits.FINDINGS, ["PC812"])
    assert against(repo, "v2", "--fail-on", "session")[0] == exits.FINDINGS
    assert against(repo, "v2", "--fail-on", "org") == (exits.CLEAN, ["PC812"])
    assert against(repo, "v2", "--fail-on", "global")[0] == exits.CLEAN


def test_whitespace_of_the_spec_that_is_no_byte_of_the_prompt_breaks_nothing(repo: Repository) -> None:
    assert SPACES != SESSION
    assert against(repo, "v3", "--fail-on", "metadata") == (exits.CLEAN, [])


def test_whitespace_that_is_a_byte_of_the_prompt_breaks_it_and_is_called_so(repo: Repository) -> None:
    at(repo, SESSION.replace("Be very brief.", "Be  very brief."))
    said = repo.run("breaking", "--against", "../.git#tag=v3")
    assert said.code == exits.FINDINGS and "PC810" in said.out and "whitespace" in said.out


def test_against_the_first_release_both_edits_are_one_break_at_the_first_of_them(repo: Repository) -> None:
    code, found = against(repo, "v1")
    assert (code, found) == (exits.FINDINGS, ["PC810"])


@pytest.mark.parametrize("ref", ["branch=main", "ref=HEAD", "ref=HEAD~1", "tag=v4"])
def test_every_way_to_name_a_commit_reads_its_tree_and_not_the_working_tree(repo: Repository, ref: str) -> None:
    at(repo, STATIC.replace("careful", "careless"))
    said = repo.run("breaking", "--against", f"../.git#{ref}", "--format", "json")
    assert (said.code, codes(said.out)) == (exits.FINDINGS, ["PC810"])
    commit = repo.git("rev-parse", "HEAD")
    assert repo.run("breaking", "--against", f"../.git#commit={commit}").code == exits.FINDINGS


def test_a_body_file_is_read_from_the_tree_also_where_it_has_gone_from_disk(repo: Repository) -> None:
    with_file = SPEC.replace(
        'section tone @static """\n        Be brief.\n        """', 'section tone @static from "tone.md"'
    )
    assert with_file != SPEC
    repo.write(with_file)
    repo.write("Be brief.\n", "tone.md")
    repo.release("v5")
    (repo.project / "tone.md").unlink()
    at(repo, SPEC)
    assert against(repo, "v5") == (exits.CLEAN, [])


def test_a_link_inside_the_tree_is_followed_and_one_that_leaves_it_is_not(repo: Repository) -> None:
    repo.write(
        SPEC.replace('section tone @static """\n        Be brief.\n        """', 'section tone @static from "tone.md"')
    )
    repo.write("Be brief.\n", "texts/brief.md")
    (repo.project / "tone.md").symlink_to("texts/brief.md")
    repo.release("v5")
    (repo.project / "tone.md").unlink()
    (repo.project / "tone.md").symlink_to("../../outside.md")
    repo.release("v6")
    at(repo, SPEC)
    assert against(repo, "v5") == (exits.CLEAN, [])
    assert against(repo, "v6") == (exits.USAGE, ["PC833"])


def test_two_specs_with_a_prompt_of_one_name_are_both_compared(repo: Repository) -> None:
    repo.write(SPEC, "other.promptc")
    repo.release("v5")
    repo.write(STATIC, "agent.promptc")
    repo.write(SESSION, "other.promptc")
    code, found = against(repo, "v5")
    assert (code, found) == (exits.FINDINGS, ["PC812", "PC810"])


def test_the_project_was_in_another_folder(repo: Repository) -> None:
    repo.git("mv", "project", "prompts")
    repo.release("v5")
    repo.git("mv", "prompts", "project")
    assert against(repo, "v5")[0] == exits.USAGE
    assert against(repo, "v5,subdir=prompts") == (exits.CLEAN, [])


def test_a_folder_of_specs_and_a_folder_of_manifests_are_baselines(repo: Repository, tmp_path: Path) -> None:
    at(repo, SPEC)
    assert repo.run("build", "--out", str(tmp_path / "built")).code == exits.CLEAN
    (tmp_path / "old").mkdir()
    (tmp_path / "old" / "agent.promptc").write_text(SPEC, encoding="utf-8")
    at(repo, STATIC)
    for place in ("../built", "../old", "../built/agent.manifest.json", "../old/agent.promptc"):
        said = repo.run("breaking", "--against", place, "--format", "json")
        assert (said.code, codes(said.out)) == (exits.FINDINGS, ["PC810"]), place


@pytest.mark.parametrize(
    ("named", "code"),
    [
        ("../.git#tag=v9", "PC830"),
        ("../.git#branch=v1", "PC830"),
        ("../.git#tag=v1,subdir=elsewhere", "PC830"),
        ("../nowhere", "PC830"),
        ("../nowhere/.git#tag=v1", "PC830"),
        ("../.git#tga=v1", "PC831"),
        ("../.git#tag=--help", "PC831"),
        ("../.git#tag=v1,subdir=../..", "PC831"),
    ],
)
def test_a_baseline_that_is_not_there_fails_with_exit_code_2(repo: Repository, named: str, code: str) -> None:
    said = repo.run("breaking", "--against", named, "--format", "json")
    assert (said.code, codes(said.out)) == (exits.USAGE, [code])


def test_a_baseline_without_prompts_and_one_with_other_prompts_only_fail(repo: Repository) -> None:
    (repo.project / "agent.promptc").unlink()
    repo.release("empty")
    at(repo, SPEC)
    assert against(repo, "empty") == (exits.USAGE, ["PC832"])
    at(repo, SPEC.replace("prompt agent", "prompt one") + SPEC[SPEC.index("prompt agent") :].replace("agent", "two", 1))
    assert against(repo, "v1") == (exits.USAGE, ["PC832"])


def test_a_baseline_that_does_not_compile_fails(repo: Repository) -> None:
    at(repo, SPEC.replace("@static", "@unheard"))
    repo.release("broken")
    at(repo, SPEC)
    assert against(repo, "broken") == (exits.USAGE, ["PC833"])


def test_specs_that_do_not_compile_now_are_no_break_and_no_pass(repo: Repository) -> None:
    at(repo, SPEC.replace("@static", "@unheard"))
    assert against(repo, "v1")[0] == exits.USAGE


def test_nothing_named_to_compare_with_is_a_fault_of_usage(repo: Repository) -> None:
    assert repo.run("breaking").code == exits.USAGE
    assert repo.run("breaking", "--against", "../.git#tag=v1", "--fail-on", "everything").code == exits.USAGE


def test_an_accepted_break_is_silent_for_exactly_that_step(repo: Repository) -> None:
    at(repo, STATIC)
    said = repo.run(
        "accept",
        "--against",
        "../.git#tag=v1",
        "--prompt",
        "agent",
        "--scope",
        "global",
        "--reason",
        "Short is better.",
    )
    assert said.code == exits.CLEAN, said.err
    lock = (repo.project / "gen" / "promptc.lock").read_text(encoding="utf-8")
    assert 'scope = "global"' in lock and "Short is better." in lock
    assert against(repo, "v1", "--fail-on", "metadata") == (exits.CLEAN, [])
    assert "1 accepted" in repo.run("breaking", "--against", "../.git#tag=v1").err
    # A build keeps the record.
    assert repo.run("build").code == exits.CLEAN
    assert against(repo, "v1") == (exits.CLEAN, [])
    # The next edit is another step, and the record is stale.
    at(repo, STATIC.replace("very brief", "very, very brief"))
    assert against(repo, "v1") == (exits.FINDINGS, ["PC835", "PC810"])
    # From another baseline the record starts nowhere, so there is nothing to say about it.
    assert against(repo, "v2") == (exits.FINDINGS, ["PC810"])


@pytest.mark.parametrize(
    "arguments",
    [
        ("--prompt", "agent", "--reason", "x"),
        ("--against", "../.git#tag=v1", "--prompt", "agent"),
        ("--against", "../.git#tag=v1", "--prompt", "agent", "--reason", "  "),
        ("--against", "../.git#tag=v1", "--prompt", "other", "--reason", "x"),
        ("--against", "../.git#tag=v1", "--prompt", "agent", "--scope", "session", "--reason", "x"),
        ("--against", "../.git#tag=v4", "--prompt", "agent", "--reason", "x"),
    ],
)
def test_accept_records_nothing_without_a_break_or_a_reason(repo: Repository, arguments: tuple[str, ...]) -> None:
    assert repo.run("accept", *arguments).code == exits.USAGE
    assert not (repo.project / "gen").exists()


def test_an_ignore_hides_its_finding_and_warns_where_it_matches_nothing(repo: Repository) -> None:
    repo.write(
        '[breaking]\nignore = [{rule = "GLOBAL_PREFIX_CHANGED", prompt = "agent", section = "tone", reason = "generated"}]\n',
        "promptc.toml",
    )
    at(repo, STATIC)
    assert against(repo, "v1", "--fail-on", "metadata") == (exits.CLEAN, [])
    at(repo, SPEC.replace("careful", "careless"))
    assert against(repo, "v1") == (exits.FINDINGS, ["PC834", "PC810"])


def test_an_ignore_needs_a_reason_and_a_rule_that_exists(repo: Repository) -> None:
    repo.write('[breaking]\nignore = [{rule = "TAIL_CHANGED"}]\n', "promptc.toml")
    assert against(repo, "v1") == (exits.USAGE, ["PC011"])
    repo.write('[breaking]\nignore = [{rule = "TAIL_CHANGE", reason = "x"}]\n', "promptc.toml")
    assert against(repo, "v1") == (exits.USAGE, ["PC836"])


def test_the_configuration_says_what_fails(repo: Repository) -> None:
    at(repo, SESSION)
    repo.write('[breaking]\nfail_on = "global"\n', "promptc.toml")
    assert against(repo, "v2")[0] == exits.CLEAN
    assert against(repo, "v2", "--fail-on", "session")[0] == exits.FINDINGS


def test_every_format_of_findings_carries_the_break(repo: Repository) -> None:
    at(repo, STATIC)

    def shown(format: str) -> str:
        said = repo.run("breaking", "--against", "../.git#tag=v1", "--format", format)
        assert said.code == exits.FINDINGS
        return said.out

    assert shown("concise").count("PC810") == 1
    assert shown("github").startswith("::error file=project/agent.promptc,line=16")
    result = json.loads(shown("sarif"))["runs"][0]["results"][0]
    assert (result["ruleId"], result["level"]) == ("PC810", "error")
    assert ET.fromstring(shown("junit")).attrib["failures"] == "1"


def test_the_comment_has_verdict_table_details_and_command(repo: Repository) -> None:
    at(repo, STATIC)
    lines = repo.run("breaking", "--against", "../.git#tag=v1", "--format", "markdown").out.splitlines()
    assert lines[0] == "<!-- promptc breaking -->"
    assert "1 break at or above session" in lines[1]
    rows = [line for line in lines if line.startswith("| agent ")]
    assert [row.split("|")[1].strip() for row in rows] == ["agent global", "agent session"]
    assert all(row.endswith("| **break** |") for row in rows)
    assert sum("<details>" in line for line in lines) == sum("</details>" in line for line in lines) == 1
    assert "promptc breaking" in lines[-1]


def test_a_session_edit_leaves_the_global_row_as_it_was(repo: Repository) -> None:
    at(repo, SESSION)
    lines = repo.run("breaking", "--against", "../.git#tag=v2", "--format", "markdown").out.splitlines()
    rows = {line.split("|")[1].strip(): line.split("|")[2:6] for line in lines if line.startswith("| agent ")}
    before, after, tokens, verdict = (cell.strip() for cell in rows["agent global"])
    assert before == after and (tokens, verdict) == ("0", "same")
    before, after, tokens, verdict = (cell.strip() for cell in rows["agent session"])
    assert before != after and int(tokens) > 0 and verdict == "**break**"


def test_hostile_text_is_text_in_the_comment(repo: Repository) -> None:
    hostile = "</details><script>alert(1)</script> @team | [x](http://e.example) ![i](http://e.example) `c` \u202e"
    at(repo, SPEC.replace("Be brief.", hostile))
    out = repo.run("breaking", "--against", "../.git#tag=v1", "--format", "markdown").out
    assert out.count("</details>") == 1 and "<script" not in out and "@team" not in out
    assert "](" not in out and "\u202e" not in out and "http://" not in out


def test_the_rules_are_listed(repo: Repository) -> None:
    said = repo.run("breaking", "--rules")
    assert said.code == exits.CLEAN
    assert "GLOBAL_PREFIX_CHANGED" in said.out and "PC825" in said.out
