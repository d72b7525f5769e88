"""dotprompt files: front matter with Picoschema, Handlebars with roles."""

from promptc.importing import lost
from promptc.importing.data import Leftover, child, entries, items, string, value
from promptc.importing.front_matter import declarations, part
from promptc.importing.handlebars import Dialect, handlebars_parts
from promptc.importing.model import Data, Declared, ListOf, Prompt, Sample
from promptc.importing.schema_types import properties
from promptc.importing.scope import Findings, identifier
from promptc.importing.text_files import split_roles
from promptc.source import Source, Span, TextMap
from promptc.syntax.yaml_nodes import YamlMapping

_REASONS = {
    "output": "a spec says nothing of the answer",
    "description": "a spec has no description",
    "variant": "variants of a prompt are prompts of their own",
    "metadata": "a spec holds what a request is made of",
}


def read_dotprompt(source: Source, found: Findings) -> list[Prompt]:
    """The one prompt of a dotprompt file; nothing where it cannot be read."""
    parted = part(source, found)
    if parted is None:
        return []
    top = Leftover(parted.data.root if parted.data else None)
    provider, model = split_model(string(top.take("model")))
    max_tokens = _settings(top, found)
    declared = _inputs(top, found)
    for tool in items(top.take("tools")):
        reason = "the file names it, and the host defines it"
        help = "write a tool with its schema, or pass tools as a list: `group NAME @CLASS from LIST order by name`"
        found.sink.report(lost.setting(tool.span, string(tool) or "tool", reason, help))
    named = string(top.take("name"))
    for key, span in top.rest():
        found.sink.report(lost.setting(span, key, _REASONS.get(key, "a spec has no place for it")))
    text = source.text[parted.body :]
    lists = frozenset(key for key, told in declared.items() if isinstance(told.type, ListOf))
    places = TextMap.identity(source.path, len(text), parted.body)
    parts = handlebars_parts(text, places, found, Dialect(lists=lists))
    if parts is None:
        return []
    span = Span(source.path, parted.body, len(source.text))
    name = identifier(named or source.path.rsplit("/", 1)[-1].split(".")[0])
    defaults: dict[str, Data] = {key: told.default for key, told in declared.items() if told.default is not None}
    samples = (Sample("defaults", defaults, span),) if defaults else ()
    return [Prompt(name, split_roles(parts, "user", span), declared, provider, model, max_tokens, (), samples, span)]


def split_model(text: str | None) -> tuple[str | None, str | None]:
    """Provider and model of `provider/model`."""
    if text is None or "/" not in text:
        return None, text
    provider, _, model = text.partition("/")
    return provider, model


def _settings(top: Leftover, found: Findings) -> int | None:
    config = Leftover(top.take("config"))
    limit = value(config.take("maxOutputTokens"))
    for key, span in config.rest():
        found.sink.report(lost.setting(span, key, "a spec has no place for it"))
    return limit if isinstance(limit, int) and limit > 0 else None


def _inputs(top: Leftover, found: Findings) -> dict[str, Declared]:
    node = top.take("input")
    schema = child(node, "schema")
    declared = declarations(properties(schema, found))
    if schema is not None and not isinstance(schema, YamlMapping):
        found.sink.report(lost.setting(schema.span, "schema", "inputs of a spec have names"))
    for key, (scalar, default) in entries(child(node, "default")).items():
        told = declared.get(key)
        type = told.type if told is not None else None
        declared[key] = Declared(type, True, value(default), told.span if told is not None else scalar.span)
    return declared
