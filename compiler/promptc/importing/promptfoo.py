"""Configurations of promptfoo: prompts, the variables of its tests, its first provider."""

from promptc.importing import lost
from promptc.importing.data import Document, Leftover, child, entries, items, read_data, string, value
from promptc.importing.jinja import JinjaOptions, jinja_parts
from promptc.importing.messages import MAX_PROMPTS, chat
from promptc.importing.model import Data, Message, Prompt, Sample, Tool
from promptc.importing.scope import Findings, identifier
from promptc.importing.tools import chosen_tools
from promptc.source import Source, Span, TextMap
from promptc.syntax.yaml_nodes import YamlMapping, YamlNode, YamlScalar

MAX_SAMPLES = 1_000
_FILE = "file://"
_REASONS = {
    "description": "a spec has no description",
    "assert": "a spec says nothing of the answer",
    "options": "a spec says nothing of the answer",
    "threshold": "a spec says nothing of the answer",
    "scenarios": "write them as samples",
}


def read_promptfoo(source: Source, found: Findings) -> list[Prompt]:
    """The prompts of a configuration; nothing where it cannot be read."""
    document = read_data(source, found)
    if document is None:
        return []
    top = Leftover(document.root)
    listed = top.take("prompts")
    nodes = items(listed) or ((listed,) if listed is not None else ())
    provider, model, limit, tools = _provider(top, found)
    defaults = _default_test(top.take("defaultTest"), found)
    samples = _tests(top.take("tests"), defaults, found)
    for key, span in top.rest():
        found.sink.report(lost.setting(span, key, _REASONS.get(key, "a spec has no place for it")))
    if len(nodes) * len(samples) > MAX_SAMPLES:
        message = f"more than {MAX_SAMPLES} samples: every test with every prompt"
        found.sink.report(lost.too_large(samples[-1].span, message, "one too many"))
        return []
    if len(nodes) > MAX_PROMPTS:
        found.sink.report(lost.too_large(nodes[MAX_PROMPTS].span, f"more than {MAX_PROMPTS} prompts", "one too many"))
        return []
    base = identifier(source.path.rsplit("/", 1)[-1].split(".")[0])
    prompts: list[Prompt] = []
    for number, node in enumerate(nodes, start=1):
        messages = _prompt(document, node, found)
        if found.sink.has_errors:
            return []
        if messages:
            name = base if len(nodes) == 1 else f"{base}_{number}"
            own = tuple(Sample(f"{s.name}_{number}" if len(nodes) > 1 else s.name, s.values, s.span) for s in samples)
            prompts.append(Prompt(name, messages, {}, provider, model, limit, tools, own, node.span))
    if not prompts:
        message = f"`{source.path}` has no prompt that can be read"
        found.sink.report(lost.unreadable(Span(source.path, 0, 0), message, "looked for here"))
    return prompts


# -- prompts -------------------------------------------------------------------------------------


def _prompt(document: Document, node: YamlNode, found: Findings) -> tuple[Message, ...]:
    if isinstance(node, YamlMapping):
        for key, (scalar, _) in entries(node).items():
            if key not in ("raw", "id", "label"):
                found.sink.report(lost.setting(scalar.span, key, "a spec has no place for it"))
        listed = chat(document, child(node, "raw"), found, JinjaOptions())
        inner = child(node, "raw") or child(node, "id")
        if listed is not None or inner is None:
            return listed or ()
        node = inner
    if not isinstance(node, YamlScalar):
        return chat(document, node, found, JinjaOptions()) or ()
    text = document.text(node)
    if not text.text.startswith(_FILE):
        return _from_text(text.text, text.map, node.span, found)
    path = text.text.removeprefix(_FILE)
    if "*" in path or path.endswith((".py", ".js", ".cjs", ".mjs", ".ts", ".csv")):
        found.sink.report(lost.missing_part(node.span, path, "only texts and lists of messages are taken in"))
        return ()
    source = found.part(path, node.span)
    if source is None:
        return ()
    found.open.pop()
    if path.endswith((".json", ".yaml", ".yml")):
        inner_document = read_data(source, found)
        if inner_document is not None:
            listed = chat(inner_document, inner_document.root, found, JinjaOptions())
            if listed is not None:
                return listed
        found.sink.report(lost.missing_part(node.span, path, "it is no list of messages"))
        return ()
    places = TextMap.identity(source.path, len(source.text))
    return _from_text(source.text, places, Span(source.path, 0, len(source.text)), found)


def _from_text(text: str, places: TextMap, span: Span, found: Findings) -> tuple[Message, ...]:
    parts = jinja_parts(text, places, found)
    return () if parts is None else (Message("user", parts, span),)


# -- providers -----------------------------------------------------------------------------------


def _provider(top: Leftover, found: Findings) -> tuple[str | None, str | None, int | None, tuple[Tool, ...]]:
    node = top.take("providers") or top.take("targets")
    first, *others = items(node) or ((node,) if node is not None else (None,))
    for other in others:
        if other is not None:
            name = string(child(other, "id")) or string(other) or "provider"
            found.sink.report(lost.setting(other.span, name, "a prompt in a spec has one model; the first is taken"))
    id = string(first) or string(child(first, "id"))
    if id is None and isinstance(first, YamlMapping) and first.pairs:
        id = first.pairs[0][0].value
    config = Leftover(child(first, "config"))
    limits = [value(config.take(key)) for key in ("max_tokens", "maxTokens", "maxOutputTokens")]
    tools = chosen_tools(items(config.take("tools")), found)
    for key, span in config.rest():
        found.sink.report(lost.setting(span, key, "a spec has no place for it"))
    limit = next((n for n in limits if isinstance(n, int) and n > 0), None)
    if id is None:
        return None, None, limit, tools
    words = id.split(":")
    if words[0] == "adaline" and len(words) > 2:
        words = words[1:]
    provider, *rest = words
    model = rest[-1] if rest else None
    if provider == "bedrock" and len(rest) > 1 and rest[-1].isdigit():
        model = ":".join(rest[-2:])
    if provider == "openai" and rest[:1] == ["responses"]:
        provider = "openai:responses"
    return provider, model, limit, tools


# -- tests ---------------------------------------------------------------------------------------


def _default_test(node: YamlNode | None, found: Findings) -> dict[str, Data]:
    test = Leftover(node)
    values = _values(test.take("vars"), found)
    for key, span in test.rest():
        found.sink.report(lost.setting(span, key, _REASONS.get(key, "a spec has no place for it")))
    return values


def _tests(node: YamlNode | None, defaults: dict[str, Data], found: Findings) -> tuple[Sample, ...]:
    if isinstance(node, YamlScalar):
        found.sink.report(lost.setting(node.span, node.value, "tests of another file are not taken in"))
    samples: list[Sample] = []
    for number, test in enumerate(items(node), start=1):
        own = Leftover(test)
        values = _values(own.take("vars"), found)
        own.take("description")
        for key, span in own.rest():
            found.sink.report(lost.setting(span, key, _REASONS.get(key, "a spec has no place for it")))
        if isinstance(test, YamlScalar):
            found.sink.report(lost.setting(test.span, test.value, "tests of another file are not taken in"))
        elif values or defaults:
            samples.append(Sample(f"test_{number}", {**defaults, **values}, test.span))
    return tuple(samples)


def _values(node: YamlNode | None, found: Findings) -> dict[str, Data]:
    values: dict[str, Data] = {}
    for key, (scalar, inner) in entries(node).items():
        own = value(inner)
        if isinstance(own, str) and own.startswith(_FILE):
            source = found.part(own.removeprefix(_FILE), scalar.span)
            if source is None:
                continue
            found.open.pop()
            own = source.text
        values[key] = own
    return values
