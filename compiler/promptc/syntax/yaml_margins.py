"""Put the comments of a module where they belong in its YAML form."""

from bisect import bisect_left, bisect_right

from promptc.source import Source
from promptc.syntax.nodes import Comment
from promptc.syntax.yaml_layout import Entry, Listing, Mapping


def place_comments(top: list[Entry], comments: tuple[Comment, ...], source: Source | None) -> list[str]:
    """Attach each comment to an entry; returns those that stand behind everything.

    A comment belongs to what follows it in the source, the outermost construct that begins there. One that shares its
    line with something before it belongs to that, which only `source` can tell.
    """
    placed = sorted(_placed(top), key=lambda entry: entry.at or 0)
    starts = [entry.at or 0 for entry in placed]
    footer: list[str] = []
    for comment in comments:
        at = comment.span.start
        before = bisect_right(starts, at) - 1
        if source is not None and before >= 0 and _follows_text(source, at):
            entry = placed[before]
            if entry.trailing is None and source.line_column(starts[before])[0] == source.line_column(at)[0]:
                entry.trailing = comment.text
                continue
        index = bisect_left(starts, at)
        if index < len(placed):
            placed[index].leading.append(comment.text)
        else:
            footer.append(comment.text)
    return footer


def _placed(entries: list[Entry]) -> list[Entry]:
    """Entries whose place in the source is known, outer ones before what they hold."""
    found: list[Entry] = []
    for entry in entries:
        if entry.at is not None:
            found.append(entry)
        if isinstance(entry.value, Mapping | Listing):
            found.extend(_placed(entry.value.entries))
    return found


def _follows_text(source: Source, at: int) -> bool:
    line, column = source.line_column(at)
    return bool(source.line_text(line)[:column].strip())
