"""Prompts that stand in YAML or JSON: lists of messages, and texts under names."""

import re
from collections.abc import Iterator

from promptc.importing import lost
from promptc.importing.data import Document, child, entries, items, read_data, string, value
from promptc.importing.jinja import JinjaOptions, jinja_parts
from promptc.importing.model import ROLES, Message, Parts, Prompt
from promptc.importing.scope import Findings, identifier
from promptc.importing.text_files import fstring_parts, role_of_name
from promptc.importing.tools import chosen_tools
from promptc.source import Source, Span
from promptc.syntax.yaml_nodes import YamlMapping, YamlNode, YamlScalar, YamlSequence

MAX_PROMPTS = 200
_TAGS = re.compile(r"\{\{|\{%")
_SPEAKING = re.compile(r"prompt|template|system|instruction|message", re.IGNORECASE)


def read_messages(source: Source, found: Findings, options: JinjaOptions) -> list[Prompt]:
    """The prompts of a file of data; nothing where it cannot be read or holds none."""
    document = read_data(source, found)
    if document is None:
        return []
    whole = Span(source.path, 0, len(source.text))
    name = identifier(source.path.rsplit("/", 1)[-1].split(".")[0])
    told = chat(document, document.root, found, options)
    if told is None and isinstance(document.root, YamlMapping) and child(document.root, "messages") is not None:
        told = chat(document, child(document.root, "messages"), found, options)
        return [] if told is None else [_request(document, name, told, found)]
    if told is not None:
        return [Prompt(name, told, {}, None, None, None, (), (), whole)]
    prompts = _texts(document, found, options)
    if not prompts and not found.sink.has_errors:
        message = f"`{source.path}` holds no messages and no texts of prompts"
        found.sink.report(lost.unreadable(Span(source.path, 0, 0), message, "looked for here"))
    return prompts


def _request(document: Document, name: str, messages: tuple[Message, ...], found: Findings) -> Prompt:
    """A prompt from something like a request body."""
    root = document.root
    limit = value(child(root, "max_tokens"))
    tools = chosen_tools(items(child(root, "tools")), found)
    for key, (scalar, _) in entries(root).items():
        if key not in ("messages", "max_tokens", "tools", "model"):
            found.sink.report(lost.setting(scalar.span, key, "a spec has no place for it"))
    most = limit if isinstance(limit, int) and limit > 0 else None
    span = Span(document.source.path, 0, len(document.source.text))
    return Prompt(name, messages, {}, None, string(child(root, "model")), most, tools, (), span)


def chat(
    document: Document, node: YamlNode | None, found: Findings, options: JinjaOptions
) -> tuple[Message, ...] | None:
    """The messages of a list; None where it is no list of messages."""
    listed = items(node)
    if not listed or not all(child(item, "role") is not None for item in listed):
        return None
    messages: list[Message] = []
    for item in listed:
        word = string(child(item, "role")) or ""
        role = ROLES.get(word.lower())
        if role is None:
            found.sink.report(
                lost.construct(item.span, f"a message of the role `{lost.short(word)}`", "it is no text of a spec")
            )
            continue
        for content in _contents(child(item, "content"), found):
            text = document.text(content)
            parts = jinja_parts(text.text, text.map, found, options)
            if parts is None:
                return ()
            messages.append(Message(role, parts, item.span))
        for key, (scalar, _) in entries(item).items():
            if key not in ("role", "content"):
                found.sink.report(lost.setting(scalar.span, key, "a message in a spec is text"))
    return tuple(messages)


def _contents(node: YamlNode | None, found: Findings) -> Iterator[YamlScalar]:
    if isinstance(node, YamlScalar):
        yield node
    for block in items(node):
        text = child(block, "text")
        if isinstance(text, YamlScalar):
            yield text
        else:
            found.sink.report(lost.construct(block.span, "a block of content", "a spec holds text only"))


def _texts(document: Document, found: Findings, options: JinjaOptions) -> list[Prompt]:
    """One prompt for each text that a template or its name shows to be one."""
    prompts: dict[str, Prompt] = {}
    for path, node in _leaves(document.root, ()):
        text = document.text(node)
        if not _TAGS.search(text.text) and not (_SPEAKING.search(" ".join(path)) and "\n" in text.text):
            found.sink.report(lost.setting(node.span, ".".join(path) or "value", "it is no text of a prompt"))
            continue
        if len(prompts) >= MAX_PROMPTS:
            found.sink.report(lost.too_large(node.span, f"more than {MAX_PROMPTS} prompts in one file", "one too many"))
            return []
        parts: Parts | None
        if path[-1:] == ("template",) and string(child(document.root, "template_format")) == "f-string":
            parts = fstring_parts(text.text, text.map, found)
        else:
            parts = jinja_parts(text.text, text.map, found, options)
        if parts is None:
            return []
        name = identifier(path[-1] if path else "prompt")
        if name in prompts:
            name = identifier("_".join(path))
        while name in prompts:
            name += "_2"
        role = role_of_name(path[-1] if path else "") or "user"
        span = node.span
        prompts[name] = Prompt(name, (Message(role, parts, span),), {}, None, None, None, (), (), span)
    return list(prompts.values())


def _leaves(node: YamlNode | None, path: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], YamlScalar]]:
    match node:
        case YamlScalar():
            yield path, node
        case YamlMapping():
            for key, inner in node.pairs:
                yield from _leaves(inner, (*path, key.value))
        case YamlSequence():
            for number, inner in enumerate(node.items):
                yield from _leaves(inner, (*path, str(number)))
        case _:
            return
