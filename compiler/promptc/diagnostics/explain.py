"""The pages of the codes, and the table in order of numbers."""

from promptc.assets import asset_dir
from promptc.diagnostics.codes import Code
from promptc.diagnostics.registry import ALL_CODES, find_code


def page(code_or_slug: str) -> str | None:
    """The Markdown page of a code (`PC401`, in either case) or slug; None when there is no such code or no page."""
    entry = find_code(code_or_slug)
    if entry is None:
        return None
    path = asset_dir("codes") / f"{entry.code}.md"
    return path.read_text(encoding="utf-8") if path.is_file() else None


def table() -> tuple[Code, ...]:
    """All codes, deprecated ones included, by number."""
    return tuple(sorted(ALL_CODES, key=lambda entry: entry.code))
