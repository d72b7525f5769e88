"""Every Python example of these pages runs, and what it asserts holds."""

import re
from pathlib import Path

import pytest

DOCS = Path(__file__).resolve().parents[2] / "docs"
PAGES = ("transcript.md", "context.md", "host.md", "wires.md")
_FENCE = re.compile(r"^```python\n(.*?)^```", re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("page", PAGES)
def test_examples_run(page: str) -> None:
    """The fences of a page are one program."""
    fences = _FENCE.findall((DOCS / page).read_text(encoding="utf-8"))
    assert fences
    program = "\n".join(fences)
    assert "assert " in program
    exec(compile(program, page, "exec"), {})
