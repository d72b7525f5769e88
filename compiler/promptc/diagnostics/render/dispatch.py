"""Choose a renderer by the name of its format."""

from collections.abc import Callable, Sequence
from typing import TypeAlias

from promptc.diagnostics.model import Diagnostic
from promptc.diagnostics.render import as_json, concise, github, junit, markdown, sarif, text
from promptc.source import SourceSet

Renderer: TypeAlias = Callable[[Sequence[Diagnostic], SourceSet], str]

_PLAIN: dict[str, Renderer] = {
    "concise": concise.render,
    "json": as_json.render,
    "markdown": markdown.render,
    "github": github.render,
    "sarif": sarif.render,
    "junit": junit.render,
}
FORMATS: tuple[str, ...] = ("text", *_PLAIN)


def render_diagnostics(format: str, diagnostics: Sequence[Diagnostic], sources: SourceSet, colour: bool = False) -> str:
    """The findings in a format.

    Args:
        format: One of `FORMATS`.
        colour: Whether the text format may use colour; the others have none.

    Raises:
        KeyError: There is no such format.
    """
    if format == "text":
        return text.render(diagnostics, sources, colour)
    return _PLAIN[format](diagnostics, sources)
