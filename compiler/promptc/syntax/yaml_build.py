"""Build a module from the nodes of a YAML file."""

from collections.abc import Callable
from typing import Literal, cast

from promptc.syntax import nodes
from promptc.syntax.expressions import Expr
from promptc.syntax.yaml_data import DataReader
from promptc.syntax.yaml_fields import FieldReader, Fields, is_null
from promptc.syntax.yaml_lanes import LaneBuilder
from promptc.syntax.yaml_models import (
    LIMIT_SHAPES,
    MESSAGE_SHAPES,
    Envelope,
    Input,
    Max,
    RecordFieldShape,
    Requirement,
    Sample,
    Scope,
    Surface,
)
from promptc.syntax.yaml_nodes import YamlMapping, YamlNode, YamlScalar
from promptc.syntax.yaml_traffic import TrafficReader


def build_items(root: YamlNode, reader: FieldReader) -> tuple[nodes.Item, ...]:
    """The declarations of a file in the order of its keys; what cannot be read is reported and missing."""
    return _ModuleBuilder(reader).build(root)


class _ModuleBuilder:
    def __init__(self, reader: FieldReader) -> None:
        self._reader = reader
        self._lanes = LaneBuilder(reader)
        self._records: dict[str, nodes.RecordDecl] = {}
        self._inputs: dict[str, nodes.InputDecl] = {}
        self._data = DataReader(reader, self._records)

    def build(self, root: YamlNode) -> tuple[nodes.Item, ...]:
        fields = self._reader.fields(root, Surface, "a module")
        if fields is None:
            return ()
        built: dict[str, list[nodes.Item]] = {}
        # Types first: what is declared decides what a disputed spelling in a value means.
        first = [key for key in ("records", "inputs") if key in fields.values]
        for key in (*first, *(key for key in fields.values if key not in first)):
            built[key] = self._part(fields, key)
        return tuple(item for key in fields.values for item in built[key])

    def _part(self, fields: Fields, key: str) -> list[nodes.Item]:
        node, span = fields.values[key], fields.keys[key].span.to(fields.values[key].span)
        read = self._reader
        named = _NAMED.get(key)
        if named is not None:
            found = [named(self, entry, value) for entry, value in read.pairs(node, key) if self._present(entry, value)]
            return [item for item in found if item is not None]
        listed = _LISTED.get(key)
        if listed is not None:
            items = [listed(self, item) for item in read.items(node, key)]
            return [item for item in items if item is not None]
        if key == "traffic":
            block = TrafficReader(read).traffic(fields.keys[key], node)
            return [block] if block is not None else []
        if key == "allow":
            return list(self._lanes.allows(node))
        if key == "stability":
            classes = [read.ident(item, "`stability` takes names of classes") for item in read.items(node, key)]
            return [nodes.StabilityDecl(span=span, classes=tuple(name for name in classes if name is not None))]
        version = read.integer(node, key)
        return [nodes.Language(span=span, version=version)] if version is not None else []

    def _present(self, key: YamlScalar, value: YamlNode) -> bool:
        if is_null(value):
            self._reader.no_value(key)
        return not is_null(value)

    # -- entries of mappings ---------------------------------------------------------------------

    def record(self, key: YamlScalar, node: YamlNode) -> nodes.RecordDecl | None:
        name = self._reader.key_ident(key)
        entries = self._reader.pairs(node, key.value)
        found = [self._field(entry, value) for entry, value in entries if self._present(entry, value)]
        if name is None:
            return None
        fields = tuple(field for field in found if field is not None)
        record = nodes.RecordDecl(span=key.span.to(node.span), name=name, fields=fields)
        self._records.setdefault(name.name, record)
        return record

    def _field(self, key: YamlScalar, node: YamlNode) -> nodes.FieldDecl | None:
        name = self._reader.key_ident(key)
        span = key.span.to(node.span)
        if not isinstance(node, YamlMapping):
            short = self._reader.type(node, f"the field `{key.value}` takes a type")
            if name is None or short is None:
                return None
            return nodes.FieldDecl(span=span, name=name, type=short, untrusted=False, default=None)
        fields = self._reader.fields(node, RecordFieldShape, f"the field `{key.value}`")
        typ = self._type(fields) if fields else None
        if name is None or fields is None or typ is None:
            return None
        return nodes.FieldDecl(
            span=span,
            name=name,
            type=typ,
            untrusted=self._flag(fields, "untrusted"),
            default=self._default(fields, typ),
        )

    def scope(self, key: YamlScalar, node: YamlNode) -> nodes.ScopeDecl | None:
        name = self._reader.key_ident(key)
        fields = self._reader.fields(node, Scope, f"the scope `{key.value}`")
        holds = fields.get("holds") if fields else None
        cls = self._reader.ident(holds, "`holds` takes the name of a class") if holds else None
        if name is None or fields is None or cls is None:
            return None
        ttl_node = fields.get("ttl")
        ttl = self._reader.duration(ttl_node, "ttl") if ttl_node else None
        return nodes.ScopeDecl(span=key.span.to(node.span), name=name, holds=cls, ttl=ttl)

    def envelope(self, key: YamlScalar, node: YamlNode) -> nodes.EnvelopeDecl | None:
        name = self._reader.key_ident(key)
        fields = self._reader.fields(node, Envelope, f"the envelope `{key.value}`")
        if fields is None:
            return None
        open_node, close_node = fields.get("open"), fields.get("close")
        opening = self._lanes.template(open_node, "open") if open_node else None
        closing = self._lanes.template(close_node, "close") if close_node else None
        if name is None or opening is None or closing is None:
            return None
        return nodes.EnvelopeDecl(span=key.span.to(node.span), name=name, open=opening, close=closing)

    def input(self, key: YamlScalar, node: YamlNode) -> nodes.InputDecl | None:
        name = self._reader.key_ident(key)
        fields = self._reader.fields(node, Input, f"the input `{key.value}`")
        typ = self._type(fields) if fields else None
        if name is None or fields is None or typ is None:
            return None
        cls = fields.get("class")
        bound = fields.get("max")
        declared = nodes.InputDecl(
            span=key.span.to(node.span),
            name=name,
            type=typ,
            cls=self._reader.stability_class(cls) if cls else None,
            untrusted=self._flag(fields, "untrusted"),
            max=self._max(bound) if bound else None,
            default=self._default(fields, typ),
        )
        self._inputs.setdefault(name.name, declared)
        return declared

    def _max(self, node: YamlNode) -> nodes.MaxClause | None:
        fields = self._reader.fields(node, Max, "`max`")
        chars_node = fields.get("chars") if fields else None
        chars = self._reader.integer(chars_node, "chars") if chars_node else None
        if fields is None or chars is None:
            return None
        cut_node = fields.get("cut")
        cut = self._reader.text(cut_node, "`cut` takes a text") if cut_node else None
        return nodes.MaxClause(span=fields.span, chars=chars, cut=cut)

    def gate(self, key: YamlScalar, node: YamlNode) -> nodes.GateDecl | None:
        name = self._reader.key_ident(key)
        condition = self._reader.expression(node, key.value)
        if name is None or condition is None:
            return None
        return nodes.GateDecl(span=key.span.to(node.span), name=name, condition=condition)

    def section(self, key: YamlScalar, node: YamlNode) -> nodes.SectionDecl | None:
        return self._lanes.library_section(key, node)

    def prompt(self, key: YamlScalar, node: YamlNode) -> nodes.PromptDecl | None:
        return self._lanes.prompt(key, node)

    # -- items of lists --------------------------------------------------------------------------

    def use(self, node: YamlNode) -> nodes.Use | None:
        path = self._reader.text(node, "`use` takes paths of modules")
        return nodes.Use(span=node.span, path=path) if path else None

    def requirement(self, node: YamlNode) -> nodes.RequireDecl | None:
        fields = self._reader.fields(node, Requirement, "an item of `require`")
        if fields is None:
            return None
        that, because = fields.get("that"), fields.get("because")
        condition = self._reader.expression(that, "that") if that else None
        reason = self._reader.text(because, "`because` takes a text") if because else None
        if condition is None or reason is None:
            return None
        return nodes.RequireDecl(span=fields.span, condition=condition, reason=reason)

    def sample(self, node: YamlNode) -> nodes.SampleDecl | None:
        read = self._reader
        fields = read.fields(node, Sample, "an item of `samples`")
        if fields is None:
            return None
        name_node, prompt_node = fields.get("sample"), fields.get("for")
        name = read.ident(name_node, "`sample` takes a name") if name_node else None
        prompt = read.ident(prompt_node, "`for` takes the name of a prompt") if prompt_node else None
        values, talk = fields.get("set"), fields.get("messages")
        bindings = [self._binding(key, value) for key, value in read.pairs(values, "set")] if values else []
        messages = [self._message(item) for item in read.items(talk, "messages")] if talk else []
        if name is None or prompt is None:
            return None
        return nodes.SampleDecl(
            span=fields.span,
            name=name,
            prompt=prompt,
            bindings=tuple(item for item in bindings if item is not None),
            messages=tuple(item for item in messages if item is not None),
        )

    def _binding(self, key: YamlScalar, node: YamlNode) -> nodes.Binding | None:
        name = self._reader.key_ident(key)
        declared = self._inputs.get(key.value)
        value = self._data.read(node, declared.type if declared else None)
        if name is None or value is None:
            return None
        return nodes.Binding(span=key.span.to(node.span), name=name, value=value)

    def _message(self, node: YamlNode) -> nodes.SampleMessage | None:
        role = self._reader.discriminate(node, MESSAGE_SHAPES, "an item of `messages`")
        fields = self._reader.fields(node, MESSAGE_SHAPES[role], "a message") if role else None
        value = fields.get(role) if fields and role else None
        text = self._reader.text(value, f"`{role}` takes a text") if value else None
        if fields is None or text is None:
            return None
        return nodes.SampleMessage(span=fields.span, role=cast(Literal["user", "assistant"], role), text=text)

    def limit(self, node: YamlNode) -> nodes.LimitDecl | None:
        metric = self._reader.discriminate(node, LIMIT_SHAPES, "an item of `limits`")
        fields = self._reader.fields(node, LIMIT_SHAPES[metric], f"the `{metric}` limit") if metric else None
        if fields is None or metric is None:
            return None
        subject_node, max_node = fields.get(metric), fields.get("max")
        subject = self._reader.ident(subject_node, f"`{metric}` takes a name") if subject_node else None
        bound = self._reader.integer(max_node, "max") if max_node else None
        if subject is None or bound is None:
            return None
        return nodes.LimitDecl(
            span=fields.span, metric=cast(Literal["variants", "tokens", "bytes"], metric), subject=subject, bound=bound
        )

    # -- clauses ---------------------------------------------------------------------------------

    def _type(self, fields: Fields) -> nodes.TypeExpr | None:
        node = fields.get("type")
        return self._reader.type(node, "`type` takes a type") if node else None

    def _flag(self, fields: Fields, key: str) -> bool:
        node = fields.get(key)
        return self._reader.flag(node, key) if node else False

    def _default(self, fields: Fields, typ: nodes.TypeExpr) -> Expr | None:
        node = fields.get("default")
        return self._data.read(node, typ) if node else None


_NAMED: dict[str, Callable[[_ModuleBuilder, YamlScalar, YamlNode], nodes.Item | None]] = {
    "records": _ModuleBuilder.record,
    "scopes": _ModuleBuilder.scope,
    "envelopes": _ModuleBuilder.envelope,
    "inputs": _ModuleBuilder.input,
    "gates": _ModuleBuilder.gate,
    "sections": _ModuleBuilder.section,
    "prompts": _ModuleBuilder.prompt,
}

_LISTED: dict[str, Callable[[_ModuleBuilder, YamlNode], nodes.Item | None]] = {
    "use": _ModuleBuilder.use,
    "require": _ModuleBuilder.requirement,
    "samples": _ModuleBuilder.sample,
    "limits": _ModuleBuilder.limit,
}
