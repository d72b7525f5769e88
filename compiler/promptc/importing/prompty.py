"""Prompty files, of the first form and of the second."""

import json
import re

from promptc.importing import lost
from promptc.importing.data import Leftover, child, entries, items, read_data, string, value
from promptc.importing.front_matter import part
from promptc.importing.handlebars import Dialect, handlebars_parts
from promptc.importing.jinja import JinjaOptions, jinja_parts
from promptc.importing.model import (
    ROLES,
    TEXT,
    Data,
    Declared,
    For,
    Out,
    Part,
    Parts,
    Prompt,
    Role,
    Sample,
    Text,
)
from promptc.importing.schema_types import word_type
from promptc.importing.scope import Findings, identifier, path_of
from promptc.importing.text_files import split_roles
from promptc.importing.tools import chosen_tools
from promptc.source import Source, Span, TextMap
from promptc.syntax.yaml_nodes import YamlMapping, YamlNode, YamlScalar, YamlSequence

_ROLE = re.compile(
    r"^[ \t]*+#?[ \t]*+(system|developer|user|assistant|tool|function)(?:\[[^\]\n]*\])?[ \t]*:[ \t]*(?:\n|\Z)",
    re.MULTILINE | re.IGNORECASE,
)
_FILE = re.compile(r"\$\{file:([^}]+)\}")
_MEDIA = frozenset({"image", "audio", "file", "video"})
_REASONS = {
    "outputs": "a spec says nothing of the answer",
    "output": "a spec says nothing of the answer",
    "description": "a spec has no description",
    "authors": "a spec does not name its authors",
    "tags": "a spec has no tags",
    "metadata": "a spec holds what a request is made of",
}


def read_prompty(source: Source, found: Findings) -> list[Prompt]:
    """The one prompt of a Prompty file; nothing where it cannot be read."""
    parted = part(source, found)
    if parted is None:
        return []
    top = Leftover(parted.data.root if parted.data else None)
    provider, model, max_tokens = _model(top, found)
    declared, threads, lists = _inputs(top.take("inputs"), found)
    samples = _samples(top.take("sample"), found)
    tools = chosen_tools(items(top.take("tools")), found)
    engine, _ = _template(top.take("template"))
    named = string(top.take("name"))
    top.take("$schema")
    for key, span in top.rest():
        found.sink.report(lost.setting(span, key, _REASONS.get(key, "a spec has no place for it")))
    lists |= {key for sample in samples for key, own in sample.values.items() if isinstance(own, list)}
    parts = _parts(source, parted.body, engine, lists, found)
    if parts is None:
        return []
    span = Span(source.path, parted.body, len(source.text))
    messages = split_roles(_marked(parts, threads, found), "system", span)
    name = identifier(named or source.path.rsplit("/", 1)[-1].split(".")[0])
    return [Prompt(name, messages, declared, provider, model, max_tokens, tools, samples, span)]


# -- front matter --------------------------------------------------------------------------------


def _model(top: Leftover, found: Findings) -> tuple[str | None, str | None, int | None]:
    node = top.take("model")
    if isinstance(node, YamlScalar):
        return None, node.value, None
    model = Leftover(node)
    configuration = Leftover(model.take("configuration"))
    options = [Leftover(model.take("options")), Leftover(model.take("parameters"))]
    limits = [value(o.take(key)) for o in options for key in ("maxOutputTokens", "max_tokens", "maxTokens")]
    name = string(model.take("id")) or string(configuration.take("model"))
    name = name or string(configuration.take("azure_deployment"))
    api = string(model.take("apiType")) or string(model.take("api"))
    provider = string(model.take("provider")) or string(configuration.take("type"))
    if api == "responses" and provider == "openai":
        provider = "openai:responses"
    if api not in (None, "chat", "responses", "agent") and node is not None:
        found.sink.report(lost.setting(node.span, f"apiType {api}", "a spec describes a conversation"))
    for part_of in (model, configuration, *options):
        for key, span in part_of.rest():
            found.sink.report(lost.setting(span, key, "a spec has no place for it"))
    limit = next((n for n in limits if isinstance(n, int) and n > 0), None)
    return provider, name, limit


def _inputs(node: YamlNode | None, found: Findings) -> tuple[dict[str, Declared], frozenset[str], set[str]]:
    """Inputs by name; the names of those that stand for the conversation; the names of lists."""
    told: list[tuple[str, Span, YamlNode]] = [(k, s.span, n) for k, (s, n) in entries(node).items()]
    told += [(string(child(n, "name")) or "input", n.span, n) for n in items(node)]
    declared: dict[str, Declared] = {}
    threads: set[str] = set()
    lists: set[str] = set()
    for key, span, inner in told:
        kind = string(child(inner, "kind")) or string(child(inner, "type")) or ""
        if kind == "thread":
            threads.add(key)
            continue
        if (
            kind in ("array", "list")
            or isinstance(child(inner, "default"), YamlSequence)
            or isinstance(inner, YamlSequence)
        ):
            lists.add(key)
        if kind in _MEDIA:
            found.sink.report(lost.altered(span, f"the type `{kind}` of `{key}`", "is `text`: a spec holds text only"))
            declared[key] = Declared(TEXT, False, None, span)
        elif isinstance(inner, YamlMapping) and (kind or child(inner, "default") or child(inner, "sample")):
            default = value(child(inner, "default"))
            optional = value(child(inner, "required")) is False
            type = None if kind in ("array", "object", "list", "") else word_type(kind, span, found)
            declared[key] = Declared(type, optional, _plain(type, default), span)
        else:
            declared[key] = Declared(None, False, value(inner), span)
    return declared, frozenset(threads), lists


def _plain(type: object, default: Data) -> Data:
    """A default as its type wants it: YAML reads `10` as a number, where the file says that it is a text."""
    if type == TEXT and default is not None and not isinstance(default, str):
        return json.dumps(default)
    return default


def _samples(node: YamlNode | None, found: Findings) -> tuple[Sample, ...]:
    if node is None:
        return ()
    if isinstance(node, YamlScalar):
        named = _FILE.fullmatch(node.value.strip())
        path = named[1] if named else node.value.strip()
        source = found.part(path, node.span)
        if source is None:
            return ()
        found.open.pop()
        document = read_data(source, found)
        return () if document is None else _sample(document.root, node.span)
    return _sample(node, node.span)


def _sample(node: YamlNode | None, span: Span) -> tuple[Sample, ...]:
    given = value(node)
    return (Sample("imported", given, span),) if isinstance(given, dict) and given else ()


def _template(node: YamlNode | None) -> tuple[str, str]:
    """The engine and the parser that a file names."""
    if isinstance(node, YamlScalar):
        return node.value, "prompty"
    format, parser = child(node, "format"), child(node, "parser")
    engine = string(child(format, "kind")) or string(format) or string(child(node, "type")) or "jinja2"
    return engine, string(child(parser, "kind")) or string(parser) or "prompty"


# -- text ----------------------------------------------------------------------------------------


def _parts(source: Source, start: int, engine: str, lists: set[str], found: Findings) -> Parts | None:
    text = source.text[start:]
    places = TextMap.identity(source.path, len(text), start)
    if engine in ("mustache", "handlebars"):
        return handlebars_parts(text, places, found, Dialect(lists=frozenset(lists)))
    return jinja_parts(text, places, found, JinjaOptions())


def _marked(parts: Parts, threads: frozenset[str], found: Findings) -> Parts:
    """The parts with a marker for each line that names a role, and for each conversation."""
    out: list[Part] = []
    for own in parts:
        path = path_of(own.value) if isinstance(own, Out) else None
        if path is not None and path[0] in threads:
            out.append(Role("history", own.span))
        elif isinstance(own, For) and _speaks(own):
            found.sink.report(lost.moved(own.span, "a loop over messages", "is the history of the conversation"))
            out.append(Role("history", own.span))
        elif isinstance(own, Text):
            out.extend(_cut(own, found))
        else:
            out.append(own)
    return tuple(out)


def _speaks(loop: For) -> bool:
    """Whether a loop writes messages: its text begins with a role that each element has."""
    first = next((p for p in loop.body if not (isinstance(p, Text) and not p.text.strip())), None)
    path = path_of(first.value) if isinstance(first, Out) else None
    return path is not None and path[-1] == "role"


def _cut(part: Text, found: Findings) -> list[Part]:
    out: list[Part] = []
    at = 0
    plain = part.span.end - part.span.start == len(part.text)

    def place(start: int, end: int) -> Span:
        return Span(part.span.path, part.span.start + start, part.span.start + end) if plain else part.span

    for match in _ROLE.finditer(part.text):
        if match.start() > at:
            out.append(Text(part.text[at : match.start()], place(at, match.start())))
        role = ROLES.get(match[1].lower())
        span = place(match.start(1), match.end(1))
        if role is None:
            found.sink.report(lost.construct(span, f"the role `{match[1]}`", "results of tools are the caller's"))
        else:
            out.append(Role(role, span))
        at = match.end()
    if at < len(part.text):
        out.append(Text(part.text[at:], place(at, len(part.text))))
    return out
