"""Tables in documentation that a test makes: between two comments, rewritten by `--update`, else held to."""

from collections.abc import Sequence
from pathlib import Path

_UNSAFE = str.maketrans({"|": "\\|", "\n": " "})


def table(head: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    """A Markdown table; numbers have thousands separated and stand on the right."""
    right = [bool(rows) and all(isinstance(row[i], int) for row in rows) for i in range(len(head))]
    lines = [_row(head), "|" + "|".join("---:" if r else "---" for r in right) + "|"]
    return "\n".join([*lines, *(_row([f"{c:,}" if isinstance(c, int) else str(c) for c in row]) for row in rows)])


def _row(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cell.translate(_UNSAFE) for cell in cells) + " |"


def hold(page: Path, name: str, made: str, update: bool) -> None:
    """Compare what stands in a page under a name with what was made, or write it there.

    Args:
        page: A page with the comments `<!-- made: NAME -->` and `<!-- end: NAME -->`.
        update: Whether to write.
    """
    text = page.read_text(encoding="utf-8")
    opening, closing = f"<!-- made: {name} -->\n", f"\n<!-- end: {name} -->"
    head, _, rest = text.partition(opening)
    old, found, tail = rest.partition(closing)
    assert found, f"{page.name} has no place for {name}"
    if update:
        page.write_text(f"{head}{opening}{made}{closing}{tail}", encoding="utf-8")
        return
    assert old == made, f"{page.name} is out of date; run the test with --update"
