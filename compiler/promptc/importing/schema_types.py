"""Types of JSON Schema and Picoschema as types of a spec."""

import re
from dataclasses import dataclass

from promptc.importing import lost
from promptc.importing.data import child, entries, items, string, value
from promptc.importing.model import BOOL, INT, JSON, TEXT, Choice, Data, Fields, ListOf, Presence, Type
from promptc.importing.scope import Findings, identifier
from promptc.source import Span
from promptc.syntax.yaml_nodes import YamlMapping, YamlNode, YamlScalar

_SCALARS: dict[str, Type] = {
    "string": TEXT,
    "str": TEXT,
    "text": TEXT,
    "integer": INT,
    "int": INT,
    "boolean": BOOL,
    "bool": BOOL,
    "any": JSON,
    "object": JSON,
}
_FRACTIONS = frozenset({"number", "float"})
_KEY = re.compile(r"([^?(]+)(\?)?(?:\((\w+)[^)]*\))?\s*")
_UNION = re.compile(r"\"[^\"]*\"(?:\s*\|\s*\"[^\"]*\")+")


@dataclass(frozen=True, slots=True)
class Property:
    """One property of an object: its name in the template, type, whether it may be absent, and what is said of it."""

    name: str
    type: Type | None
    optional: bool
    default: Data
    description: str
    span: Span


def word_type(word: str, span: Span, found: Findings) -> Type | None:
    """The type of one word; None for a type that is not known."""
    if word.endswith("[]"):
        inner = word_type(word[:-2], span, found)
        return ListOf(inner) if inner is not None else None
    if word in _FRACTIONS:
        found.sink.report(lost.altered(span, f"the type `{word}`", "is `text`: the host writes the fraction"))
        return TEXT
    if _UNION.fullmatch(word):
        return Choice(tuple(dict.fromkeys(re.findall(r"\"([^\"]*)\"", word))))
    return _SCALARS.get(word)


def properties(node: YamlNode | None, found: Findings) -> tuple[Property, ...]:
    """The properties of a schema, in JSON Schema or Picoschema."""
    if not isinstance(node, YamlMapping):
        return ()
    if child(node, "properties") is not None or string(child(node, "type")) == "object":
        required = {string(item) for item in items(child(node, "required"))}
        return tuple(
            Property(
                key,
                json_type(inner, found),
                bool(required) and key not in required,
                value(child(inner, "default")),
                string(child(inner, "description")) or "",
                scalar.span,
            )
            for key, (scalar, inner) in entries(child(node, "properties")).items()
        )
    return tuple(_pico_property(key, inner, found) for key, inner in node.pairs if key.value != "(*)")


def json_type(node: YamlNode | None, found: Findings) -> Type | None:
    """The type of a JSON Schema; None where it says nothing that a spec can hold."""
    if isinstance(node, YamlScalar):
        return pico_type(node, found)
    choices = [string(item) for item in items(child(node, "enum"))]
    if choices and all(choice is not None for choice in choices):
        return Choice(tuple(dict.fromkeys(choice for choice in choices if choice is not None)))
    if child(node, "properties") is not None:
        return _fields(properties(node, found))
    kind = child(node, "type")
    if string(kind) == "array":
        inner = child(node, "items")
        return ListOf((json_type(inner, found) if inner is not None else None) or TEXT)
    if isinstance(kind, YamlScalar):
        return word_type(kind.value, kind.span, found)
    return None


def pico_type(node: YamlNode, found: Findings) -> Type | None:
    """The type of a Picoschema value."""
    if isinstance(node, YamlScalar):
        word = node.value.strip()
        if not _UNION.fullmatch(word):
            word = word.split(",")[0].strip()
        return word_type(word, node.span, found)
    if isinstance(node, YamlMapping):
        if string(child(node, "type")) is not None or child(node, "properties") is not None:
            return json_type(node, found)
        return _fields(properties(node, found))
    return None


def _pico_property(key: YamlScalar, node: YamlNode, found: Findings) -> Property:
    told = _KEY.match(key.value)
    name, optional, form = (told[1].strip(), bool(told[2]), told[3]) if told else (key.value, False, None)
    description = node.value.split(",", 1)[1].strip() if isinstance(node, YamlScalar) and "," in node.value else ""
    type: Type | None
    if form == "enum":
        members = [string(item) for item in items(node)]
        texts = tuple(dict.fromkeys(m for m in members if m is not None))
        type = Choice(texts) if texts else TEXT
    elif form == "array":
        type = ListOf(pico_type(node, found) or TEXT)
    else:
        type = pico_type(node, found)
    return Property(name, type, optional, None, description, key.span)


def _fields(found: tuple[Property, ...]) -> Type:
    fields: tuple[tuple[str, Type, Presence], ...] = tuple(
        (identifier(p.name), p.type or TEXT, "absent" if p.optional else "given") for p in found
    )
    return Fields(fields) if fields else JSON
