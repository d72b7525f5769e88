"""A page of a report taken apart: its elements, their attributes and its texts, as a browser's parser finds them."""

from dataclasses import dataclass, field
from html.parser import HTMLParser

VOID = frozenset({"meta", "br", "img", "link", "base", "input"})


@dataclass
class Page:
    """What stands in a page.

    Attributes:
        elements: Names and attributes in document order.
        unclosed: Elements that were not closed in turn.
        text: All text outside the style sheet.
    """

    elements: list[tuple[str, dict[str, str | None]]] = field(default_factory=list)
    unclosed: list[str] = field(default_factory=list)
    text: str = ""
    comments: int = 0

    @property
    def shape(self) -> set[tuple[str, tuple[str, ...]]]:
        """Which elements there are, with the names of their attributes."""
        return {(name, tuple(sorted(attributes))) for name, attributes in self.elements}


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.page = Page()
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.page.elements.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.page.elements.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        if self.open and self.open[-1] == tag:
            self.open.pop()
        else:
            self.page.unclosed.append(tag)

    def handle_data(self, data: str) -> None:
        if "style" not in self.open:
            self.page.text += data

    def handle_comment(self, _: str) -> None:
        self.page.comments += 1


def read_page(text: str) -> Page:
    """The page in a document."""
    reader = _Reader()
    reader.feed(text)
    reader.close()
    reader.page.unclosed += reader.open
    return reader.page
