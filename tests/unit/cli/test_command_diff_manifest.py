"""`promptc diff` and `promptc check` on captured requests, with the manifests of the build that sent them."""

import json
from pathlib import Path
from typing import Any

import pytest

from promptc.emit.manifest_json import manifest_text
from support.checkout import promptc
from support.manifests import GOLDEN, manifest_of
from support.pages import read_page

SPEC = (GOLDEN / "agent.promptc").read_text(encoding="utf-8")


def request(cwd: str, rules: str = "- ask") -> dict[str, Any]:
    cached = {"cache_control": {"type": "ephemeral"}}
    return {
        "model": "m",
        "max_tokens": 9,
        "system": [
            {"type": "text", "text": f"You are an agent in a terminal.\n\nRules:\n{rules}"},
            {"type": "text", "text": f"Directory: {cwd}\nBranch: main\n", **cached},
        ],
        "messages": [{"role": "user", "content": "Hello"}],
    }


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "promptc.toml").write_text("", encoding="utf-8")
    (tmp_path / "a.json").write_text(json.dumps(request("/srv/one")), encoding="utf-8")
    (tmp_path / "b.json").write_text(json.dumps(request("/srv/three")), encoding="utf-8")
    built = tmp_path / "built"
    built.mkdir()
    (built / "agent.manifest.json").write_text(manifest_text(manifest_of(SPEC)), encoding="utf-8")
    return tmp_path


def run(folder: Path, *arguments: str) -> tuple[int, str, str]:
    done = promptc(list(arguments), folder)
    return done.code, done.stdout.decode(), done.stderr


def test_a_finding_names_section_and_spec_line(folder: Path) -> None:
    code, out, _ = run(folder, "diff", "a.json", "b.json", "--manifest", "built")
    assert code == 1
    line = SPEC[: SPEC.index("environment @session")].count("\n") + 1
    assert f"from  a value in section `environment`, spec.promptc:{line}:15 (by its pattern)" in out
    assert "from  a.json: prompt `agent`; 2 parts by pattern" in out
    assert "not attributed: 1 content block of the conversation" in out
    assert "do    freeze the value for the session" in out


def test_json_has_every_range(folder: Path) -> None:
    _, out, _ = run(folder, "diff", "a.json", "b.json", "--manifest", "built/agent.manifest.json", "-f", "json")
    data = json.loads(out)
    (finding,) = data["findings"]
    assert (finding["section"], finding["attributed_by"], finding["inserted"]) == ("environment", "pattern", True)
    assert finding["span"]["path"] == "spec.promptc"
    sides = data["attribution"]
    assert sides["a"]["prompt"] == sides["b"]["prompt"] == "agent"
    (block,) = [e for e in sides["b"]["elements"] if e["pointer"] == "/system/1"]
    text = request("/srv/three")["system"][1]["text"].encode()
    assert [(text[r["start"] : r["end"]].decode(), r["kind"]) for r in block["ranges"]][:2] == [
        ("Directory: ", "literal"),
        ("/srv/three", "inserted"),
    ]
    assert block["ranges"][-1]["end"] == len(text)


def test_the_page_names_the_section_and_colours_by_class(folder: Path) -> None:
    _, out, _ = run(folder, "diff", "a.json", "b.json", "--manifest", "built", "-f", "html")
    page = read_page(out)
    assert page.unclosed == []
    assert "a value in section environment, spec.promptc:" in page.text
    assert "session" in page.text


def test_without_manifests_nothing_is_said_about_sections(folder: Path) -> None:
    _, out, _ = run(folder, "diff", "a.json", "b.json", "-f", "json")
    data = json.loads(out)
    assert "attribution" not in data
    assert "attributed_by" not in data["findings"][0]


def test_manifests_of_the_project_count_when_a_text_is_exactly_theirs(folder: Path) -> None:
    (folder / "built").rename(folder / "gen")
    _, out, _ = run(folder, "diff", "a.json", "b.json")
    assert "section `environment`" not in out
    spec = SPEC.replace("You are an agent in a {{ 'terminal' if interactive else 'pipe' }}.", "You are an agent.")
    (folder / "gen" / "agent.manifest.json").write_text(manifest_text(manifest_of(spec)), encoding="utf-8")
    for name, cwd in (("a.json", "/srv/one"), ("b.json", "/srv/two")):
        body = request(cwd)
        body["system"][0]["text"] = "You are an agent."
        (folder / name).write_text(json.dumps(body), encoding="utf-8")
    _, out, _ = run(folder, "diff", "a.json", "b.json")
    assert "section `environment`" in out


def test_manifests_that_fit_nothing_are_reported(folder: Path) -> None:
    other = SPEC.replace("Directory", "Folder").replace("Rules:", "Rule:").replace("an agent in", "one in")
    (folder / "built" / "agent.manifest.json").write_text(manifest_text(manifest_of(other)), encoding="utf-8")
    code, _, said = run(folder, "diff", "a.json", "b.json", "--manifest", "built")
    assert code == 1
    assert "PC807" in said
    _, out, _ = run(folder, "check", "a.json", "--manifest", "built", "--no-sizes")
    assert "PC807" in out


def test_a_folder_without_manifests_is_an_error(folder: Path) -> None:
    (folder / "empty").mkdir()
    code, _, said = run(folder, "diff", "a.json", "b.json", "--manifest", "empty")
    assert (code, "PC808" in said) == (2, True)


def test_check_names_the_section_behind_a_finding(folder: Path) -> None:
    body = request("/srv/one")
    body["system"][1]["cache_control"]["ttl"] = "7m"
    (folder / "a.json").write_text(json.dumps(body), encoding="utf-8")
    code, out, _ = run(folder, "check", "a.json", "--manifest", "built", "--no-sizes")
    assert code == 1
    assert "`/system/1` was written by `environment` (spec.promptc:" in out


def test_specs_take_no_manifests(folder: Path) -> None:
    code, _, said = run(folder, "diff", "built", "built", "--manifest", "built")
    assert code == 2
    assert "is for captured requests" in said
