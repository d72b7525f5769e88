"""What the YAML parser found wrong, said the way promptc says it.

libyaml and PyYAML's own scanner word the same problem differently, so the answer is chosen by what stands at the mark
and by the part of the wording that both share.
"""

from dataclasses import dataclass

import yaml

from promptc.diagnostics.model import Diagnostic, Label
from promptc.source import Source, Span


@dataclass(frozen=True, slots=True)
class _Problem:
    """A wording: fits when `found` is in the parser's own message."""

    found: str
    message: str
    label: str
    help: str | None = None


_BY_WORDING = (
    _Problem(
        "mapping values are not allowed",
        "`: ` stands where no key can begin",
        "a second `: ` on this line, or a line indented under a finished value",
        "quote a text that contains `: `, and give keys of one mapping the same indentation",
    ),
    _Problem("mapping keys are not allowed", "`? ` stands where no key can begin", "not expected here"),
    _Problem("unexpected end of stream", "a quoted text has no closing quote", "the file ends inside the quotes"),
    _Problem("unexpected document separator", "a quoted text has no closing quote", "a document marker inside quotes"),
    _Problem(
        "unknown escape character",
        "the escape sequence is not one of YAML's",
        "this backslash begins no known escape",
        "write `\\\\` for a backslash, or use single quotes, where a backslash is a backslash",
    ),
    _Problem("invalid Unicode character escape", "the escape names no character", "not a code point of its own"),
    _Problem("hex", "the escape sequence is too short", "hexadecimal digits are missing here"),
    _Problem("',' or ']'", "a `[` list is not closed", "`,` or `]` is missing before this place"),
    _Problem("',' or '}'", "a `{` mapping is not closed", "`,` or `}` is missing before this place"),
    _Problem("nesting depth", "the file nests too deep", "this level is one too many"),
    _Problem("document start", "text follows a finished document", "not part of the value before it"),
    _Problem("incompatible YAML document", "the YAML version is not 1.1 or 1.2", "this directive"),
    _Problem("node content", "a value is missing", "a value should stand before this"),
)

_BLOCK_MISFIT = _Problem(
    "",
    "the indentation fits neither the entry above nor its parent",
    "not a key or `- ` of the block it stands in",
    "give entries of one block the same indentation, and quote a text that begins with a quote and goes on after it",
)

_OTHER = _Problem("", "the text is not YAML", "not understood from here")


def syntax_problem(source: Source, error: yaml.YAMLError) -> Diagnostic:
    """The diagnostic for an exception of the YAML parser; the place is the parser's own mark."""
    text, length = source.text, len(source.text)
    at, begun, wording = length, None, ""
    if isinstance(error, yaml.MarkedYAMLError):
        wording = error.problem or ""
        at = error.problem_mark.index if error.problem_mark else length
        begun = error.context_mark.index if error.context_mark else None
    problem = _choose(text, at, wording)
    secondary: tuple[Label, ...] = ()
    if begun is not None and begun != at and problem.found in ("',' or ']'", "',' or '}'", "unexpected end of stream"):
        secondary = (Label(Span(source.path, begun, begun + 1), "opened here"),)
    return Diagnostic(
        "PC150",
        problem.message,
        Label(Span(source.path, at, min(at + 1, length)), problem.label),
        secondary=secondary,
        help=problem.help,
    )


def _choose(text: str, at: int, wording: str) -> _Problem:
    char = text[at : at + 1]
    if "cannot start any token" in wording:
        if char == "\t":
            return _Problem("", "a tab indents this line", "a tab", "indent with spaces: YAML does not allow tabs")
        if char == "@":
            return _Problem(
                "",
                "`@` cannot begin a plain YAML text",
                "`@` is reserved in YAML",
                "write a class without its `@`, or put the text in quotes",
            )
        return _Problem(
            "",
            f"`{char}` cannot begin a plain YAML text",
            f"`{char}` means something else to YAML",
            "put the text in quotes",
        )
    for problem in _BY_WORDING:
        if problem.found in wording:
            return problem
    if "did not find expected key" in wording or "expected '-'" in wording or "<block end>" in wording:
        return _BLOCK_MISFIT
    return _OTHER
