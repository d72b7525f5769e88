"""What a module with a syntax error may hold without its having been read: declarations of names."""

import re
import sys
from collections.abc import Iterable

from promptc.diagnostics.model import Diagnostic
from promptc.source import Source, Span

# What says that something is not there, and names it.
_OF_NAMES = frozenset({"PC201", "PC203", "PC204", "PC205", "PC206", "PC207", "PC209"})
# What says that something is not there, without a name to look for.
_OF_PARTS = frozenset({"PC211", "PC214", "PC311", "PC313", "PC317", "PC685", "PC686"})
_DECLARES = r"(?:input|gate|record|scope|envelope|section|prompt|stability[^\n]*)"


def may_be_unread(diagnostic: Diagnostic, broken: Iterable[Source]) -> bool:
    """Whether what a finding misses may stand in a part of a module that could not be read.

    One cause gives one finding: a name is missed for good only where no text of a broken module seems to declare it.

    Args:
        broken: Sources of the modules with a syntax error.
    """
    sources = list(broken)
    if not sources or diagnostic.code in _OF_PARTS:
        return bool(sources)
    if diagnostic.code not in _OF_NAMES or diagnostic.primary is None:
        return False
    span = diagnostic.primary.span
    name = next((s.slice(span) for s in sources if s.path == span.path), "")
    if not name:
        # It stands in a body file, whose words the broken module may still declare.
        return True
    word = re.escape(name)
    # Two surfaces declare a name: behind a word of the language, or as a key.
    declared = re.compile(
        rf"\b{_DECLARES}\s+{word}\b|^\s*(?:-\s*)?(?:section:\s*)?{word}\s*:|\bset\s+{word}\b", re.MULTILINE
    )
    return any(declared.search(_without(source, span)) for source in sources)


def _without(source: Source, span: Span) -> str:
    if source.path != span.path:
        return source.text
    before, after = Span(span.path, 0, span.start), Span(span.path, span.end, sys.maxsize)
    return f"{source.slice(before)} {source.slice(after)}"
