"""The hazards: each spec reports exactly the code of the table, and its repaired twin is clean."""

import re

import pytest

from support.specs import SPECS, codes, compile_spec, spec_text

FOLDER = SPECS / "hazards"
NAMES = sorted(path.stem for path in FOLDER.glob("*.promptc"))
ROWS = re.findall(r"^\| (\d+) .*\| `(\w+)` \| (PC\d{3})\b.*\|$", spec_text("hazards/README.md"), re.MULTILINE)
TABLE = {name: code for _, name, code in ROWS}


def test_the_table_has_every_spec_and_every_hazard() -> None:
    assert sorted(TABLE) == NAMES
    assert sorted(path.stem for path in (FOLDER / "repaired").glob("*.promptc")) == NAMES
    assert {int(number) for number, _, _ in ROWS} == set(range(1, 11))
    assert all(int(number) == int(name[:2]) for number, name, _ in ROWS)


@pytest.mark.parametrize("name", NAMES)
def test_a_hazard_reports_its_code_and_nothing_else(name: str) -> None:
    text = spec_text(f"hazards/{name}.promptc")
    assert re.findall(r"^# reports: (PC\d{3})$", text, re.MULTILINE) == [TABLE[name]]
    assert set(codes(compile_spec(f"hazards/{name}.promptc"))) == {TABLE[name]}


@pytest.mark.parametrize("name", NAMES)
def test_the_first_finding_says_what_to_do(name: str) -> None:
    first = compile_spec(f"hazards/{name}.promptc").diagnostics[0]
    assert first.primary is not None
    assert first.help


@pytest.mark.parametrize("name", NAMES)
def test_only_guesses_let_a_build_pass(name: str) -> None:
    """A text that looks like a date is a warning; a declared fact that contradicts another is an error."""
    assert compile_spec(f"hazards/{name}.promptc").failed == (TABLE[name] != "PC331")


@pytest.mark.parametrize("name", NAMES)
def test_the_repaired_spec_is_clean(name: str) -> None:
    found = compile_spec(f"hazards/repaired/{name}.promptc")
    assert [(d.code, d.message) for d in found.diagnostics] == []
    assert list(found.programs) == ["helper"]
