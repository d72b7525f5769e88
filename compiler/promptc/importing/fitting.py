"""Make template parts fit the types of their inputs: what may be absent is tested, a bool gets its two words."""

from dataclasses import dataclass, field, replace

from promptc.diagnostics.sink import Sink
from promptc.importing import lost
from promptc.importing.model import BOOL, INT, JSON, TEXT, Arm, Fields, For, If, Let, ListOf, Out, Part, Parts, Text
from promptc.importing.scope import attribute, default, name, path_of, present, text_literal
from promptc.importing.shapes import Path, Shape, proves
from promptc.source import Span
from promptc.syntax import expressions as ex


@dataclass(slots=True)
class Fitter:
    """Rewrites the parts of one prompt.

    Attributes:
        words: What the other tool writes for a bool: `("True", "False")` in Jinja2.
    """

    inputs: dict[str, Shape]
    words: tuple[str, str]
    sink: Sink
    added: dict[str, Shape] = field(default_factory=dict)

    def parts(self, parts: Parts, local: dict[str, Shape], proven: frozenset[Path]) -> Parts:
        """The parts, fit."""
        out: list[Part] = []
        local = dict(local)
        for part in parts:
            match part:
                case Out():
                    out.append(self._out(part, local, proven))
                case If(arms=arms, orelse=orelse):
                    failed, fit = proven, []
                    for arm in arms:
                        test = self._test(arm.test, local, failed)
                        fit.append(Arm(test, self.parts(arm.body, local, failed | proves(arm.test))))
                        failed = failed | proves(arm.test, False)
                    out.append(replace(part, arms=tuple(fit), orelse=self.parts(orelse, local, failed)))
                case For():
                    shape = self._shape(part.source, local)
                    element = shape.element() if shape is not None else Shape()
                    kept = frozenset(p for p in proven if p[0] != part.target)
                    kept |= proves(part.test) if part.test is not None else frozenset()
                    body = self.parts(part.body, {**local, part.target: element}, kept)
                    out.append(replace(part, body=body, orelse=self.parts(part.orelse, local, proven)))
                case Let():
                    local[part.name] = self._shape(part.value, local) or Shape()
                    out.append(replace(part, value=self._covered(part.value, local, proven)))
                case _:
                    out.append(part)
        return tuple(out)

    def _out(self, part: Out, local: dict[str, Shape], proven: frozenset[Path]) -> Part:
        value, span = part.value, part.span
        if isinstance(value, ex.TextLiteral) and "{" not in value.value:
            return Text(value.value, span)
        path = path_of(value)
        shape = self._shape(value, local)
        if path is None or shape is None:
            if isinstance(value, ex.Compare | ex.Test | ex.Not) or (path and path[-1] in ("first", "last")):
                return replace(part, value=self._worded(self._test(value, local, proven)))
            return replace(part, value=self._covered(value, local, proven))
        kind = shape.kind()
        if kind == BOOL:
            value = self._worded(value)
        elif kind == JSON:
            value = ex.Filter(span=span, value=value, name=ex.Ident(span=span, name="json"), args=())
        elif isinstance(kind, ListOf | Fields):
            value = self._as_text(part, path, local)
        fit = replace(part, value=value)
        missing = [path[: n + 1] for n in range(len(path)) if path[: n + 1] not in proven]
        tests = [p for p in missing if (s := self._at(p, local)) is not None and s.may_be_absent]
        if not tests:
            return fit
        test: ex.Expr = present(_path(tests[0], span))
        for more in tests[1:]:
            test = ex.Logical(span=span, op="and", left=test, right=present(_path(more, span)))
        return If((Arm(test, (fit,)),), (), span)

    def _covered(self, node: ex.Expr, local: dict[str, Shape], proven: frozenset[Path]) -> ex.Expr:
        """The expression with a default for every value in it that may be absent."""
        path, shape = path_of(node), self._shape(node, local)
        if path is not None:
            if shape is None or path in proven or not shape.may_be_absent or shape.form() not in (TEXT, INT):
                return node
            empty: ex.Expr = ex.IntLiteral(span=node.span, value=0)
            return default(node, text_literal("", node.span) if shape.form() == TEXT else empty)
        match node:
            case ex.Conditional(test=test, then=then, orelse=orelse):
                return replace(
                    node,
                    test=self._test(test, local, proven),
                    then=self._covered(then, local, proven | proves(test)),
                    orelse=self._covered(orelse, local, proven | proves(test, False)),
                )
            case ex.Binary(left=left, right=right):
                left, right = self._covered(left, local, proven), self._covered(right, local, proven)
                return replace(node, left=left, right=right)
            case ex.Filter(value=value, name=name) if name.name not in ("default", "json"):
                return replace(node, value=self._covered(value, local, proven))
            case _:
                return node

    def _test(self, node: ex.Expr, local: dict[str, Shape], proven: frozenset[Path]) -> ex.Expr:
        """The condition with a default where it compares what may be absent with anything but a literal text."""
        match node:
            case ex.Logical(op=op, left=left, right=right):
                known = proven | proves(left, op == "and")
                return replace(node, left=self._test(left, local, proven), right=self._test(right, local, known))
            case ex.Not(operand=operand):
                return replace(node, operand=self._test(operand, local, proven))
            case ex.Compare(op=op, left=left, right=right):
                if op in ("==", "!=") and isinstance(right, ex.TextLiteral | ex.IntLiteral | ex.BoolLiteral):
                    return node
                left, right = self._covered(left, local, proven), self._covered(right, local, proven)
                return replace(node, left=left, right=right)
            case _:
                return node

    def _worded(self, value: ex.Expr) -> ex.Expr:
        yes, no = (text_literal(word, value.span) for word in self.words)
        return ex.Conditional(span=value.span, test=value, then=yes, orelse=no)

    def _as_text(self, part: Out, path: Path, local: dict[str, Shape]) -> ex.Expr:
        """Another input, or field, with the text that the host gives a list or record."""
        last = f"{path[-1]}_text" if len(path) > 1 or path[0] not in local else "text"
        new = Shape(uses={"print"})
        text = ".".join(path)
        around = path if last == "text" else path[:-1]
        self.sink.report(lost.computed(part.span, text, ".".join((*around, last)), "it has no single text form"))
        if len(path) == 1:
            if path[0] in local:
                # An element that is printed and taken apart: its text is a field of its own.
                local[path[0]].fields.setdefault("text", new)
                return attribute(name(path[0], part.span), "text", part.span)
            self.added.setdefault(last, new)
            return name(last, part.span)
        parent = self._at(path[:-1], local)
        if parent is not None:
            parent.fields.setdefault(last, new)
        return attribute(_path(path[:-1], part.span), last, part.span)

    def _shape(self, node: ex.Expr, local: dict[str, Shape]) -> Shape | None:
        if isinstance(node, ex.Filter) and node.name.name == "reverse":
            return self._shape(node.value, local)
        path = path_of(node)
        return self._at(path, local) if path is not None and path[0] != "loop" else None

    def _at(self, path: Path, local: dict[str, Shape]) -> Shape | None:
        current = local.get(path[0]) or self.inputs.get(path[0])
        for key in path[1:]:
            current = current.fields.get(key) if current is not None else None
        return current


def _path(path: Path, span: Span) -> ex.Expr:
    node: ex.Expr = name(path[0], span)
    for key in path[1:]:
        node = attribute(node, key, span)
    return node
