"""The part of a source line that is shown, with the column at which each code point is drawn."""

from dataclasses import dataclass

from promptc.diagnostics.render.display import cell

MAX_COLUMNS = 120
_ELLIPSIS = "…"
# What is kept in front of the first mark of a line that is cut.
_LEAD = 32


@dataclass(frozen=True, slots=True)
class Excerpt:
    """A drawn line.

    Attributes:
        text: What is drawn.
        first: Code point of the line that is drawn first.
        starts: Column of each drawn code point; the last entry is the column behind the last one.
        cut_right: Whether the line goes on behind the last drawn code point.
    """

    text: str
    first: int
    starts: tuple[int, ...]
    cut_right: bool

    def column(self, position: int) -> int:
        """The column of a code point of the line, held inside what is drawn."""
        return self.starts[min(max(position - self.first, 0), len(self.starts) - 1)]


def excerpt(line: str, start: int, end: int) -> Excerpt:
    """Draw a line whole, or cut around the code points `start` to `end`, which matter.

    At most `MAX_COLUMNS` columns are drawn; when what matters is longer, its beginning is.
    """
    whole = _draw(line[: MAX_COLUMNS + 1], 0, "")
    if len(line) <= MAX_COLUMNS and whole.starts[-1] <= MAX_COLUMNS:
        return whole
    # Every code point but a mark takes a column, so that many code points hold the columns that are wanted.
    if end <= MAX_COLUMNS and whole.column(end) < MAX_COLUMNS:
        first = 0
    else:
        room = max(MAX_COLUMNS - (end - start), 0)
        first = max(start - min(_LEAD, room // 2), 0)
    window = _draw(line[first : first + MAX_COLUMNS], first, _ELLIPSIS if first else "")
    keep = len(window.starts) - 1
    while keep and window.starts[keep] >= MAX_COLUMNS:
        keep -= 1
    drawn = _draw(line[first : first + keep], first, _ELLIPSIS if first else "")
    more = first + keep < len(line)
    return Excerpt(drawn.text + (_ELLIPSIS if more else ""), first, drawn.starts, more)


def _draw(text: str, first: int, lead: str) -> Excerpt:
    pieces: list[str] = [lead]
    starts = [len(lead)]
    before = " "
    for character in text:
        drawn, width = cell(character, before)
        pieces.append(drawn)
        starts.append(starts[-1] + width)
        before = character
    return Excerpt("".join(pieces), first, tuple(starts), False)
