"""The same sources give the same bytes on any machine: two child processes that share nothing but the sources."""

import shutil
from pathlib import Path

import pytest

from support.checkout import ROOT, promptc

WORLDS = (
    ("first", {"PYTHONHASHSEED": "0", "TZ": "Pacific/Kiritimati", "LC_ALL": "C"}),
    ("a/much/deeper/second place", {"PYTHONHASHSEED": "4242", "TZ": "America/Adak", "LC_ALL": "C.UTF-8"}),
)


def built(place: Path, environment: dict[str, str], cwd: Path) -> dict[str, bytes]:
    """Build all shipped specs at a place and return every artefact."""
    place.mkdir(parents=True)
    names = sorted(p.name for p in (ROOT / "specs").iterdir() if p.is_dir() and p.name != "hazards")
    # Copying in another order gives the folders another order on disk.
    for name in names if environment["PYTHONHASHSEED"] == "0" else reversed(names):
        shutil.copytree(ROOT / "specs" / name, place / "specs" / name)
    (place / "promptc.toml").write_text('specs = ["specs"]\nout = "gen"\n', encoding="utf-8")
    done = promptc(["build", str(place / "specs")], cwd, environment)
    assert done.code == 0, done.stderr
    return {p.relative_to(place / "gen").as_posix(): p.read_bytes() for p in (place / "gen").rglob("*") if p.is_file()}


@pytest.mark.slow
def test_two_builds_in_different_worlds_give_identical_bytes(tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (first_name, first_world), (second_name, second_world) = WORLDS

    first = built(tmp_path / first_name, first_world, tmp_path)
    second = built(tmp_path / second_name, second_world, elsewhere)

    assert len(first) >= 9
    assert sorted(first) == sorted(second)
    for name, data in first.items():
        assert data == second[name], name


@pytest.mark.slow
def test_no_artefact_names_the_place_it_was_built_in(tmp_path: Path) -> None:
    artefacts = built(tmp_path / "some-unmistakable-folder", dict(WORLDS[0][1]), tmp_path)

    for name, data in artefacts.items():
        assert b"unmistakable" not in data, name
        assert str(tmp_path).encode() not in data, name


@pytest.mark.slow
def test_build_check_passes_after_a_build_and_fails_after_an_edit(tmp_path: Path) -> None:
    built(tmp_path / "p", dict(WORLDS[0][1]), tmp_path)

    assert promptc(["build", "--check", "specs"], tmp_path / "p").code == 0

    target = next((tmp_path / "p" / "gen").glob("*.py"))
    target.write_bytes(target.read_bytes() + b"\n")
    stale = promptc(["build", "--check", "specs"], tmp_path / "p")
    assert stale.code == 1
    assert f"out of date: {target.name}" in stale.stderr
