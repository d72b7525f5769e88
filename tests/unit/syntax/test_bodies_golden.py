"""Goldens of bodies: the text, the tree printed as Jinja2 with explicit markers, and every word of the findings."""

from pathlib import Path

import pytest

from support.body_cases import parsed, report
from support.jinja_twin import jinja_source

_FOLDER = Path(__file__).parents[2] / "golden" / "bodies"
_CASES = sorted(path.name for path in _FOLDER.glob("*.txt"))


def test_there_are_cases() -> None:
    assert _CASES


@pytest.mark.parametrize("name", _CASES)
def test_golden(name: str, update: bool) -> None:
    path = _FOLDER / name
    stored = path.read_bytes().decode()
    title, rest = stored.split("\n=== body\n", 1)
    text = rest.split("\n=== tree\n", 1)[0]
    body, found = parsed(text)
    now = f"{title}\n=== body\n{text}\n=== tree\n{jinja_source(body)}\n=== findings\n{report(text, found)}"
    if update:
        path.write_bytes(now.encode())
    else:
        assert now == stored
