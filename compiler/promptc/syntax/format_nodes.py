"""The canonical text of each declaration: its head on one line, its body, and what stands in its braces."""

import re
from typing import TypeAlias

from promptc.syntax import nodes
from promptc.syntax.bodies_ast import BodySource, FileRef
from promptc.syntax.expressions import Expr, Ident, Node
from promptc.syntax.format_expressions import format_expression, format_number, format_type, quoted
from promptc.syntax.format_traffic import duration_text, traffic_head
from promptc.syntax.traffic_nodes import TrafficDecl, TrafficItem

INDENT = "  "
# A carriage return would be taken for a line end when the file is read again.
_NEEDS_ESCAPES = re.compile("[\r\ud800-\udfff]")


class Part:
    """A keyword with a text inside braces; stands where its text stands."""

    __slots__ = ("body", "head", "span")

    def __init__(self, head: str, body: BodySource) -> None:
        self.head = head
        self.body = body
        self.span = body.span


Printable: TypeAlias = Node | Part


def body_lines(head: str, body: BodySource, indent: str) -> list[str]:
    """A head with the body behind it.

    Args:
        head: The declaration up to its body.
        body: The body; a block text is re-indented, nothing else about it changes.
        indent: Indentation of the head.
    """
    if isinstance(body, FileRef):
        return [f"{indent}{head} from {quoted(body.path)}"]
    if not body.block or _NEEDS_ESCAPES.search(body.text):
        return [f"{indent}{head} {quoted(body.text)}"]
    longest = max((len(run) for run in re.findall('"+', body.text)), default=0)
    quotes = '"' * (longest + 1 if longest >= 3 else 3)
    inner = indent + INDENT
    lines = [inner + line if line else "" for line in body.text.split("\n")] if body.text else []
    return [f"{indent}{head} {quotes}", *lines, f"{inner}{quotes}"]


def head_of(node: Printable) -> str:
    """The declaration without its body and without its braces."""
    match node:
        case Part():
            return node.head
        case nodes.Lane():
            return _words(node.kind, _after("in", node.envelope))
        case nodes.PromptDecl():
            return _words("prompt", node.name.name, _after("extends", node.extends))
        case nodes.SectionDecl():
            return _section(node)
        case nodes.IncludeItem():
            return _words("include", node.name.name, _when(node.when), _pin(node.pin))
        case nodes.Block():
            return _block(node)
        case nodes.ToolGroup():
            return _tool_group(node)
        case nodes.ToolDecl():
            return _words("tool", node.name.name, _class(node.cls), _when(node.when), _pin(node.pin))
        case nodes.Edit():
            return _edit(node)
        case nodes.InputDecl():
            return _input(node)
        case nodes.FieldDecl():
            default = f"= {format_expression(node.default)}" if node.default is not None else ""
            return _words(node.name.name, ":", format_type(node.type), node.untrusted and "untrusted", default)
        case nodes.Binding():
            return f"{node.name.name} = {format_expression(node.value)}"
        case nodes.SampleDecl():
            return f"sample {node.name.name} for {node.prompt.name}"
        case nodes.RecordDecl() | nodes.EnvelopeDecl():
            return f"{'record' if isinstance(node, nodes.RecordDecl) else 'envelope'} {node.name.name}"
        case _:
            return _plain(node)


def _plain(node: Node) -> str:
    match node:
        case nodes.Language():
            return f"language {format_number(node.version)}"
        case nodes.Use():
            return f"use {quoted(node.path.value)}"
        case nodes.StabilityDecl():
            return f"stability {' < '.join(name.name for name in node.classes)}"
        case nodes.ScopeDecl():
            return _words("scope", node.name.name, "holds", node.holds.name, _ttl(node.ttl))
        case nodes.GateDecl():
            return f"gate {node.name.name} = {format_expression(node.condition)}"
        case nodes.RequireDecl():
            return f"require {format_expression(node.condition)} {quoted(node.reason.value)}"
        case nodes.LimitDecl():
            return f"limit {node.metric}({node.subject.name}) <= {format_number(node.bound)}"
        case nodes.Allow():
            return f"allow {node.code.name} {quoted(node.reason.value)}"
        case nodes.Target():
            return f"target {node.name.name}"
        case nodes.Model():
            return f"model {format_expression(node.value)}"
        case nodes.CacheAuto():
            return "cache auto"
        case nodes.CacheKey():
            return f"cache key {format_expression(node.value)}"
        case TrafficDecl():
            return "traffic"
        case nodes.MaxTokens():
            return f"max_tokens {format_number(node.value)}"
        case nodes.Separator():
            return f"separator {quoted(node.text.value)}"
        case nodes.History():
            return f"history {node.name.name}"
        case nodes.SampleMessage():
            return f"{node.role} {quoted(node.text.value)}"
        case _ if isinstance(node, TrafficItem):
            return traffic_head(node)
        case _:
            raise TypeError(f"{type(node).__name__} is no declaration")


def children_of(node: Printable) -> list[Printable] | None:
    """What stands in the braces of a declaration, in source order; None for one without braces."""
    match node:
        case nodes.Lane() | nodes.PromptDecl() | nodes.Block() | TrafficDecl():
            return list(node.items)
        case nodes.RecordDecl():
            return list(node.fields)
        case nodes.SampleDecl():
            return sorted([*node.bindings, *node.messages], key=lambda part: part.span.start)
        case nodes.EnvelopeDecl():
            return [Part("open", node.open), Part("close", node.close)]
        case nodes.ToolDecl():
            return _parts(("description", node.description), ("schema", node.schema))
        case nodes.SectionDecl(content=nodes.DeltaBody() as delta):
            first = _words("first", _when(delta.first_when))
            return _parts((first, delta.first), ("changed", delta.changed), ("gone", delta.gone))
        case nodes.Edit(item=item) if item is not None:
            return children_of(item)
        case _:
            return None


def body_of(node: Printable) -> BodySource | None:
    """The body behind a head; None for declarations without one."""
    match node:
        case Part():
            return node.body
        case nodes.SectionDecl(content=content) if not isinstance(content, nodes.DeltaBody):
            return content
        case nodes.Edit(item=item) if item is not None:
            return body_of(item)
        case _:
            return None


def mark_head(mark: nodes.CacheMark, lane: str) -> str:
    """A cache mark, which reads differently in the conversation."""
    return _words("cache last", "message" if lane == "conversation" else "", _ttl(mark.ttl))


def _parts(*parts: tuple[str, BodySource | None]) -> list[Printable]:
    present: list[Printable] = [Part(head, body) for head, body in parts if body is not None]
    return sorted(present, key=lambda part: part.span.start)


def _words(*words: str | bool) -> str:
    return " ".join(word for word in words if isinstance(word, str) and word)


def _after(word: str, name: Ident | None) -> str:
    return f"{word} {name.name}" if name is not None else ""


def _class(cls: Ident | None) -> str:
    return f"@{cls.name}" if cls is not None else ""


def _when(condition: Expr | None) -> str:
    return f"when {format_expression(condition)}" if condition is not None else ""


def _pin(pin: nodes.Pin | None) -> str:
    return f"pin {quoted(pin.reason.value)}" if pin is not None else ""


def _ttl(ttl: nodes.Duration | None) -> str:
    return f"ttl {duration_text(ttl.seconds)}" if ttl is not None else ""


def _section(node: nodes.SectionDecl) -> str:
    deliver = ""
    if isinstance(node.content, nodes.DeltaBody):
        deliver = "deliver delta"
    elif node.deliver is not None:
        deliver = f"deliver {node.deliver.mode}"
        if node.deliver.key is not None:
            deliver += f" key {format_expression(node.deliver.key)}"
    allows = [f"allow {allow.code.name} {quoted(allow.reason.value)}" for allow in node.allows]
    tail = deliver if isinstance(node.content, nodes.DeltaBody) else ""
    middle = "" if tail else deliver
    return _words("section", node.name.name, _class(node.cls), _when(node.when), middle, _pin(node.pin), *allows, tail)


def _block(node: nodes.Block) -> str:
    if node.scope is None:
        return "uncached"
    return _words("cache", node.scope.name, _ttl(node.ttl), _after("fallback", node.fallback))


def _tool_group(node: nodes.ToolGroup) -> str:
    return _words(
        "group",
        node.name.name,
        _class(node.cls),
        f"from {format_expression(node.source)}",
        f"order by {', '.join(name.name for name in node.order)}" if node.order else "",
        _when(node.when),
        f"defer when {format_expression(node.defer)}" if node.defer is not None else "",
        f"policy {node.policy}" if node.policy is not None else "",
        _pin(node.pin),
    )


def _edit(node: nodes.Edit) -> str:
    inner = head_of(node.item) if node.item is not None else ""
    match node.kind:
        case "replace":
            return _words("replace", node.target.name, "with", inner)
        case "remove":
            return f"remove {node.target.name}"
        case _:
            return _words("insert", node.kind, node.target.name, inner)


def _input(node: nodes.InputDecl) -> str:
    bound = ""
    if node.max is not None:
        cut = f"cut {quoted(node.max.cut.value)}" if node.max.cut is not None else ""
        bound = _words("max", format_number(node.max.chars), "chars", cut)
    return _words(
        "input",
        node.name.name,
        ":",
        format_type(node.type),
        _class(node.cls),
        node.untrusted and "untrusted",
        bound,
        f"= {format_expression(node.default)}" if node.default is not None else "",
    )
