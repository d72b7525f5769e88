"""Which message of a prompt stands where in a spec.

A spec says what every request is made of; the messages of a conversation are the caller's. So system messages become
sections of the system lane, the last user message a section of the tail, and examples in between messages of samples.
"""

from dataclasses import dataclass

from promptc.importing import lost
from promptc.importing.model import TEXT, Data, Message, Out, Part, Parts, Prompt, Text
from promptc.importing.scope import Findings, path_of
from promptc.importing.shapes import shapes_of


@dataclass(frozen=True, slots=True)
class Arranged:
    """The messages of one prompt by their place.

    Attributes:
        asked: The input that is all of the last user message: the caller's message itself.
        examples: Messages in front of the last one.
    """

    system: tuple[Parts, ...]
    tail: tuple[Parts, ...]
    asked: str | None
    examples: tuple[Message, ...]


def arrange(prompt: Prompt, found: Findings) -> Arranged:
    """Sort the messages of a prompt, and say what stands elsewhere than in the file.

    Diagnostics:
        PC944, PC949.
    """
    sink = found.sink
    messages = [m for m in prompt.messages if m.role == "history" or not _is_blank(m.parts)]
    system: list[Parts] = []
    spoken: list[Message] = []
    for message in messages:
        if message.role == "system":
            if spoken:
                sink.report(
                    lost.moved(message.span, "a system message", "stands in the system lane, before all others")
                )
            system.append(trimmed(message.parts))
        elif message.role != "history":
            spoken.append(Message(message.role, trimmed(message.parts), message.span))
    while spoken and spoken[-1].role == "assistant":
        last = spoken.pop()
        reason = "what the assistant begins with is no part of a spec"
        sink.report(lost.construct(last.span, "the last message of the assistant", reason))
    if not spoken:
        return Arranged(tuple(system), (), None, ())
    last = spoken.pop()
    asked = _asked(last, system, spoken, prompt, found)
    if asked is not None:
        sink.report(lost.moved(last.span, f"`{asked}`", "is the message that the caller passes, and no input"))
        return Arranged(tuple(system), (), asked, tuple(spoken))
    where = "is appended to the message that the caller passes, as the section `user` of the tail"
    sink.report(lost.moved(last.span, "the text of the user's message", where))
    return Arranged(tuple(system), (last.parts,), None, tuple(spoken))


def _asked(last: Message, system: list[Parts], examples: list[Message], prompt: Prompt, found: Findings) -> str | None:
    """The name of the input that the last message consists of, where nothing else reads it."""
    if len(last.parts) != 1 or not isinstance(last.parts[0], Out):
        return None
    path = path_of(last.parts[0].value)
    told = prompt.declared.get(path[0]) if path is not None else None
    if path is None or len(path) != 1 or path[0] in found.holes or (told is not None and told.type not in (None, TEXT)):
        return None
    others = (*system, *(m.parts for m in examples))
    return None if path[0] in shapes_of({}, others, {}) else path[0]


def trimmed(parts: Parts) -> Parts:
    """The parts without line feeds and blank lines at both ends: they belong to the seams."""
    out = list(parts)
    while out and isinstance(out[0], Text):
        text = out[0].text.lstrip("\n")
        if not text.strip(" \t\n"):
            out.pop(0)
            continue
        out[0] = Text(text, out[0].span)
        break
    while out and isinstance(out[-1], Text):
        text = out[-1].text.rstrip()
        if not text:
            out.pop()
            continue
        out[-1] = Text(text, out[-1].span)
        break
    return tuple(out)


def _is_blank(parts: Parts) -> bool:
    return all(isinstance(part, Text) and not part.text.strip() for part in parts)


def spoken_text(parts: Parts, values: dict[str, Data]) -> str | None:
    """The text of a message for some values; None where it needs more than they say."""
    out: list[str] = []
    for part in parts:
        text = _spoken(part, values)
        if text is None:
            return None
        out.append(text)
    return "".join(out)


def _spoken(part: Part, values: dict[str, Data]) -> str | None:
    match part:
        case Text(text=text):
            return text
        case Out(value=value):
            found: Data = dict(values)
            for key in path_of(value) or ("",):
                found = found.get(key) if isinstance(found, dict) else None
            return str(found) if isinstance(found, str | int) and not isinstance(found, bool) else None
        case _:
            return None
