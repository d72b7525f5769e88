"""Write a module as YAML."""

from collections.abc import Callable, Iterable
from itertools import groupby
from typing import Any, cast

from promptc.source import Source
from promptc.syntax import expressions as ex
from promptc.syntax import nodes
from promptc.syntax.bodies_ast import BodySource, FileRef, Template
from promptc.syntax.canonical import ordered
from promptc.syntax.format_expressions import format_expression, format_type
from promptc.syntax.traffic_nodes import TrafficDecl
from promptc.syntax.yaml_layout import Entry, Listing, Mapping, Text, Value, Verbatim, Words, lay_out
from promptc.syntax.yaml_margins import place_comments
from promptc.syntax.yaml_nodes import EXPRESSION_TAG
from promptc.syntax.yaml_traffic_writer import traffic_value

# Deeper data is written as an expression: a file may nest a hundred levels, its own ones included.
_MAX_DATA_DEPTH = 50


def write_yaml(module: nodes.Module, source: Source | None = None) -> str:
    """The YAML surface of a module.

    Args:
        module: From either surface. Names that are declared twice give keys that stand twice: the mistake stays.
        source: The text that the module was read from; with it, a comment behind a declaration stays behind it,
            without it all comments stand in front.

    Returns:
        The text of a `.promptc.yaml` file; empty for an empty module.
    """
    kinds = groupby(ordered(module).items, key=type)
    top: list[Entry] = []
    for kind, group in kinds:
        top.extend(_PARTS[kind](list(group)))
    footer = place_comments(top, module.comments, source)
    return lay_out(Mapping(top), footer)


# -- module level --------------------------------------------------------------------------------


def _each(key: str, write: Callable[[Any], Value]) -> Callable[[list[Any]], list[Entry]]:
    """One entry for each declaration, which only a mistaken module has twice."""
    return lambda items: [Entry(key, write(item), item.span.start) for item in items]


def _named(key: str, write: Callable[[Any], Value]) -> Callable[[list[Any]], list[Entry]]:
    """One entry that holds a mapping from names."""
    return lambda items: [Entry(key, Mapping([Entry(item.name.name, write(item), item.span.start) for item in items]))]


def _listed(key: str, write: Callable[[Any], Value]) -> Callable[[list[Any]], list[Entry]]:
    """One entry that holds a list."""
    return lambda items: [Entry(key, _list(items, write))]


def _list(items: Iterable[ex.Node], write: Callable[[Any], Value]) -> Listing:
    return Listing([Entry(None, write(item), item.span.start) for item in items])


def _language(item: nodes.Language) -> Value:
    return Verbatim(str(item.version))


def _use(item: nodes.Use) -> Value:
    return _text(item.path)


def _stability(item: nodes.StabilityDecl) -> Value:
    return _idents(item.classes)


def _scope(item: nodes.ScopeDecl) -> Value:
    return _mapping(_name("holds", item.holds), _duration(item.ttl))


def _record(item: nodes.RecordDecl) -> Value:
    return Mapping([Entry(field.name.name, _field(field), field.span.start) for field in item.fields])


def _field(field: nodes.FieldDecl) -> Value:
    if not field.untrusted and field.default is None:
        return Text(format_type(field.type))
    return _mapping(_type(field.type), _flag("untrusted", field.untrusted), _default(field.default))


def _envelope(item: nodes.EnvelopeDecl) -> Value:
    return _mapping(Entry("open", _template(item.open)), Entry("close", _template(item.close)))


def _input(item: nodes.InputDecl) -> Value:
    return _mapping(
        _type(item.type),
        _name("class", item.cls),
        _flag("untrusted", item.untrusted),
        _max(item.max),
        _default(item.default),
    )


def _max(item: nodes.MaxClause | None) -> Entry | None:
    if item is None:
        return None
    chars = Entry("chars", Verbatim(str(item.chars)))
    return Entry("max", _mapping(chars, _reason("cut", item.cut)), item.span.start)


def _gate(item: nodes.GateDecl) -> Value:
    return Text(format_expression(item.condition))


def _require(item: nodes.RequireDecl) -> Value:
    return _mapping(_expression("that", item.condition), _reason("because", item.reason))


def _sample(item: nodes.SampleDecl) -> Value:
    bindings = [Entry(b.name.name, data_value(b.value), b.span.start) for b in item.bindings]
    messages = _list(item.messages, lambda message: _mapping(_reason(message.role, message.text)))
    return _mapping(
        _name("sample", item.name),
        _name("for", item.prompt),
        Entry("set", Mapping(bindings)) if bindings else None,
        Entry("messages", messages) if item.messages else None,
    )


def _limit(item: nodes.LimitDecl) -> Value:
    return _mapping(_name(item.metric, item.subject), Entry("max", Verbatim(str(item.bound))))


def _allow(item: nodes.Allow) -> Value:
    return _mapping(_name("code", item.code), _reason("because", item.reason))


# -- prompts -------------------------------------------------------------------------------------


def _prompt(item: nodes.PromptDecl) -> Value:
    entries = [entry] if (entry := _name("extends", item.extends)) else []
    for kind, parts in groupby(item.items, key=type):
        if kind is nodes.Edit:
            entries.append(Entry("edits", _list(parts, _edit)))
        else:
            entries.extend(_prompt_part(part) for part in parts)
    return Mapping(entries)


def _prompt_part(item: nodes.PromptItem) -> Entry:
    at = item.span.start
    if isinstance(item, nodes.Target):
        return Entry("target", Text(item.name.name), at)
    if isinstance(item, nodes.Model):
        return Entry("model", Text(format_expression(item.value)), at)
    if isinstance(item, nodes.MaxTokens):
        return Entry("max_tokens", Verbatim(str(item.value)), at)
    if isinstance(item, nodes.CacheAuto):
        return Entry("cache", Text("auto"), at)
    if isinstance(item, nodes.CacheKey):
        return Entry("cache_key", Text(format_expression(item.value)), at)
    lane = cast(nodes.Lane, item)
    mark = "last message" if lane.kind == "conversation" else "last"
    items = _list(lane.items, lambda inner: _lane_item(inner, mark))
    if lane.envelope is None:
        return Entry(lane.kind, items, at)
    return Entry(lane.kind, _mapping(_name("in", lane.envelope), Entry("items", items)), at)


def _lane_item(item: Any, mark: str = "last") -> Value:
    if isinstance(item, nodes.SectionDecl):
        return _mapping(_name("section", item.name), *_section_parts(item))
    if isinstance(item, nodes.IncludeItem):
        return _mapping(_name("include", item.name), _expression("when", item.when), _pin(item.pin))
    if isinstance(item, nodes.ToolGroup):
        return _group(item)
    if isinstance(item, nodes.ToolDecl):
        return _mapping(
            _name("tool", item.name),
            _name("class", item.cls),
            _expression("when", item.when),
            _body("description", item.description),
            _body("schema", item.schema),
            _pin(item.pin),
        )
    if isinstance(item, nodes.Block):
        return _block(item)
    if isinstance(item, nodes.CacheMark):
        return _mapping(Entry("cache", Text(mark)), _duration(item.ttl))
    if isinstance(item, nodes.History):
        return _mapping(_name("history", item.name))
    return _mapping(Entry("separator", _text(item.text)))


def _block(item: nodes.Block) -> Value:
    inner = _list(item.items, _lane_item)
    if item.scope is None:
        return _mapping(Entry("uncached", inner))
    return _mapping(
        _name("cache", item.scope), _duration(item.ttl), _name("fallback", item.fallback), Entry("items", inner)
    )


def _group(item: nodes.ToolGroup) -> Value:
    return _mapping(
        _name("group", item.name),
        _name("class", item.cls),
        _expression("from", item.source),
        Entry("order_by", _idents(item.order)) if item.order else None,
        _expression("when", item.when),
        _expression("defer_when", item.defer),
        Entry("policy", Text(item.policy)) if item.policy else None,
        _pin(item.pin),
    )


def _edit(item: nodes.Edit) -> Value:
    new = _lane_item(item.item) if item.item else None
    key = "with" if item.kind == "replace" else "insert"
    return _mapping(_name(item.kind, item.target), Entry(key, new) if new else None)


# -- sections ------------------------------------------------------------------------------------


def _library_section(item: nodes.SectionDecl) -> Value:
    return _mapping(*_section_parts(item))


def _section_parts(item: nodes.SectionDecl) -> list[Entry | None]:
    content = item.content
    deliver = "delta" if isinstance(content, nodes.DeltaBody) else item.deliver.mode if item.deliver else None
    parts = [
        _name("class", item.cls),
        _expression("when", item.when),
        Entry("deliver", Text(deliver)) if deliver else None,
        _expression("key", item.deliver.key) if item.deliver else None,
        _pin(item.pin),
        Entry("allow", _list(item.allows, _allow)) if item.allows else None,
    ]
    if not isinstance(content, nodes.DeltaBody):
        return [*parts, _body_key(content)]
    first = _body("first", content.first)
    if content.first is not None and content.first_when is not None:
        pair = _mapping(_expression("when", content.first_when), _body_key(content.first))
        first = Entry("first", pair, content.first_when.span.start)
    return [*parts, first, _body("changed", content.changed), _body("gone", content.gone)]


def _body_key(body: BodySource) -> Entry:
    """`text` or `file`, as a key of the construct itself."""
    if isinstance(body, FileRef):
        return Entry("file", Text(body.path), body.span.start)
    return Entry("text", _template(body), body.span.start)


def _body(key: str, body: BodySource | None) -> Entry | None:
    if body is None:
        return None
    value = _mapping(_body_key(body)) if isinstance(body, FileRef) else _template(body)
    return Entry(key, value, body.span.start)


def _template(template: Template) -> Text:
    return Text(template.text, block=template.block)


# -- clauses and values --------------------------------------------------------------------------


def _mapping(*entries: Entry | None) -> Mapping:
    return Mapping([entry for entry in entries if entry is not None])


def _name(key: str, name: ex.Ident | None) -> Entry | None:
    return Entry(key, Text(name.name), name.span.start) if name else None


def _idents(names: tuple[ex.Ident, ...]) -> Words:
    return Words(tuple(name.name for name in names))


def _text(literal: ex.TextLiteral) -> Text:
    return Text(literal.value, block="\n" in literal.value)


def _reason(key: str, literal: ex.TextLiteral | None) -> Entry | None:
    return Entry(key, _text(literal), literal.span.start) if literal else None


def _pin(pin: nodes.Pin | None) -> Entry | None:
    return _reason("pin", pin.reason) if pin else None


def _duration(ttl: nodes.Duration | None) -> Entry | None:
    if ttl is None:
        return None
    for unit, seconds in (("h", 3_600), ("m", 60)):
        if ttl.seconds and ttl.seconds % seconds == 0:
            return Entry("ttl", Verbatim(f"{ttl.seconds // seconds}{unit}"), ttl.span.start)
    return Entry("ttl", Verbatim(f"{ttl.seconds}s"), ttl.span.start)


def _flag(key: str, value: bool) -> Entry | None:
    return Entry(key, Verbatim("true")) if value else None


def _type(node: nodes.TypeExpr) -> Entry:
    return Entry("type", Text(format_type(node)), node.span.start)


def _expression(key: str, node: ex.Expr | None) -> Entry | None:
    return Entry(key, Text(format_expression(node)), node.span.start) if node else None


def _default(node: ex.Expr | None) -> Entry | None:
    return Entry("default", data_value(node), node.span.start) if node else None


def data_value(node: ex.Expr, depth: int = 0) -> Value:
    """A literal as YAML data; anything else as an expression with its tag."""
    if isinstance(node, ex.NoneLiteral):
        return Verbatim("null")
    if isinstance(node, ex.BoolLiteral):
        return Verbatim("true" if node.value else "false")
    if isinstance(node, ex.IntLiteral):
        return Verbatim(str(node.value))
    if isinstance(node, ex.Negate) and isinstance(node.operand, ex.IntLiteral):
        return Verbatim(f"-{node.operand.value}")
    if isinstance(node, ex.TextLiteral):
        return _text(node)
    if depth < _MAX_DATA_DEPTH:
        if isinstance(node, ex.ListLiteral):
            return Listing([Entry(None, data_value(item, depth + 1), item.span.start) for item in node.items])
        if isinstance(node, ex.RecordLiteral) and len({f.name.name for f in node.fields}) == len(node.fields):
            return Mapping([Entry(f.name.name, data_value(f.value, depth + 1), f.span.start) for f in node.fields])
    return Text(format_expression(node), tag=EXPRESSION_TAG)


_PARTS: dict[type[Any], Callable[[list[Any]], list[Entry]]] = {
    nodes.Language: _each("language", _language),
    nodes.Use: _listed("use", _use),
    nodes.StabilityDecl: _each("stability", _stability),
    nodes.ScopeDecl: _named("scopes", _scope),
    nodes.RecordDecl: _named("records", _record),
    nodes.EnvelopeDecl: _named("envelopes", _envelope),
    nodes.InputDecl: _named("inputs", _input),
    nodes.GateDecl: _named("gates", _gate),
    nodes.RequireDecl: _listed("require", _require),
    nodes.SectionDecl: _named("sections", _library_section),
    nodes.PromptDecl: _named("prompts", _prompt),
    nodes.SampleDecl: _listed("samples", _sample),
    nodes.LimitDecl: _listed("limits", _limit),
    TrafficDecl: _each("traffic", traffic_value),
    nodes.Allow: _listed("allow", _allow),
}
