"""What is reported about files, each code with its cause and, where it matters, its neighbour that is fine."""

import os
import sys
from pathlib import Path

import pytest

from promptc.diagnostics.model import Diagnostic
from promptc.diagnostics.sink import Sink
from promptc.project import MAX_SOURCE_BYTES, Project, Reader, find_project, find_specs


def _read(root: Path, path: str) -> tuple[str | None, tuple[Diagnostic, ...]]:
    sink = Sink()
    project = find_project(root, sink)
    source = Reader(project).read(path, None, sink)
    return (None if source is None else source.text), sink.sorted()


def _codes(found: tuple[Diagnostic, ...]) -> list[str]:
    return [d.code for d in found]


def test_a_missing_file_is_pc001_and_a_near_name_is_offered(tmp_path: Path) -> None:
    (tmp_path / "rules.md").write_text("x")
    text, found = _read(tmp_path, "ruls.md")
    assert text is None and _codes(found) == ["PC001"]
    assert found[0].help == "did you mean `rules.md`?"


@pytest.mark.parametrize("data", [b"Gr\xfc\xdfe", b"\xff\xfea\x00", b"a\xc0\xaf", b"a\xed\xa0\x80", b"a\x00b"])
def test_bytes_that_are_no_text_are_pc002(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "a.md").write_bytes(data)
    assert _codes(_read(tmp_path, "a.md")[1]) == ["PC002"]


@pytest.mark.parametrize(
    "path", ["../a.md", "/etc/hostname", "x/../../a.md", "C:/a.md", "x\\..\\a.md", "~/a", "", "\0"]
)
def test_a_path_that_leaves_the_project_is_pc003(tmp_path: Path, path: str) -> None:
    sink = Sink()
    project = find_project(tmp_path, sink)
    assert Reader(project).resolve(path, "spec.promptc", None, sink) is None
    assert _codes(sink.sorted()) == ["PC003"]


def test_a_link_that_leaves_the_project_is_pc003_and_one_within_is_read(tmp_path: Path) -> None:
    root = tmp_path / "project"
    root.mkdir()
    (tmp_path / "secret").write_text("secret")
    (root / "here").write_text("here")
    (root / "out").symlink_to(tmp_path / "secret")
    (root / "in").symlink_to(root / "here")
    assert _codes(_read(root, "out")[1]) == ["PC003"]
    assert _read(root, "in") == ("here", ())


def test_a_file_at_the_limit_is_read_and_one_above_is_pc004(tmp_path: Path) -> None:
    with (tmp_path / "a.md").open("wb") as file:
        file.truncate(MAX_SOURCE_BYTES + 1)
    assert _codes(_read(tmp_path, "a.md")[1]) == ["PC004"]
    (tmp_path / "b.md").write_bytes(b"x" * MAX_SOURCE_BYTES)
    text, found = _read(tmp_path, "b.md")
    assert found == () and text is not None and len(text) == MAX_SOURCE_BYTES


def test_a_folder_and_a_loop_of_links_are_pc005(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    assert _codes(_read(tmp_path, "folder")[1]) == ["PC005"]
    assert _codes(_read(tmp_path, "loop")[1]) == ["PC005"]


@pytest.mark.skipif(sys.platform == "win32", reason="there are no named pipes in folders")
def test_a_pipe_is_pc005_and_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    assert _codes(_read(tmp_path, "pipe")[1]) == ["PC005"]


@pytest.mark.parametrize("data", [b"\xef\xbb\xbfa\nb", b"a\r\nb", b"\xef\xbb\xbfa\r\nb"])
def test_a_mark_and_crlf_are_read_without_and_are_pc006(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "a.md").write_bytes(data)
    text, found = _read(tmp_path, "a.md")
    assert text == "a\nb" and _codes(found) == ["PC006"]


def test_a_folder_without_specs_is_pc007(tmp_path: Path) -> None:
    (tmp_path / "readme.md").write_text("x")
    sink = Sink()
    project = find_project(tmp_path, sink)
    assert find_specs(project, [tmp_path], sink) == ()
    assert _codes(sink.sorted()) == ["PC007"]


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="the superuser may read everything")
def test_a_file_without_permission_is_pc010(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("x")
    (tmp_path / "a.md").chmod(0)
    assert _codes(_read(tmp_path, "a.md")[1]) == ["PC010"]


def test_a_read_that_the_system_refuses_is_pc010(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.md").write_text("x")

    def refuse(self: Path) -> bytes:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "read_bytes", refuse)
    sink = Sink()
    assert Reader(Project(tmp_path.resolve(), find_project(tmp_path, sink).config)).read("a.md", None, sink) is None
    assert [(d.code, d.message) for d in sink.sorted()] == [("PC010", "`a.md` cannot be read: permission denied")]


@pytest.mark.parametrize(
    ("toml", "part"),
    [
        ('spec = ["prompts"]', "unknown key `spec`"),
        ("specs = 1", "`specs`"),
        ("specs = [", "is not TOML"),
        ("standalone = 'maybe'", "`standalone`"),
    ],
)
def test_a_faulty_configuration_is_pc011(tmp_path: Path, toml: str, part: str) -> None:
    (tmp_path / "promptc.toml").write_text(toml)
    sink = Sink()
    find_project(tmp_path, sink)
    assert _codes(sink.sorted()) == ["PC011"] and part in sink.sorted()[0].message
