"""A plain text as a prefix stream of one element: what `diff` makes of two prompt files."""

from promptc.streams.model import Element, PrefixStream

FORMAT = "text"


def text_stream(text: str, name: str, target: str | None = None) -> PrefixStream:
    """The stream of a text. Nothing is normalised: every byte of a prompt file counts."""
    element = Element("content", "", "", "", None, text)
    return PrefixStream(name, FORMAT, target, ("messages",), (element,))
