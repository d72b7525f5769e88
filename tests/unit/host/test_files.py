"""File state, changed files, memory files and stored results (A-07, E, G-02, J)."""

import os
from pathlib import Path

import pytest

from promptc.host.changed_files import Changed, changed_files
from promptc.host.file_state import FileState
from promptc.host.memory_files import folders_on_the_way, memory_files
from promptc.host.stored_results import store_results


def disk(files: dict[str, tuple[bytes, int]]) -> dict[str, object]:
    """Files in memory, as `changed_files` asks for them."""

    def read(path: str) -> tuple[bytes, int]:
        if path not in files:
            raise FileNotFoundError(path)
        return files[path]

    return {"read": read, "mtime_of": lambda path: read(path)[1]}


# -- E-01, E-02, E-04 ----------------------------------------------------------------------------


def test_a_path_has_one_form() -> None:
    """covers: E-01."""
    state = FileState()
    state.saw("/a/./b/../c", b"x", 1)
    assert state.get("/a/c") is not None
    assert len(state) == 1


def test_the_record_used_longest_ago_goes_first() -> None:
    """covers: E-01."""
    state = FileState(entries=2)
    for name in ("/a", "/b"):
        state.saw(name, b"x", 1)
    state.get("/a")
    state.saw("/c", b"x", 1)
    assert [record.path for record in state] == ["/a", "/c"]


def test_contents_are_held_to_a_number_of_bytes() -> None:
    """covers: E-01."""
    state = FileState(bytes=10, inline=100)
    state.saw("/a", b"x" * 6, 1)
    state.saw("/b", b"x" * 6, 1)
    assert [record.path for record in state] == ["/b"]


def test_a_long_content_is_kept_as_digest_and_size_unless_asked_for() -> None:
    """covers: E-01."""
    state = FileState(inline=4)
    assert state.saw("/a", b"12345", 1).content is None
    assert state.saw("/a", b"12345", 1).size == 5
    assert state.saw("/a", b"12345", 1, keep_content=True).content == b"12345"


def test_an_edit_of_what_was_not_seen_whole_or_is_not_what_was_seen_is_stale() -> None:
    """covers: E-02, E-04."""
    state = FileState()
    assert state.is_stale("/a", b"one")
    state.saw("/a", b"one", 1)
    assert not state.is_stale("/a", b"one")
    assert state.is_stale("/a", b"two")
    state.saw("/a", b"one", 1, whole=False)
    assert state.is_stale("/a", b"one")


def test_clearing_gives_what_was_there_the_newest_first() -> None:
    """covers: F-01."""
    state = FileState()
    state.saw("/a", b"x", 1)
    state.saw("/b", b"x", 1)
    assert [record.path for record in state.cleared()] == ["/b", "/a"]
    assert len(state) == 0


# -- E-03 ----------------------------------------------------------------------------------------


def test_a_change_is_told_once_with_what_changed() -> None:
    """covers: E-03."""
    state = FileState()
    state.saw("/a", b"port 3000\n", 1, source="write")
    world = disk({"/a": (b"port 4000\n", 2)})
    assert changed_files(state, **world) == (  # type: ignore[arg-type]
        Changed("/a", "--- before\n+++ now\n@@ -1 +1 @@\n-port 3000\n+port 4000"),
    )
    assert changed_files(state, **world) == ()  # type: ignore[arg-type]


def test_a_newer_time_with_the_same_content_is_no_change() -> None:
    """covers: E-03, J: mtime changed, content same."""
    state = FileState()
    state.saw("/a", b"same", 1)
    assert changed_files(state, **disk({"/a": (b"same", 2)})) == ()  # type: ignore[arg-type]
    kept = state.get("/a")
    assert kept is not None
    assert kept.mtime == 2


def test_a_file_that_was_seen_in_part_is_not_looked_at() -> None:
    """covers: E-02, E-03."""
    state = FileState()
    state.saw("/a", b"one", 1, whole=False)
    assert changed_files(state, **disk({"/a": (b"two", 2)})) == ()  # type: ignore[arg-type]


def test_beyond_the_budget_the_fact_remains() -> None:
    """covers: E-03, D-09, J: the diff budget is exceeded."""
    state = FileState()
    for name in ("/a", "/b", "/c"):
        state.saw(name, b"x\n", 1)
    world = disk(dict.fromkeys(("/a", "/b", "/c"), (b"y" * 60 + b"\n", 2)))
    changes = changed_files(state, budget=200, **world)  # type: ignore[arg-type]
    assert [(change.path, change.diff is None) for change in changes] == [("/a", False), ("/b", False), ("/c", True)]


def test_a_file_that_is_gone_is_said_once() -> None:
    """covers: E-03."""
    state = FileState()
    state.saw("/a", b"x", 1)
    assert changed_files(state, **disk({})) == (Changed("/a", None, gone=True),)  # type: ignore[arg-type]
    assert changed_files(state, **disk({})) == ()  # type: ignore[arg-type]


def test_a_real_file_is_followed(tmp_path: Path) -> None:
    """covers: E-03. Without anything in between."""
    file = tmp_path / "a.txt"
    file.write_bytes(b"one\n")
    state = FileState()
    state.saw(str(file), file.read_bytes(), file.stat().st_mtime_ns)
    file.write_bytes(b"two\n")
    os.utime(file, ns=(1, 1))
    changes = changed_files(state)
    assert [change.path for change in changes] == [str(file)]
    assert changes[0].diff is not None
    assert "+two" in changes[0].diff


# -- A-07, G-02 ----------------------------------------------------------------------------------


def test_notes_are_found_by_level_in_the_order_of_the_places(tmp_path: Path) -> None:
    """covers: A-07."""
    (tmp_path / "user.md").write_bytes(b"\xef\xbb\xbfmine\r\n")
    (tmp_path / "empty.md").write_bytes(b" \n")
    (tmp_path / "project.md").write_bytes(b"ours")
    places = [("user", "user.md"), ("project", "none.md"), ("hidden", "empty.md"), ("project", "project.md")]
    found = memory_files([(level, tmp_path / name) for level, name in places])  # type: ignore[misc]
    assert [(file.level, file.text) for file in found] == [("user", "mine\n"), ("project", "ours")]


def test_the_folders_on_the_way_to_a_file(tmp_path: Path) -> None:
    """covers: A-07. Notes of a folder count once something below it is used."""
    (tmp_path / "a" / "b").mkdir(parents=True)
    (tmp_path / "a" / "b" / "c.txt").touch()
    assert folders_on_the_way(tmp_path, tmp_path / "a" / "b" / "c.txt") == (tmp_path / "a", tmp_path / "a" / "b")
    assert folders_on_the_way(tmp_path / "a", tmp_path) == ()


def test_results_are_stored_once_and_whole(tmp_path: Path) -> None:
    """covers: G-02."""
    folder = tmp_path / "results"
    assert store_results(folder, [("t1", "é")]) == ()
    assert store_results(folder, [("t1", "other")]) == ()
    assert (folder / "t1").read_bytes() == "é".encode()
    assert [path.name for path in folder.iterdir()] == ["t1"]


@pytest.mark.parametrize("name", ["../out", "a/b", "", ".."])
def test_a_name_does_not_lead_out_of_the_folder(tmp_path: Path, name: str) -> None:
    """Ids of calls come from a provider."""
    assert store_results(tmp_path / "results", [(name, "x")]) == (name,)
    assert not (tmp_path / "out").exists()


def test_a_folder_that_cannot_be_made_is_said(tmp_path: Path) -> None:
    """covers: J. The request goes on."""
    (tmp_path / "results").touch()
    assert store_results(tmp_path / "results", [("t1", "x")]) == ("t1",)
