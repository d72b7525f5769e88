"""Findings made by hand, for tests of renderers."""

from promptc.diagnostics.model import Applicability, Diagnostic, Edit, Fix, Label
from promptc.source import Source, SourceSet, Span

# One of each kind of text that must not reach a reader raw: terminal control, direction, nothing to see, line ends,
# markup, workflow commands, tables, HTML, XML, and half of a surrogate pair.
HOSTILE_TEXTS = (
    "\x1b[2J\x1b]0;title\x07",
    "\x9b31m",
    "a\u202eb\u2066c",
    "a\u200bb\u00adc\ufe0fd\U000e0041e",
    "one\ntwo\r\nthree\u2028four\x85five\x00",
    "::error file=x::boo\n::warning::boo",
    "%0A::set-output name=a::b",
    "| a | b |\n| --- | --- |",
    "</details><script>alert(1)</script><!-- ]]>",
    "[click](https://example.com) ![x](y) https://example.com www.example.com @someone #1 :smile:",
    "```\n# heading\n* item\n<https://example.com>",
    "]]> & \" ' <a>",
    "\\[x\\](y) \\",
    "\ud83d",
)


def source_set(**texts: str) -> SourceSet:
    """Sources named by keyword, `.promptc` added."""
    sources = SourceSet()
    for name, text in texts.items():
        sources.add(Source(f"{name}.promptc", text))
    return sources


def at(sources: SourceSet, text: str, path: str = "a.promptc", nth: int = 0) -> Span:
    """The span of the nth occurrence of a text."""
    source = sources.get(path)
    assert source is not None
    start = -1
    for _ in range(nth + 1):
        start = source.text.index(text, start + 1)
    return Span(path, start, start + len(text))


def hostile(text: str) -> tuple[tuple[Diagnostic, ...], SourceSet]:
    """Findings in which everything that a user can write holds a text: the source, names, the path, the pointer."""
    path = f"{text}.promptc"
    sources = SourceSet()
    sources.add(Source(path, f"before {text} after\nsecond {text}\n"))
    span = Span(path, 7, 7 + len(text))
    found = Diagnostic(
        "PC201",
        f"`{text}` is not declared",
        Label(span, f"no {text}"),
        (Label(Span(path, 0, 6), text), Label(Span(f"gone {text}", 0, 1), text)),
        (f"note {text}",),
        f"did you mean `{text}`?",
        Fix(f"write `{text}`", (Edit(span, text),), Applicability.SAFE),
    )
    return (found, Diagnostic("PC600", f"{text} there", None, pointer=f"/{text}/0")), sources
