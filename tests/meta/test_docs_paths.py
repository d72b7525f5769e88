"""Every path that a Markdown file of the repository names exists."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from support.code_pages import prose

_CHECKOUT = Path(__file__).resolve().parents[2]
_SKIPPED = frozenset(
    {".git", ".venv", "venv", "node_modules", "dist", "build", ".pytest_cache", ".mypy_cache", ".ruff_cache"}
)
# What CONTRIBUTING.md adds as a worked example.
_INVENTED = frozenset({"docs/codes/PC227.md", "tests/conformance/reject/section-called-all.promptc"})
_LINK = re.compile(r"\]\(([^()\s]+)\)")
_QUOTED = re.compile(r"`([^`\s]+)`")


def _markdown() -> Iterator[Path]:
    for path in sorted(_CHECKOUT.rglob("*.md")):
        # Golden files are output, and what lies under specs/ as text is prompt.
        parts = path.relative_to(_CHECKOUT).parts
        if not _SKIPPED.intersection(parts) and "golden" not in parts and not (parts[0] == "specs" and "text" in parts):
            yield path


def _named(path: Path) -> Iterator[tuple[int, str, Path]]:
    """Line, path as written, and what it is relative to."""
    top = {p.name for p in _CHECKOUT.iterdir() if p.is_dir()}
    for number, line in prose(path.read_text(encoding="utf-8")):
        for link in _LINK.findall(line):
            target = link.partition("#")[0]
            if target and "://" not in target and not target.startswith("mailto:"):
                yield number, target, path.parent
        for quoted in _QUOTED.findall(line):
            first, slash, _ = quoted.partition("/")
            # A path of the repository begins with one of its folders; `<name>` and `{a,b}` stand for several.
            if slash and first in top and not set(quoted) & set("<>{}$:"):
                yield number, quoted, _CHECKOUT


@pytest.mark.parametrize("path", list(_markdown()), ids=lambda p: p.relative_to(_CHECKOUT).as_posix())
def test_every_path_named_in_a_text_exists(path: Path) -> None:
    missing = [
        f"{number}: {named}"
        for number, named, base in _named(path)
        if named not in _INVENTED and not (any(base.glob(named)) if "*" in named else (base / named).exists())
    ]
    assert missing == []
