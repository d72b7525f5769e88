"""Which values hold text that was not written by the author of the spec (DOMAIN, I)."""

import re
from collections.abc import Sequence

from promptc.semantics.facts import Facts, Layout, PlacedLane
from promptc.semantics.passes.collect_declarations import BUILTIN_ENVELOPES
from promptc.syntax import bodies_ast as ast
from promptc.syntax import expressions as ex
from promptc.types import List, Optional, Record, Type

_TAG = re.compile(r"<\s*/?\s*([A-Za-z][A-Za-z0-9_.:-]*)")


def envelope_texts(lane: PlacedLane) -> tuple[str, str]:
    """What opens and closes a lane; two empty texts where it stands in no envelope."""
    if lane.envelope is not None:
        return lane.envelope.open.text, lane.envelope.close.text
    return ("", "") if lane.node.envelope is None else BUILTIN_ENVELOPES[lane.node.envelope.name]


def tag_names(texts: Sequence[str]) -> tuple[str, ...]:
    """Names of the tags in some texts, in small letters and sorted."""
    return tuple(sorted({name.lower() for text in texts for name in _TAG.findall(text)}))


def envelope_tags(layout: Layout) -> tuple[str, ...]:
    """Names of the tags of all envelopes of a prompt."""
    return tag_names([t for lane in (layout.preamble, layout.tail) if lane is not None for t in envelope_texts(lane)])


class Taint:
    """Tells whether an expression may give untrusted text.

    An input or a field is untrusted where it is declared so, and everything made of it is. Numbers and truths are not:
    they hold no text.

    Args:
        body: The body whose locals may occur in the expressions; None: none may.
    """

    def __init__(self, facts: Facts, body: ast.Body | None = None) -> None:
        self.facts = facts
        self._locals: set[str] = set()
        before = -1
        # A local may be set from one that is set further down, in a loop.
        while body is not None and before != len(self._locals):
            before = len(self._locals)
            self._learn(body.parts)

    def _learn(self, parts: Sequence[ast.Part]) -> None:
        for part in parts:
            match part:
                case ast.Set(value=value):
                    if self.of(value):
                        self._locals.add(self.facts.locals[part])
                case ast.For(iterable=iterable, body=body, orelse=orelse):
                    if self.of(iterable):
                        self._locals.add(self.facts.locals[part])
                    self._learn(body)
                    self._learn(orelse)
                case ast.If(branches=branches, orelse=orelse):
                    for branch in branches:
                        self._learn(branch.body)
                    self._learn(orelse)
                case _:
                    continue

    def of(self, expr: ex.Expr) -> bool:
        """Whether an expression may give untrusted text."""
        match expr:
            case ex.Name():
                return self._name(expr)
            case ex.Attribute(value=value, name=name):
                return self.of(value) or self._field(self.facts.types.get(value), name.name)
            case ex.Filter(value=value, args=args):
                return self.of(value) or any(self.of(a.value) for a in args) or self._through_filter(expr)
            case ex.Conditional(then=then, orelse=orelse):
                return self.of(then) or self.of(orelse)
            case ex.Binary(left=left, right=right) | ex.Logical(left=left, right=right):
                return self.of(left) or self.of(right)
            case ex.ListLiteral(items=items):
                return any(self.of(item) for item in items)
            case ex.RecordLiteral(fields=fields):
                return any(self.of(field.value) for field in fields)
            case _:
                return False

    def _name(self, name: ex.Name) -> bool:
        found = self.facts.names.get(name)
        if found is None:
            return False
        if found.kind == "input":
            return self.facts.symbols.inputs[found.name].untrusted
        return found.kind == "local" and found.name in self._locals

    def _field(self, kind: Type | None, name: str) -> bool:
        inner = kind.item if isinstance(kind, Optional) else kind
        if not isinstance(inner, Record):
            return False
        declared = self.facts.symbols.records.get(inner.name)
        return declared is not None and any(f.name.name == name and f.untrusted for f in declared.fields)

    def _through_filter(self, expr: ex.Filter) -> bool:
        """Whether a filter takes text out of fields of what it is given."""
        kind = self.facts.types.get(expr.value)
        if expr.name.name == "json":
            return self._anywhere(kind, frozenset())
        item = kind.item if isinstance(kind, List) else None
        texts = [a.value.value for a in expr.args if isinstance(a.value, ex.TextLiteral)]
        return expr.name.name in ("map", "join") and any(self._field(item, name) for name in texts)

    def _anywhere(self, kind: Type | None, seen: frozenset[str]) -> bool:
        if isinstance(kind, List | Optional):
            return self._anywhere(kind.item, seen)
        if not isinstance(kind, Record) or kind.name in seen:
            return False
        declared = self.facts.symbols.records.get(kind.name)
        types = self.facts.symbols.field_types.get(kind.name, {})
        return declared is not None and any(
            f.untrusted or self._anywhere(types.get(f.name.name), seen | {kind.name}) for f in declared.fields
        )
