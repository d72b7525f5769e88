"""Bad input: a clear finding, the documented exit code, no traceback, nothing written."""

import os
from pathlib import Path

import pytest

from support.checkout import Finished, promptc

GOOD = """language 1
scope global holds static
prompt p {
  target anthropic
  system { cache global { section a @static "Be brief." } }
}
"""


def with_body(path: str) -> str:
    """The good module with a body file; `path` is quoted."""
    return GOOD.replace('"Be brief."', f"from {path}")


def check(folder: Path, content: bytes | str, name: str = "spec.promptc") -> Finished:
    """Check one file in a project of its own."""
    (folder / "promptc.toml").touch()
    data = content if isinstance(content, bytes) else content.encode()
    (folder / name).write_bytes(data)
    return promptc(["check", name], folder)


def judged(done: Finished, exit_code: int, code: str) -> None:
    """Assert what every fault has in common."""
    shown = done.stdout.decode() + done.stderr
    assert done.code == exit_code, shown
    assert f"[{code}]" in shown
    assert "Traceback" not in shown
    assert "\x1b" not in shown


def include_bomb() -> str:
    """Sections that include the next one twice each."""
    lines = [f"section s{i} @static \"{{% include 's{i + 1}' %}}{{% include 's{i + 1}' %}}\"" for i in range(60)]
    return "\n".join(["language 1", *lines, 'section s60 @static "boom"', GOOD.split("\n", 1)[1]])


def loop_bomb() -> str:
    """Twenty loops in each other."""
    opening, closing = "{% for a in [1, 2, 3, 4, 5, 6, 7, 8, 9] %}" * 20, "{% endfor %}" * 20
    return GOOD.replace("Be brief.", f"{opening}x{closing}")


def deep_conditions() -> str:
    """Ninety conditions in each other."""
    body = GOOD.replace("Be brief.", "{% if f %}" * 90 + "x" + "{% endif %}" * 90)
    return body.replace("prompt p", "input f : bool @static\nprompt p")


def heavy_sample() -> str:
    """Four loops over a list that a sample makes long."""
    loops = "".join(f"{{% for {v} in xs %}}" for v in "abcd") + "x" + "{% endfor %}" * 4
    items = ", ".join(["1"] * 2_000)
    body = GOOD.replace("Be brief.", loops).replace("prompt p", "input xs : list[int] @static\nprompt p")
    return f"{body}sample s for p {{ xs = [{items}] }}\n"


@pytest.mark.parametrize(
    ("content", "exit_code", "code"),
    [
        pytest.param("", 1, "PC013", id="empty file"),
        pytest.param(bytes(range(256)) * 40, 1, "PC002", id="binary file"),
        pytest.param(b"language 1\xff\xfe", 1, "PC002", id="invalid UTF-8"),
        pytest.param("language 1\x00", 1, "PC002", id="NUL character"),
        pytest.param("# x\n" * 5_300_000, 1, "PC004", id="20 MB file"),
        pytest.param("prompt p {" * 10_000, 1, "PC102", id="10,000 nested braces"),
        pytest.param("gate a = " + "(" * 10_000 + "1", 1, "PC102", id="10,000 nested parentheses"),
        pytest.param(include_bomb(), 1, "PC323", id="includes that multiply"),
        pytest.param(loop_bomb(), 1, "PC322", id="loops in loops"),
        pytest.param(deep_conditions(), 1, "PC322", id="conditions in conditions"),
        pytest.param('use "./spec.promptc"\n', 1, "PC208", id="import cycle"),
        pytest.param(with_body('"missing.md"'), 1, "PC001", id="missing body"),
        pytest.param(with_body('"../x.md"'), 1, "PC003", id="body above the project"),
        pytest.param(with_body('"/etc/hostname"'), 1, "PC003", id="absolute body"),
        pytest.param(with_body('"."'), 1, "PC005", id="folder as body"),
    ],
)
def test_a_bad_source_is_one_clear_finding(tmp_path: Path, content: bytes | str, exit_code: int, code: str) -> None:
    judged(check(tmp_path, content), exit_code, code)


def test_a_link_out_of_the_project_is_not_followed(tmp_path: Path) -> None:
    outside = tmp_path / "secret.md"
    outside.write_text("secret words", encoding="utf-8")
    project = tmp_path / "project"
    project.mkdir()
    (project / "link.md").symlink_to(outside)

    done = check(project, with_body('"link.md"'))

    judged(done, 1, "PC003")
    assert b"secret words" not in done.stdout


def test_a_loop_of_links_is_named(tmp_path: Path) -> None:
    (tmp_path / "loop.md").symlink_to("loop.md")

    judged(check(tmp_path, with_body('"loop.md"')), 1, "PC005")


def test_escape_sequences_reach_no_terminal(tmp_path: Path) -> None:
    done = check(tmp_path, GOOD.replace("Be brief.", "{{ \x1b[31mred }} \x1b]0;owned\x07 {% endif %}"))

    assert done.code == 1
    assert b"\x1b" not in done.stdout
    assert "\x1b" not in done.stderr
    assert b"\x07" not in done.stdout


def test_a_sample_that_would_render_for_hours_is_refused(tmp_path: Path) -> None:
    (tmp_path / "promptc.toml").touch()
    (tmp_path / "spec.promptc").write_text(heavy_sample(), encoding="utf-8")

    done = promptc(["build", "spec.promptc"], tmp_path)

    judged(done, 1, "PC324")
    assert not (tmp_path / "gen").exists()


@pytest.mark.parametrize(
    "arguments",
    [
        ["chek"],
        ["check", "nowhere.promptc"],
        ["check", "--format", "morse"],
        ["render", "--inputs", "none.json"],
        ["diff", "a"],
    ],
)
def test_wrong_usage_ends_with_two(tmp_path: Path, arguments: list[str]) -> None:
    (tmp_path / "promptc.toml").touch()
    done = promptc(arguments, tmp_path)

    assert done.code == 2
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("content", [b"", b"{", b"[1, 2]", b"\xff\xfe", b"[" * 100_000, b'{"messages": 7}'])
def test_a_bad_request_body_is_reported(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "request.json").write_bytes(content)

    done = promptc(["check", "request.json", "--target", "anthropic"], tmp_path)

    assert done.code in (1, 2)
    assert "Traceback" not in done.stderr
    assert "PC901" not in done.stderr


def test_a_failed_build_changes_nothing(tmp_path: Path) -> None:
    (tmp_path / "promptc.toml").touch()
    (tmp_path / "spec.promptc").write_text(GOOD, encoding="utf-8")
    assert promptc(["build"], tmp_path).code == 0
    before = {p.name: p.read_bytes() for p in (tmp_path / "gen").iterdir()}
    (tmp_path / "spec.promptc").write_text(GOOD.replace("@static", "@never"), encoding="utf-8")

    done = promptc(["build"], tmp_path)

    judged(done, 1, "PC204")
    assert before == {p.name: p.read_bytes() for p in (tmp_path / "gen").iterdir()}


def test_an_output_place_that_cannot_be_written_is_named_and_nothing_is_left(tmp_path: Path) -> None:
    (tmp_path / "promptc.toml").touch()
    (tmp_path / "spec.promptc").write_text(GOOD, encoding="utf-8")
    blocked = tmp_path / "gen"
    blocked.write_text("a file where the folder should be", encoding="utf-8")

    done = promptc(["build"], tmp_path)

    judged(done, 2, "PC008")
    assert blocked.read_text(encoding="utf-8") == "a file where the folder should be"


@pytest.mark.skipif(os.geteuid() == 0, reason="the administrator may write everywhere")
def test_a_read_only_folder_is_named(tmp_path: Path) -> None:
    (tmp_path / "promptc.toml").touch()
    (tmp_path / "spec.promptc").write_text(GOOD, encoding="utf-8")
    out = tmp_path / "gen"
    out.mkdir(mode=0o555)

    done = promptc(["build"], tmp_path)

    judged(done, 2, "PC008")
    assert list(out.iterdir()) == []
