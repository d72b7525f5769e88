"""Build prompts, lanes, sections and edits from YAML nodes."""

from collections.abc import Mapping
from typing import Literal, cast, get_args

from promptc.diagnostics.model import Label
from promptc.source import Span
from promptc.syntax import nodes
from promptc.syntax.bodies_ast import BodySource, FileRef, Template
from promptc.syntax.expressions import Expr, Ident
from promptc.syntax.yaml_fields import FieldReader, Fields
from promptc.syntax.yaml_nodes import YamlMapping, YamlNode, YamlScalar
from promptc.syntax.yaml_prompt_models import (
    BLOCK_SHAPES,
    CONSTRUCT_KEYS,
    EDIT_SHAPES,
    LANE_SHAPES,
    NEW_ITEM_SHAPES,
    Accepted,
    CacheLast,
    CacheLastMessage,
    EnvelopedLane,
    FileBody,
    FirstBody,
    LibrarySection,
    Prompt,
    Shape,
    TextBody,
)

_LANES: tuple[nodes.LaneKind, ...] = get_args(nodes.LaneKind)
_DELTA_KEYS = ("first", "changed", "gone")

Mode = Literal["inline", "frozen", "delta", "ephemeral"]
Policy = Literal["fixed", "mask"]


class LaneBuilder:
    """Builds what stands in a prompt; each method gives None after a report that leaves nothing to build."""

    def __init__(self, reader: FieldReader) -> None:
        self._reader = reader

    # -- prompts ---------------------------------------------------------------------------------

    def prompt(self, key: YamlScalar, node: YamlNode) -> nodes.PromptDecl | None:
        """One entry of `prompts`."""
        read = self._reader
        name = read.key_ident(key)
        fields = read.fields(node, Prompt, f"the prompt `{key.value}`")
        if name is None or fields is None:
            return None
        items: list[nodes.PromptItem] = []
        for part, value in fields.values.items():
            items.extend(self._prompt_part(fields.keys[part], value))
        extends = self._ident(fields, "extends")
        return nodes.PromptDecl(span=key.span.to(fields.span), name=name, extends=extends, items=tuple(items))

    def _prompt_part(self, key: YamlScalar, node: YamlNode) -> list[nodes.PromptItem]:
        read, part = self._reader, key.value
        span = key.span.to(node.span)
        if part in _LANES:
            lane = self._lane(part, key, node)
            return [lane] if lane else []
        if part == "edits":
            edits = [self._edit(item) for item in read.items(node, part)]
            return [edit for edit in edits if edit is not None]
        if part == "target":
            name = read.ident(node, "`target` takes the name of a provider")
            return [nodes.Target(span=span, name=name)] if name else []
        if part == "model":
            model = read.expression(node, part)
            return [nodes.Model(span=span, value=model)] if model else []
        if part == "cache":
            auto = read.choice(node, part, ("auto",))
            return [nodes.CacheAuto(span=span)] if auto else []
        if part == "cache_key":
            value = read.expression(node, part)
            return [nodes.CacheKey(span=span, value=value)] if value else []
        if part == "max_tokens":
            bound = read.integer(node, part)
            return [nodes.MaxTokens(span=span, value=bound)] if bound is not None else []
        return []

    def _lane(self, kind: nodes.LaneKind, key: YamlScalar, node: YamlNode) -> nodes.Lane | None:
        envelope = None
        inner: YamlNode | None = node
        if isinstance(node, YamlMapping) and kind in ("preamble", "tail"):
            fields = self._reader.fields(node, EnvelopedLane, f"the `{kind}` lane")
            if fields is None:
                return None
            envelope = self._ident(fields, "in")
            inner = fields.get("items")
        items = self._reader.items(inner, kind) if inner is not None else ()
        built = [self._lane_item(item, LANE_SHAPES[kind], f"an item of `{kind}`", kind) for item in items]
        kept = tuple(item for item in built if item is not None)
        return nodes.Lane(span=key.span.to(node.span), kind=kind, envelope=envelope, items=kept)

    def _edit(self, node: YamlNode) -> nodes.Edit | None:
        read = self._reader
        kind = read.discriminate(node, EDIT_SHAPES, "an edit")
        if kind is None:
            return None
        fields = read.fields(node, EDIT_SHAPES[kind], f"a `{kind}` edit")
        if fields is None:
            return None
        target = self._ident(fields, kind)
        item = None
        if kind != "remove":
            value = fields.get("with" if kind == "replace" else "insert")
            item = self._lane_item(value, NEW_ITEM_SHAPES, "the new item", kind) if value else None
            if item is None:
                return None
        if target is None:
            return None
        return nodes.Edit(
            span=fields.span,
            kind=cast(Literal["replace", "remove", "before", "after"], kind),
            target=target,
            item=cast(nodes.LaneSection | nodes.ToolGroup | nodes.ToolDecl | None, item),
        )

    # -- lane items ------------------------------------------------------------------------------

    def _lane_item(
        self, node: YamlNode, shapes: Mapping[str, type[Shape]], what: str, place: str
    ) -> nodes.LaneItem | None:
        kind = self._reader.discriminate(node, CONSTRUCT_KEYS, what, offered=shapes)
        if kind is None or not isinstance(node, YamlMapping):
            return None
        key, name = next((key, value) for key, value in node.pairs if key.value == kind)
        shape = shapes.get(kind)
        if shape is None:
            listed = ", ".join(f"`{word}`" for word in shapes)
            self._reader.report("PC119", f"`{kind}` does not belong in `{place}`", key.span, "not in this place",
                                f"here stand {listed}")  # fmt: skip
            return None
        label = f"the {kind} `{name.value}`" if isinstance(name, YamlScalar) and name.value else f"`{kind}`"
        fields = self._reader.fields(node, shape, label)
        if fields is None:
            return None
        if shape in (CacheLast, CacheLastMessage):
            return self._mark(fields, "last" if shape is CacheLast else "last message")
        return self._by_kind(kind, fields)

    def _mark(self, fields: Fields, word: str) -> nodes.CacheMark | None:
        node = fields.get("cache")
        if node is None or self._reader.choice(node, "cache", (word,)) is None:
            return None
        return nodes.CacheMark(span=fields.span, ttl=self._ttl(fields))

    def _by_kind(self, kind: str, fields: Fields) -> nodes.LaneItem | None:
        if kind == "section":
            return self.section(self._ident(fields, "section"), fields)
        if kind == "include":
            return self._include(fields)
        if kind == "group":
            return self._group(fields)
        if kind == "tool":
            return self._tool(fields)
        if kind == "history":
            name = self._ident(fields, "history")
            return nodes.History(span=fields.span, name=name) if name else None
        if kind == "separator":
            node = fields.get("separator")
            text = self._reader.text(node, "`separator` takes a text") if node else None
            return nodes.Separator(span=fields.span, text=text) if text else None
        return self._block(kind, fields)

    def _block(self, kind: str, fields: Fields) -> nodes.Block | None:
        scope = self._ident(fields, "cache") if kind == "cache" else None
        if kind == "cache" and scope is None:
            return None
        key = "items" if kind == "cache" else "uncached"
        node = fields.get(key)
        items = self._reader.items(node, key) if node else ()
        built = [self._lane_item(item, BLOCK_SHAPES, f"an item of `{key}`", key) for item in items]
        sections = tuple(cast(nodes.LaneSection, item) for item in built if item is not None)
        fallback = self._ident(fields, "fallback") if kind == "cache" else None
        return nodes.Block(span=fields.span, scope=scope, ttl=self._ttl(fields), fallback=fallback, items=sections)

    def _include(self, fields: Fields) -> nodes.IncludeItem | None:
        name = self._ident(fields, "include")
        if name is None:
            return None
        return nodes.IncludeItem(
            span=fields.span, name=name, when=self._expression(fields, "when"), pin=self._pin(fields)
        )

    def _group(self, fields: Fields) -> nodes.ToolGroup | None:
        name, source = self._ident(fields, "group"), self._expression(fields, "from")
        order_by = fields.get("order_by")
        fields_of_order = self._reader.items(order_by, "order_by") if order_by else ()
        order = [self._reader.ident(node, "`order_by` takes names of fields") for node in fields_of_order]
        if name is None or source is None:
            return None
        policy = fields.get("policy")
        chosen = self._reader.choice(policy, "policy", get_args(Policy)) if policy else None
        return nodes.ToolGroup(
            span=fields.span,
            name=name,
            cls=self._class(fields),
            source=source,
            order=tuple(ident for ident in order if ident is not None),
            when=self._expression(fields, "when"),
            defer=self._expression(fields, "defer_when"),
            policy=cast(Policy | None, chosen),
            pin=self._pin(fields),
        )

    def _tool(self, fields: Fields) -> nodes.ToolDecl | None:
        name = self._ident(fields, "tool")
        if name is None:
            return None
        description, schema = fields.get("description"), fields.get("schema")
        return nodes.ToolDecl(
            span=fields.span,
            name=name,
            cls=self._class(fields),
            when=self._expression(fields, "when"),
            description=self._body_value(description, "description") if description else None,
            schema=self._body_value(schema, "schema") if schema else None,
            pin=self._pin(fields),
        )

    # -- sections and bodies ---------------------------------------------------------------------

    def library_section(self, key: YamlScalar, node: YamlNode) -> nodes.SectionDecl | None:
        """One entry of `sections`."""
        name = self._reader.key_ident(key)
        fields = self._reader.fields(node, LibrarySection, f"the section `{key.value}`")
        if fields is None:
            return None
        return self.section(name, Fields(key.span.to(fields.span), fields.what, fields.values, fields.keys))

    def section(self, name: Ident | None, fields: Fields) -> nodes.SectionDecl | None:
        """A section, at top level or in a lane."""
        mode = self._mode(fields)
        content = self._content(fields, mode) if mode is not None or "deliver" not in fields.values else None
        if name is None or content is None:
            return None
        allow = fields.get("allow")
        return nodes.SectionDecl(
            span=fields.span,
            name=name,
            cls=self._class(fields),
            when=self._expression(fields, "when"),
            deliver=self._deliver(fields, mode),
            pin=self._pin(fields),
            allows=self.allows(allow) if allow else (),
            content=content,
        )

    def allows(self, node: YamlNode) -> tuple[nodes.Allow, ...]:
        """A list of accepted findings."""
        found = []
        for item in self._reader.items(node, "allow"):
            fields = self._reader.fields(item, Accepted, "an item of `allow`")
            if fields is None:
                continue
            code_node, reason_node = fields.get("code"), fields.get("because")
            code = self._reader.ident(code_node, "`code` takes a code or a slug", code=True) if code_node else None
            reason = self._reader.text(reason_node, "`because` takes a text") if reason_node else None
            if code and reason:
                found.append(nodes.Allow(span=fields.span, code=code, reason=reason))
        return tuple(found)

    def _mode(self, fields: Fields) -> Mode | None:
        node = fields.get("deliver")
        return cast(Mode | None, self._reader.choice(node, "deliver", get_args(Mode))) if node else None

    def _deliver(self, fields: Fields, mode: Mode | None) -> nodes.Deliver | None:
        key_node = fields.get("key")
        if key_node is not None and mode != "frozen":
            self._reader.report(
                "PC162",
                f"{fields.what} has a `key` and is not frozen",
                fields.keys["key"].span,
                "a key of what is frozen",
                "add `deliver: frozen`" if mode is None else None,
                *([Label(fields.values["deliver"].span, "not frozen")] if mode is not None else []),
            )
            key_node = None
        if mode is None or mode == "delta":
            return None  # a delta is the section's content
        key = self._reader.expression(key_node, "key") if key_node else None
        return nodes.Deliver(span=fields.values["deliver"].span, mode=mode, key=key)

    def _content(self, fields: Fields, mode: Mode | None) -> BodySource | nodes.DeltaBody | None:
        if mode == "delta":
            return self._delta(fields)
        stray = next((key for key in _DELTA_KEYS if key in fields.values), None)
        if stray is not None:
            self._reader.report(
                "PC162",
                f"`{stray}` stands in a section without `deliver: delta`",
                fields.keys[stray].span,
                "a renderer of a delta",
                "add `deliver: delta`",
            )
            return None
        return self._body(fields)

    def _delta(self, fields: Fields) -> nodes.DeltaBody:
        for key in ("text", "file"):
            if key in fields.values:
                self._reader.report(
                    "PC162", f"`{key}` and `deliver: delta` do not go together", fields.keys[key].span,
                    "a body of its own", "move it to `first`, `changed` or `gone`",
                )  # fmt: skip
        first, changed, gone = (fields.get(key) for key in _DELTA_KEYS)
        first_when: Expr | None = None
        first_body: BodySource | None = None
        if isinstance(first, YamlMapping):
            parts = self._reader.fields(first, FirstBody, "`first`")
            if parts is not None:
                first_when = self._expression(parts, "when")
                first_body = self._body(parts)
        elif first is not None:
            first_body = self._body_value(first, "first")
        present = [node.span for node in (first, changed, gone) if node is not None]
        keys = [fields.keys[key].span for key in _DELTA_KEYS if key in fields.keys]
        span = min(keys).to(max(present)) if present else fields.keys["deliver"].span
        return nodes.DeltaBody(
            span=span,
            first_when=first_when,
            first=first_body,
            changed=self._body_value(changed, "changed") if changed else None,
            gone=self._body_value(gone, "gone") if gone else None,
        )

    def _body_value(self, node: YamlNode, key: str) -> BodySource | None:
        if not isinstance(node, YamlMapping):
            return self.template(node, key)
        shape = FileBody if any(entry.value == "file" for entry, _ in node.pairs) else TextBody
        parts = self._reader.fields(node, shape, f"`{key}`")
        return self._body(parts) if parts else None

    def _body(self, fields: Fields) -> BodySource | None:
        text, file = fields.get("text"), fields.get("file")
        if text is not None and file is not None:
            self._reader.report(
                "PC162", f"{fields.what} has two bodies", fields.keys["file"].span, "the second body",
                "keep `text` or `file`", Label(fields.keys["text"].span, "the first body"),
            )  # fmt: skip
        if text is not None:
            return self.template(text, "text")
        if file is None:
            self._reader.report("PC116", f"{fields.what} has no body", _start(fields), "no body",
                                "add `text:`, or `file:` with the path of a template")  # fmt: skip
            return None
        path = self._reader.string(file, "`file` takes a path")
        return FileRef(span=path.span, path=path.text) if path else None

    def template(self, node: YamlNode, key: str) -> Template | None:
        """A template written in place."""
        found = self._reader.string(node, f"`{key}` takes a text")
        return Template(span=found.span, text=found.text, map=found.map, block=found.block) if found else None

    # -- clauses ---------------------------------------------------------------------------------

    def _class(self, fields: Fields) -> Ident | None:
        node = fields.get("class")
        return self._reader.stability_class(node) if node else None

    def _ident(self, fields: Fields, key: str) -> Ident | None:
        node = fields.get(key)
        return self._reader.ident(node, f"`{key}` takes a name") if node else None

    def _expression(self, fields: Fields, key: str) -> Expr | None:
        node = fields.get(key)
        return self._reader.expression(node, key) if node else None

    def _ttl(self, fields: Fields) -> nodes.Duration | None:
        node = fields.get("ttl")
        return self._reader.duration(node, "ttl") if node else None

    def _pin(self, fields: Fields) -> nodes.Pin | None:
        node = fields.get("pin")
        reason = self._reader.text(node, "`pin` takes a reason") if node else None
        return nodes.Pin(span=fields.keys["pin"].span.to(reason.span), reason=reason) if reason else None


def _start(fields: Fields) -> Span:
    first = min(fields.keys.values(), key=lambda key: key.span, default=None)
    return first.span if first else fields.span
