"""The findings of an import: what was not carried over, what was guessed, and why."""

from promptc.diagnostics.model import Diagnostic, Label
from promptc.source import Span


def unreadable(span: Span, message: str, label: str, help: str | None = None) -> Diagnostic:
    """The file is not what its format asks for."""
    return Diagnostic("PC941", message, Label(span, label), help=help)


def too_large(span: Span, message: str, label: str) -> Diagnostic:
    """A limit of the importer."""
    return Diagnostic("PC942", message, Label(span, label))


def setting(span: Span, name: str, reason: str, help: str | None = None) -> Diagnostic:
    """A setting that a spec has no place for."""
    return Diagnostic("PC943", f"`{short(name)}` is not carried over: {reason}", Label(span, "left out"), help=help)


def construct(span: Span, what: str, reason: str, help: str | None = None) -> Diagnostic:
    """A piece of a template that a body cannot say."""
    return Diagnostic("PC944", f"{what} is not carried over: {reason}", Label(span, "left out"), help=help)


def computed(span: Span, text: str, name: str, reason: str) -> Diagnostic:
    """An expression that became an input."""
    return Diagnostic(
        "PC945",
        f"`{short(text)}` became `{name}`, which the host computes: {reason}",
        Label(span, f"`{name}` in the spec"),
        help="compute it where the prompt is assembled, and pass the result",
    )


def altered(span: Span, what: str, how: str) -> Diagnostic:
    """Something whose bytes may differ from the other tool's."""
    return Diagnostic("PC948", f"{what} {how}", Label(span, "differs"))


def moved(span: Span, what: str, where: str, help: str | None = None) -> Diagnostic:
    """A message that stands elsewhere in the spec."""
    return Diagnostic("PC949", f"{what} {where}", Label(span, "stands elsewhere"), help=help)


def missing_part(span: Span, name: str, reason: str) -> Diagnostic:
    """A file that the source names and that cannot be had."""
    return Diagnostic(
        "PC950", f"`{short(name)}` is not carried over: {reason}", Label(span, "nothing stands here in the spec")
    )


def renamed(span: Span, old: str, new: str) -> Diagnostic:
    """A name that a spec cannot have."""
    return Diagnostic(
        "PC952", f"`{short(old)}` is called `{new}`, since a name is letters, digits and `_`", Label(span)
    )


def short(text: str) -> str:
    """A text on one line, short enough for a message."""
    flat = " ".join(text.split())
    return flat if len(flat) <= 60 else flat[:57] + "..."
