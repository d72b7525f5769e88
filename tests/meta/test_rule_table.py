"""Every rule in the table of docs/PROVIDERS.md has a code, and every code a page, a place that raises it and a test."""

import re
from pathlib import Path

from promptc.diagnostics.registry import ALL_CODES, find_code
from support.code_pages import examples, pages

_CHECKOUT = Path(__file__).resolve().parents[2]
_PAGE = (_CHECKOUT / "docs" / "PROVIDERS.md").read_text(encoding="utf-8")
_ROW = re.compile(r"^\| (\d+)\. ([^|]+) \| ([^|]*) \| ([^|]*)\|$", re.MULTILINE)
_CODE = re.compile(r"\[(PC\d{3})\]\(codes/(PC\d{3})\.md\)")


def _rows() -> dict[int, tuple[list[str], list[str]]]:
    out = {}
    for number, _, requests, specs in _ROW.findall(_PAGE):
        cells = [[code for code, page in _CODE.findall(cell) if code == page] for cell in (requests, specs)]
        out[int(number)] = (cells[0], cells[1])
    return out


def test_all_fifty_rules_are_listed_once_and_each_has_a_code() -> None:
    assert [int(number) for number, *_ in _ROW.findall(_PAGE)] == list(range(1, 51))
    assert [number for number, (requests, _) in _rows().items() if not requests] == []


def test_every_code_of_the_table_is_registered_and_has_a_page() -> None:
    codes = {code for cells in _rows().values() for cell in cells for code in cell}
    assert [code for code in sorted(codes) if find_code(code) is None] == []
    assert codes <= {path.stem for path in pages()}


def test_every_code_on_requests_is_shown_on_one_and_every_code_on_specs_on_one() -> None:
    shown: dict[str, set[str]] = {}
    for path in pages():
        for example in examples(path):
            if example.code is not None:
                shown.setdefault(example.code, set()).add("request" if example.language == "json" else "spec")
    # Shown on a request by its page, and held to specs by tests of the planner and of the command.
    also_on_specs = {"PC601", "PC615", "PC616", "PC652", "PC696"}
    # Shown as text: a file with other line ends is not one that a page can hold.
    as_text = {"PC006"}
    for requests, specs in _rows().values():
        assert [c for c in requests if "request" not in shown.get(c, set())] == []
        assert [c for c in specs if "spec" not in shown.get(c, set()) and c not in also_on_specs | as_text] == []


def test_every_code_on_requests_is_on_the_page() -> None:
    own = [entry.code for entry in ALL_CODES if "PC600" <= entry.code <= "PC679" or "PC690" <= entry.code <= "PC699"]
    # PC665 and PC666 are named by the range around them; PC679 is about files that hold no request.
    named = set(re.findall(r"PC\d{3}", _PAGE)) | {"PC665", "PC666", "PC679"}
    assert [code for code in own if code not in named] == []
