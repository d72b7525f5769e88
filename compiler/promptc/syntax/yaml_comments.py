"""Find the comments of a YAML file; the parser drops them."""

import re

from promptc.source import Source, Span
from promptc.syntax.nodes import Comment
from promptc.syntax.yaml_nodes import YamlMapping, YamlNode, YamlScalar

# Begins a line, or follows a blank.
_COMMENT = re.compile(r"(?:(?<=[ \t\n])|\A)#[^\n]*")


def find_comments(source: Source, root: YamlNode | None) -> tuple[Comment, ...]:
    """All comments in source order: every `#` after a blank that stands outside scalars."""
    scalars = sorted(set(_scalar_ranges(source.text, root)))
    found: list[Comment] = []
    at = 0
    for start, end in (*scalars, (len(source.text), len(source.text))):
        for match in _COMMENT.finditer(source.text, at, max(start, at)):
            span = Span(source.path, match.start(), match.end())
            found.append(Comment(span=span, text=match[0].rstrip()))
        at = max(at, end)
    return tuple(found)


def _scalar_ranges(text: str, root: YamlNode | None) -> list[tuple[int, int]]:
    ranges: list[tuple[int, int]] = []
    pending = [root] if root is not None else []
    visited: set[int] = set()
    while pending:
        node = pending.pop()
        if id(node) in visited:
            continue
        visited.add(id(node))
        if isinstance(node, YamlScalar):
            start = node.span.start
            if node.style in ("literal", "folded"):
                # A comment may follow the header.
                line_end = text.find("\n", start)
                start = line_end if 0 <= line_end < node.span.end else node.span.end
            ranges.append((start, node.span.end))
        elif isinstance(node, YamlMapping):
            pending.extend(part for pair in node.pairs for part in pair)
        else:
            pending.extend(node.items)
    return ranges
