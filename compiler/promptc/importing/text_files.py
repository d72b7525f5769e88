"""Files that are one template: Jinja2, and texts with `{names}`."""

import re

from promptc.importing import lost
from promptc.importing.jinja import JinjaOptions, jinja_parts
from promptc.importing.model import TEXT, Message, Out, Part, Parts, Prompt, Role, RoleName, Text
from promptc.importing.scope import Findings, Scope, hole, identifier, name
from promptc.source import Source, Span, TextMap
from promptc.syntax.map_slicer import MapSlicer

_FIELD = re.compile(r"\{\{|\}\}|\{([^{}\n]*)\}")
_NAME = re.compile(r"[A-Za-z_]\w*", re.ASCII)


def read_jinja(source: Source, found: Findings, options: JinjaOptions) -> list[Prompt]:
    """The one prompt of a Jinja2 file; nothing where it cannot be read."""
    places = TextMap.identity(source.path, len(source.text))
    parts = jinja_parts(source.text, places, found, options)
    return [] if parts is None else [single(source, parts)]


def read_fstring(source: Source, found: Findings) -> list[Prompt]:
    """The one prompt of a text with `{names}`."""
    places = TextMap.identity(source.path, len(source.text))
    return [single(source, fstring_parts(source.text.removesuffix("\n"), places, found))]


def single(source: Source, parts: Parts) -> Prompt:
    """A prompt of one message, whose role the name of the file tells; system where it tells nothing."""
    span = Span(source.path, 0, len(source.text))
    stem = source.path.rsplit("/", 1)[-1].split(".")[0]
    role: RoleName = role_of_name(stem) or "system"
    messages = split_roles(parts, role, span)
    return Prompt(identifier(stem), messages, {}, None, None, None, (), (), span)


def role_of_name(text: str) -> RoleName | None:
    """The role that a name speaks of."""
    words = re.split(r"[^a-z]+", text.lower())
    if "system" in words:
        return "system"
    return "user" if "user" in words or "human" in words else None


def split_roles(parts: Parts, first: RoleName, span: Span) -> tuple[Message, ...]:
    """One message for each role marker; text in front of the first marker has the role `first`."""
    messages: list[Message] = []
    role, begun, own = first, span, list[Part]()
    for part in parts:
        if isinstance(part, Role):
            if own:
                messages.append(Message(role, tuple(own), begun))
            role, begun, own = part.role, part.span, []
            if role == "history":
                messages.append(Message("history", (), begun))
                role = "user"
        else:
            own.append(part)
    if own:
        messages.append(Message(role, tuple(own), begun))
    return tuple(messages)


def fstring_parts(text: str, places: TextMap, found: Findings) -> Parts:
    """The parts of a text in which `{name}` is a value, and `{{` a brace."""
    span = MapSlicer(places).span
    parts: list[Part] = []
    at = 0

    def literal(start: int, end: int, value: str) -> None:
        if value:
            parts.append(Text(value, span(start, end)))

    for match in _FIELD.finditer(text):
        literal(at, match.start(), text[at : match.start()])
        at = match.end()
        place = span(match.start(), match.end())
        if match[1] is None:
            literal(match.start(), match.end(), match[0][0])
        elif _NAME.fullmatch(match[1]):
            own = identifier(match[1])
            if own != match[1]:
                found.sink.report(lost.renamed(place, match[1], own))
            parts.append(Out(name(own, place), place))
        elif re.match(r"[A-Za-z_]", match[1]):
            value = hole(match[1], place, "a spec formats no values", TEXT, Scope(), found)
            if value is not None:
                parts.append(Out(value, place))
        else:
            # Braces around something else: text of an example, which `str.format` itself would refuse.
            literal(match.start(), match.end(), match[0])
    literal(at, len(text), text[at:])
    return tuple(parts)
