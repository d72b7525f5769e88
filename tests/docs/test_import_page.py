"""The page about `promptc import`: its example is what the command gives."""

import re

from promptc.importing.detect import TITLES
from support.checkout import ROOT
from support.imports import imported, report

_PAGE = ROOT / "docs" / "how-to" / "import.md"


def _fence(language: str) -> str:
    (found,) = re.findall(rf"```{language}\n(.*?)```", _PAGE.read_text(encoding="utf-8"), re.DOTALL)
    return str(found)


def test_the_spec_on_the_page_is_what_its_file_gives() -> None:
    given = imported("desk.prompty", _fence("prompty"))
    assert given.spec is not None and given.spec.dsl == _fence("promptc")


def test_the_report_on_the_page_is_the_one_of_its_file() -> None:
    assert report(imported("desk.prompty", _fence("prompty"))).strip() == _fence("text").strip()


def test_every_format_has_its_row() -> None:
    rows = re.findall(r"^\| ([^|]+?) \|", _PAGE.read_text(encoding="utf-8").split("## By format")[1], re.MULTILINE)
    assert len(rows) == len(TITLES) + 1
