"""Files that begin with YAML between two lines of dashes."""

import re
from typing import NamedTuple

from promptc.importing import lost
from promptc.importing.data import Document, read_data
from promptc.importing.model import Declared
from promptc.importing.schema_types import Property
from promptc.importing.scope import Findings
from promptc.source import Source, Span

_OPENING = re.compile(r"(?:[ \t]*+(?:#[^\n]*+)?\n)*+---[ \t]*\n")
_CLOSING = re.compile(r"^---[ \t]*(?:\n|\Z)", re.MULTILINE)


class Parted(NamedTuple):
    """A file in two: its data, and where its text begins. No data where the file begins with text."""

    data: Document | None
    body: int


def part(source: Source, found: Findings) -> Parted | None:
    """Take front matter off; None where it cannot be read, which is reported.

    Diagnostics:
        PC941, PC15x.
    """
    opening = _OPENING.match(source.text)
    if opening is None:
        return Parted(None, 0)
    closing = _CLOSING.search(source.text, opening.end())
    if closing is None:
        start = source.text.index("---")
        found.sink.report(
            lost.unreadable(
                Span(source.path, start, start + 3),
                "the front matter has no end",
                "begins here",
                "close it with a line `---`",
            )
        )
        return None
    data = read_data(source, found, opening.end(), closing.start())
    return None if data is None else Parted(data, closing.end())


def declarations(properties: tuple[Property, ...]) -> dict[str, Declared]:
    """Inputs from the properties of a schema."""
    return {p.name: Declared(p.type, p.optional, p.default, p.span) for p in properties}
